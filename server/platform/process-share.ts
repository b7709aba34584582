import { readFileSync } from "node:fs";
import os from "node:os";

interface ReadSettings {
  PROCESSES: string;
  MEMORY_MB?: number;
  CHUNK_CACHE_MB?: number;
  ROLE: string;
  NODE_ENV: string;
}

/** What one of the processes that answer requests has. */
interface Share {
  processes: number;
  /** Processor cores, at least one. */
  cores: number;
  /** Of its caches and threads. */
  memory: MemoryBudget;
}

/** How many processes answer requests, and what one of them may use. @throws RangeError */
export function processShareOf(read: ReadSettings): Share {
  const { count, memoryMb } = processesOf({ ...read, MEMORY_MB: read.MEMORY_MB?.toString() });
  if (count > 1 && memoryMb < MIN_MEMORY_MB) {
    throw new RangeError(
      `at least ${count * MIN_MEMORY_MB + SUPERVISOR_MB} for ${count} processes, which divide it`,
    );
  }
  const cores = Math.max(1, Math.floor(os.availableParallelism() / count));
  const chunkCacheMb = read.CHUNK_CACHE_MB && Math.max(1, Math.floor(read.CHUNK_CACHE_MB / count));
  return { processes: count, cores, memory: memoryBudget(memoryMb, cores, chunkCacheMb) };
}

interface ConnectionSettings {
  MAX_CONNECTIONS: number;
  MAX_CONNECTIONS_PER_ADDRESS?: number | "off";
  TRUSTED_PROXIES: number;
}

/** Connections of one of several processes: together they have what is allowed. */
export function connectionShareOf(read: ConnectionSettings, processes: number) {
  const descriptors = maxDescriptors();
  const all = Math.min(Math.ceil(read.MAX_CONNECTIONS / processes), maxConnectionsOf(descriptors));
  // All connections come from the address of the proxy.
  const unset = read.TRUSTED_PROXIES > 0 ? all : Math.ceil(all / 4);
  const given = read.MAX_CONNECTIONS_PER_ADDRESS;
  const ofAddress = given === undefined ? unset : given === "off" ? all : Math.ceil(given / processes);
  return {
    all,
    ofAddress: Math.min(all, ofAddress),
    refusedAtOnce: refusedAtOnceOf(descriptors, all),
  };
}

/** The default of MEMORY_MB for one process. */
const DEFAULT_MEMORY_MB = 512;

/** What the process takes that supervises others, MiB. */
const SUPERVISOR_MB = 64;

/** Part of the machine's memory that `auto` uses where MEMORY_MB does not say how much. */
const MACHINE_PART = 0.5;

/** The settings that it depends on, as they are given. */
type ProcessSettings = Readonly<Partial<Record<"PROCESSES" | "MEMORY_MB" | "ROLE" | "NODE_ENV", string>>>;

/** Processor cores, and memory in MiB. */
interface Machine {
  cores: number;
  memoryMb: number;
}

/** How many processes answer requests, and the budget of each, MiB. */
interface ProcessCount {
  count: number;
  memoryMb: number;
}

/**
 * Divides the machine. Only requests are divided: a process that computes tasks or fetches feeds alone is one, and so is one
 * whose pages are edited. Values of the wrong form count as unset: they are reported where the environment is validated.
 */
export function processesOf(given: ProcessSettings, machine: Machine = thisMachine()): ProcessCount {
  const budget = /^\d{3,7}$/.test(given.MEMORY_MB ?? "") ? Number(given.MEMORY_MB) : undefined;
  const answers = !given.ROLE || given.ROLE === "all" || given.ROLE === "web";
  const count = answers && given.NODE_ENV !== "development" ? countOf(given.PROCESSES, budget, machine) : 1;
  if (count === 1) return { count, memoryMb: budget ?? DEFAULT_MEMORY_MB };
  const all = budget ?? count * DEFAULT_MEMORY_MB;
  return { count, memoryMb: Math.floor((all - SUPERVISOR_MB) / count) };
}

function countOf(text: string | undefined, budget: number | undefined, machine: Machine): number {
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

function thisMachine(): Machine {
  // What a container may use, where it is one; otherwise 0 or more than there is.
  const bytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, os.totalmem());
  return { cores: os.availableParallelism(), memoryMb: bytes / 2 ** 20 };
}

/** What a process of the server may use, and how it is divided. Everything in MiB but the caches. */
export interface MemoryBudget {
  /** Decoded chunks of the archive for requests; tasks have `TASK_CHUNK_SHARE` of it on top. */
  chunkCacheBytes: number;
  /** Whole steps, ready to be sent. */
  stepCacheBytes: number;
  /** Map frames that were computed on request. */
  frameCacheBytes: number;
  /** Large bodies from their arrival until they are answered, in all and of one address. */
  bodyBytes: { all: number; ofAddress: number };
  /** Threads that compute the demo world, for requests and for tasks. */
  demoThreads: { requests: number; tasks: number };
  /** What each part was given; the sum is at most the budget. */
  parts: Readonly<Record<string, number>>;
}

/** Memory of the thread of tasks for decoded chunks, against that of requests: it reads each slice of its points once. */
export const TASK_CHUNK_SHARE = 0.25;

/** Memory of the demo for chunks computed together with the requested ones, against decoded chunks; cells included. */
const SIBLING_SHARE = 0.3125;

const MIB = 2 ** 20;

/** Pages that were made, with their compressed forms. */
export const PAGE_CACHE_BYTES = 8 * MIB;

/** Files of the pages: room for all that they ask for, in every encoding. */
export const FILE_CACHE_BYTES = 16 * MIB;

/**
 * What parts take whose size cannot be chosen, MiB, measured under `npm run lab -- soak`: code, JavaScript objects of the main
 * thread with Next, and the C library's; the land, depths and tides of the demo; a thread that computes tasks, one that
 * reads storms, one that reads large bodies; answers in flight; pages and their files.
 */
const FIXED = {
  process: 200,
  demoWorld: 26,
  taskThread: 40,
  stormThread: 28,
  answers: 24,
  pages: PAGE_CACHE_BYTES / MIB,
  files: FILE_CACHE_BYTES / MIB,
};

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
export const MIN_MEMORY_MB = sum(FIXED) + 2 * DEMO_THREAD_MB + MIN_CACHES_MB;

/**
 * Divides the memory of a process. PostgreSQL and commands have their own.
 *
 * @param memoryMb At least `MIN_MEMORY_MB`.
 * @param chunkCacheMb An operator's own size of the chunk cache, in place of its share.
 * @throws RangeError that names what does not fit.
 */
export function memoryBudget(memoryMb: number, cores: number, chunkCacheMb?: number): MemoryBudget {
  const spare = memoryMb - sum(FIXED);
  // Threads first: the demo computes each chunk that is not in a cache. One core is left to requests by tasks.
  const affordable = Math.floor(Math.min(spare / 2, spare - MIN_CACHES_MB) / DEMO_THREAD_MB);
  const tasks = Math.max(1, Math.min(MAX_DEMO_THREADS, cores - 1, Math.floor(affordable / 2)));
  const requests = Math.max(1, Math.min(MAX_DEMO_THREADS, cores, affordable - tasks));
  const caches = spare - (requests + tasks) * DEMO_THREAD_MB;
  const stepCache = STEP_SHARE * caches;
  const frameCache = FRAME_SHARE * caches;
  const perChunkMb = (1 + TASK_CHUNK_SHARE) * (1 + SIBLING_SHARE);
  const chunkCache = chunkCacheMb ?? (caches - stepCache - frameCache) / perChunkMb;
  const parts = {
    ...FIXED,
    demoThreads: (requests + tasks) * DEMO_THREAD_MB,
    stepCache,
    frameCache,
    chunkCaches: chunkCache * perChunkMb,
  };
  if (caches < MIN_CACHES_MB)
    throw new RangeError(`at least ${MIN_MEMORY_MB}: less does not hold the process and its threads`);
  if (sum(parts) > memoryMb + 1e-6) {
    const room = Math.floor((caches - stepCache - frameCache) / perChunkMb);
    throw new RangeError(
      `more than ${memoryMb}, or CHUNK_CACHE_MB at most ${room}: chunks for requests and tasks would take ${Math.ceil(parts.chunkCaches)} MiB`,
    );
  }
  const bodies = Math.max(MIN_BODIES_MB, Math.min(MAX_BODIES_MB, Math.floor(BODY_SHARE * memoryMb)));
  return {
    bodyBytes: { all: bodies * MIB, ofAddress: OF_ADDRESS * bodies * MIB },
    // Whole MiB, so that shares of it are whole numbers of bytes.
    chunkCacheBytes: Math.floor(chunkCache) * MIB,
    stepCacheBytes: Math.floor(stepCache * MIB),
    frameCacheBytes: Math.floor(frameCache * MIB),
    demoThreads: { requests, tasks },
    parts,
  };
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0);
}

/** Descriptors for files, threads, the database and what else is no client's connection. */
const RESERVED = 256;

/** Most files and sockets that this process may have open, after Node has raised it at its start; undefined off Linux. */
export function maxDescriptors(): number | undefined {
  try {
    return openFilesOf(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return undefined;
  }
}

/** @param limits The text of Linux's /proc/self/limits. */
export function openFilesOf(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/**
 * How many connections can be open so that files can still be opened: of 1,024 descriptors 768. Never less than half of
 * the descriptors.
 */
export function maxConnectionsOf(descriptors: number | undefined): number {
  if (descriptors === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(descriptors - RESERVED, Math.floor(descriptors / 2));
}

/** Refused connections that are answered at the same time where descriptors are few; what is reserved has room for them. */
const MIN_REFUSED_AT_ONCE = 64;
const MAX_REFUSED_AT_ONCE = 2048;

/**
 * How many refused connections can be told why at the same time: each has a descriptor until its client has read it.
 *
 * @param connections That can be open.
 */
export function refusedAtOnceOf(descriptors: number | undefined, connections: number): number {
  const left = (descriptors ?? Number.POSITIVE_INFINITY) - RESERVED - connections;
  return Math.min(MAX_REFUSED_AT_ONCE, Math.max(MIN_REFUSED_AT_ONCE, left));
}
