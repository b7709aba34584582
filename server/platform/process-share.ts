import { readFileSync } from "node:fs";
import os from "node:os";

interface ReadSettings {
  PROCESSES: string;
  MEMORY_MB?: number;
  ROLE: string;
  NODE_ENV: string;
}

/**
 * The number of processes that answer requests, and the processor cores (at least one) and memory of each. @throws
 * RangeError
 */
export function processShareOf(read: ReadSettings) {
  const { count, memoryMb } = processesOf({ ...read, MEMORY_MB: read.MEMORY_MB?.toString() });
  if (count > 1 && memoryMb < MIN_MEMORY_MB) {
    throw new RangeError(
      `at least ${count * MIN_MEMORY_MB + SUPERVISOR_MB} for ${count} processes, which divide it`,
    );
  }
  const cores = Math.max(1, Math.floor(os.availableParallelism() / count));
  return { processes: count, cores, memory: memoryBudget(memoryMb, cores) };
}

interface ConnectionSettings {
  MAX_CONNECTIONS: number;
  MAX_CONNECTIONS_PER_ADDRESS?: number | "off";
  TRUSTED_PROXIES: number;
}

/** Descriptors that connections leave free for files, threads and the database. */
const RESERVED = 256;

/** Refused connections that are answered at the same time. The reserved descriptors cover the lower bound. */
const MIN_REFUSED_AT_ONCE = 64;
const MAX_REFUSED_AT_ONCE = 2048;

/**
 * Connection limits of one of several processes, which together have the configured total.
 *
 * @param descriptors Most open files of this process. At least half of them are for connections.
 * @returns `refusedAtOnce`: number of clients that can receive a refusal at the same time.
 */
export function connectionShareOf(
  read: ConnectionSettings,
  processes: number,
  descriptors = maxDescriptors(),
) {
  const possible = Math.max(descriptors - RESERVED, Math.floor(descriptors / 2));
  const all = Math.min(Math.ceil(read.MAX_CONNECTIONS / processes), possible);
  // Behind a proxy all connections come from its address.
  const unset = read.TRUSTED_PROXIES > 0 ? all : Math.ceil(all / 4);
  const given = read.MAX_CONNECTIONS_PER_ADDRESS;
  const ofAddress = given === undefined ? unset : given === "off" ? all : Math.ceil(given / processes);
  const left = Math.max(MIN_REFUSED_AT_ONCE, descriptors - RESERVED - all);
  return { all, ofAddress: Math.min(all, ofAddress), refusedAtOnce: Math.min(MAX_REFUSED_AT_ONCE, left) };
}

/** Limit of open files, which Node raises at its start; Infinity outside Linux and where there is no limit. */
function maxDescriptors(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Default of MEMORY_MB for one process. */
const DEFAULT_MEMORY_MB = 512;

/** Memory of the supervisor process, MiB. */
const SUPERVISOR_MB = 64;

/** Share of the machine's memory that `auto` uses where MEMORY_MB is not set. */
const MACHINE_PART = 0.5;

/** The settings that the number of processes depends on, as given. */
type ProcessSettings = Readonly<Partial<Record<"PROCESSES" | "MEMORY_MB" | "ROLE" | "NODE_ENV", string>>>;

/**
 * Chooses the number of processes and their memory. Only the answering of requests is divided: there is one process
 * where it only computes tasks or fetches feeds, and where pages are edited. Values of the wrong form count as unset,
 * because the validation of the environment reports them.
 *
 * @returns The number of processes that answer requests, and the memory budget of each, MiB.
 */
export function processesOf(given: ProcessSettings, machine = thisMachine()) {
  const budget = /^\d{3,7}$/.test(given.MEMORY_MB ?? "") ? Number(given.MEMORY_MB) : undefined;
  const answers = !given.ROLE || given.ROLE === "all" || given.ROLE === "web";
  const count = answers && given.NODE_ENV !== "development" ? countOf(given.PROCESSES, budget, machine) : 1;
  if (count === 1) return { count, memoryMb: budget ?? DEFAULT_MEMORY_MB };
  const all = budget ?? count * DEFAULT_MEMORY_MB;
  return { count, memoryMb: Math.floor((all - SUPERVISOR_MB) / count) };
}

function countOf(
  text: string | undefined,
  budget: number | undefined,
  machine: ReturnType<typeof thisMachine>,
): number {
  if (text !== "auto") return /^[1-9]\d?$/.test(text ?? "") ? Number(text) : 1;
  const room =
    budget === undefined
      ? (MACHINE_PART * machine.memoryMb) / DEFAULT_MEMORY_MB
      : (budget - SUPERVISOR_MB) / MIN_MEMORY_MB;
  return Math.max(1, Math.min(machine.cores, Math.floor(room), MAX_PROCESSES));
}

export const MAX_PROCESSES = 64;

/** Most processes that share the embedded PostgreSQL, which has few connections. */
export const MAX_EMBEDDED_PROCESSES = 16;

function thisMachine() {
  // The limit of the container, where there is one; otherwise 0 or more than the machine has.
  const bytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, os.totalmem());
  return { cores: os.availableParallelism(), memoryMb: bytes / 2 ** 20 };
}

/**
 * Memory of the task thread for decoded chunks, relative to that of requests. It is smaller because a task reads each
 * chunk once.
 */
export const TASK_CHUNK_SHARE = 0.25;

/** Memory of the demo for chunks computed together with the requested ones, relative to decoded chunks. */
const SIBLING_SHARE = 0.3125;

const MIB = 2 ** 20;

/** Cache of the files of the pages: enough for all of them, in every encoding. */
export const FILE_CACHE_BYTES = 16 * MIB;

/**
 * Memory of parts whose size cannot be chosen, MiB, measured under `npm run lab -- soak`: code, JavaScript objects of
 * the main thread with Next, and the C library's; the land, depths and tides of the demo; threads that compute tasks,
 * read storms and read large bodies; answers in progress; files of the pages. The thread of tides is extra: it ends two
 * minutes after its last question (server/tides/tides.ts).
 */
const FIXED_MB = 200 + 26 + 40 + 28 + 24 + FILE_CACHE_BYTES / MIB;

/** Memory of a thread that computes the demo, MiB. */
const DEMO_THREAD_MB = 24;

const MAX_DEMO_THREADS = 4;

/** With smaller caches the same chunks are read again and again, MiB. */
const MIN_CACHES_MB = 64;

/**
 * Memory for large bodies, an eighth of the budget within these bounds. It is added to the budget, since large bodies
 * are rare. One address may use less than all of it, and more than the largest body.
 */
const BODY_SHARE = 1 / 8;
const MIN_BODIES_MB = 64;
const MAX_BODIES_MB = 128;
const OF_ADDRESS = 3 / 4;

/** Shares of the caches. The rest is for chunks. */
const STEP_SHARE = 0.2;
const FRAME_SHARE = 0.2;

/** The least memory of a process, MiB: it allows one demo thread each for requests and tasks. */
export const MIN_MEMORY_MB = FIXED_MB + 2 * DEMO_THREAD_MB + MIN_CACHES_MB;

/**
 * Divides the memory of a process. PostgreSQL and commands have memory of their own.
 *
 * @param memoryMb At least `MIN_MEMORY_MB`.
 * @throws RangeError that names what does not fit.
 */
export function memoryBudget(memoryMb: number, cores: number) {
  const spare = memoryMb - FIXED_MB;
  // Threads come first, because the demo computes each chunk that is not in a cache. Tasks leave one core to requests.
  const affordable = Math.floor(Math.min(spare / 2, spare - MIN_CACHES_MB) / DEMO_THREAD_MB);
  const tasks = Math.max(1, Math.min(MAX_DEMO_THREADS, cores - 1, Math.floor(affordable / 2)));
  const requests = Math.max(1, Math.min(MAX_DEMO_THREADS, cores, affordable - tasks));
  const caches = spare - (requests + tasks) * DEMO_THREAD_MB;
  if (caches < MIN_CACHES_MB)
    throw new RangeError(`at least ${MIN_MEMORY_MB}: less does not hold the process and its threads`);
  const stepCache = STEP_SHARE * caches;
  const frameCache = FRAME_SHARE * caches;
  // The caches of task threads, and of chunks that the demo computes beside the requested ones, share this memory.
  const chunkCache = (caches - stepCache - frameCache) / ((1 + TASK_CHUNK_SHARE) * (1 + SIBLING_SHARE));
  const bodies = Math.max(MIN_BODIES_MB, Math.min(MAX_BODIES_MB, Math.floor(BODY_SHARE * memoryMb)));
  return {
    /** Memory for large bodies from their arrival until they are answered, in all and per address. */
    bodyBytes: { all: bodies * MIB, ofAddress: OF_ADDRESS * bodies * MIB },
    /** Cache of decoded chunks for requests, in whole MiB; tasks have `TASK_CHUNK_SHARE` of it in addition. */
    chunkCacheBytes: Math.floor(chunkCache) * MIB,
    /** Cache of whole time steps, ready to be sent. */
    stepCacheBytes: Math.floor(stepCache * MIB),
    /** Cache of map frames that were computed on request. */
    frameCacheBytes: Math.floor(frameCache * MIB),
    demoThreads: { requests, tasks },
  };
}
