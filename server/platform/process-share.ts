import { readFileSync } from "node:fs";
import os from "node:os";

interface ReadSettings {
  PROCESSES: string;
  MEMORY_MB?: number;
  ROLE: string;
  NODE_ENV: string;
}

/** How many processes answer requests, and the processor cores (at least one) and memory of each. @throws RangeError */
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

/** Descriptors for files, threads and the database, which connections leave free. */
const RESERVED = 256;

/** Refused connections that are answered at the same time: what is reserved has room for the lower bound. */
const MIN_REFUSED_AT_ONCE = 64;
const MAX_REFUSED_AT_ONCE = 2048;

/**
 * Connections of one of several processes: together they have what is allowed.
 *
 * @param descriptors Most open files of this process. At least half of them are for connections.
 * @returns `refusedAtOnce`: how many clients can be told at the same time that they are refused.
 */
export function connectionShareOf(
  read: ConnectionSettings,
  processes: number,
  descriptors = maxDescriptors(),
) {
  const possible = Math.max(descriptors - RESERVED, Math.floor(descriptors / 2));
  const all = Math.min(Math.ceil(read.MAX_CONNECTIONS / processes), possible);
  // All connections come from the address of the proxy.
  const unset = read.TRUSTED_PROXIES > 0 ? all : Math.ceil(all / 4);
  const given = read.MAX_CONNECTIONS_PER_ADDRESS;
  const ofAddress = given === undefined ? unset : given === "off" ? all : Math.ceil(given / processes);
  const left = Math.max(MIN_REFUSED_AT_ONCE, descriptors - RESERVED - all);
  return { all, ofAddress: Math.min(all, ofAddress), refusedAtOnce: Math.min(MAX_REFUSED_AT_ONCE, left) };
}

/** After Node has raised it at its start; infinite off Linux, and where there is no limit. */
function maxDescriptors(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The default of MEMORY_MB for one process. */
const DEFAULT_MEMORY_MB = 512;

/** What the process takes that supervises others, MiB. */
const SUPERVISOR_MB = 64;

/** Part of the machine's memory that `auto` uses where MEMORY_MB does not say how much. */
const MACHINE_PART = 0.5;

/** The settings that it depends on, as they are given. */
type ProcessSettings = Readonly<Partial<Record<"PROCESSES" | "MEMORY_MB" | "ROLE" | "NODE_ENV", string>>>;

/**
 * Divides the machine. Only requests are divided: a process that computes tasks or fetches feeds alone is one, and so is one
 * whose pages are edited. Values of the wrong form count as unset: they are reported where the environment is validated.
 *
 * @returns How many processes answer requests, and the budget of each, MiB.
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

/** Most processes of one machine. */
export const MAX_PROCESSES = 64;

/** Most that use the embedded PostgreSQL, whose connections are few. */
export const MAX_EMBEDDED_PROCESSES = 16;

function thisMachine() {
  // What a container may use, where it is one; otherwise 0 or more than there is.
  const bytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, os.totalmem());
  return { cores: os.availableParallelism(), memoryMb: bytes / 2 ** 20 };
}

/** Memory of the thread of tasks for decoded chunks, against that of requests: it reads each slice of its points once. */
export const TASK_CHUNK_SHARE = 0.25;

/** Memory of the demo for chunks computed together with the requested ones, against decoded chunks; cells included. */
const SIBLING_SHARE = 0.3125;

const MIB = 2 ** 20;

/** Files of the pages: room for all that they ask for, in every encoding. */
export const FILE_CACHE_BYTES = 16 * MIB;

/**
 * What parts take whose size cannot be chosen, MiB, measured under `npm run lab -- soak`: code, JavaScript objects of the main
 * thread with Next, and the C library's; the land, depths and tides of the demo; a thread that computes tasks, one that
 * reads storms, one that reads large bodies; answers in flight; files of the pages. The thread of tides comes on top while
 * somebody asks: it ends two minutes after the last question (server/tides/tides.ts).
 */
const FIXED_MB = 200 + 26 + 40 + 28 + 24 + FILE_CACHE_BYTES / MIB;

/** A thread that computes the demo world, MiB. */
const DEMO_THREAD_MB = 24;

const MAX_DEMO_THREADS = 4;

/** Less, and the same chunks are read again and again. MiB. */
const MIN_CACHES_MB = 64;

/**
 * Large bodies come on top of the budget, since they come rarely: an eighth of it, within these bounds. One address has
 * less than all, and more than a body of the largest size.
 */
const BODY_SHARE = 1 / 8;
const MIN_BODIES_MB = 64;
const MAX_BODIES_MB = 128;
const OF_ADDRESS = 3 / 4;

/** Shares of the caches; the rest is for chunks. */
const STEP_SHARE = 0.2;
const FRAME_SHARE = 0.2;

/** The least that a process can do with, MiB: one demo thread each for requests and tasks. */
export const MIN_MEMORY_MB = FIXED_MB + 2 * DEMO_THREAD_MB + MIN_CACHES_MB;

/**
 * Divides the memory of a process. PostgreSQL and commands have their own.
 *
 * @param memoryMb At least `MIN_MEMORY_MB`.
 * @throws RangeError that names what does not fit.
 */
export function memoryBudget(memoryMb: number, cores: number) {
  const spare = memoryMb - FIXED_MB;
  // Threads first: the demo computes each chunk that is not in a cache. One core is left to requests by tasks.
  const affordable = Math.floor(Math.min(spare / 2, spare - MIN_CACHES_MB) / DEMO_THREAD_MB);
  const tasks = Math.max(1, Math.min(MAX_DEMO_THREADS, cores - 1, Math.floor(affordable / 2)));
  const requests = Math.max(1, Math.min(MAX_DEMO_THREADS, cores, affordable - tasks));
  const caches = spare - (requests + tasks) * DEMO_THREAD_MB;
  if (caches < MIN_CACHES_MB)
    throw new RangeError(`at least ${MIN_MEMORY_MB}: less does not hold the process and its threads`);
  const stepCache = STEP_SHARE * caches;
  const frameCache = FRAME_SHARE * caches;
  // The threads of tasks, and chunks that the demo computes beside the requested ones, come on top.
  const chunkCache = (caches - stepCache - frameCache) / ((1 + TASK_CHUNK_SHARE) * (1 + SIBLING_SHARE));
  const bodies = Math.max(MIN_BODIES_MB, Math.min(MAX_BODIES_MB, Math.floor(BODY_SHARE * memoryMb)));
  return {
    /** Large bodies from their arrival until they are answered, in all and of one address. */
    bodyBytes: { all: bodies * MIB, ofAddress: OF_ADDRESS * bodies * MIB },
    /** Decoded chunks for requests, in whole MiB; tasks have `TASK_CHUNK_SHARE` of it on top. */
    chunkCacheBytes: Math.floor(chunkCache) * MIB,
    /** Whole steps, ready to be sent. */
    stepCacheBytes: Math.floor(stepCache * MIB),
    /** Map frames that were computed on request. */
    frameCacheBytes: Math.floor(frameCache * MIB),
    /** Threads that compute the demo world. */
    demoThreads: { requests, tasks },
  };
}
