import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import module from "node:module";
import { constants, getPriority, setPriority } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { isMainThread } from "node:worker_threads";
import { processesOf } from "./process-share.ts";

/**
 * Settings of the C library and of V8 that halve the server's memory at the same speed. They are read when a process
 * starts.
 */
const settings = {
  // With one arena per thread, each arena would retain the most that its thread ever needed. Blocks above the threshold
  // return to the system when freed. 64 KiB buffers of bodies and files are among them, because they would leave holes
  // between blocks that stay.
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072",
} as const;

/**
 * Size of a semi-space of the main thread, MiB. A heap has three, and V8's default is 32. worker-pool.ts has the sizes
 * of other threads.
 */
const YOUNG_MB = 8;

/**
 * The environment with which a process uses little memory; undefined if it has these settings already. Settings of the
 * operator take precedence.
 */
export function memoryEnvironment(
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> | undefined {
  if (Object.keys(settings).every((name) => given[name] !== undefined)) return undefined;
  // Node applies the last of two equal options, which is the operator's. Every process inherits this memory limit,
  // including the supervisor.
  const { memoryMb } = processesOf(given);
  // Objects normally take less than half of the budget. A heap that reaches the whole budget is a fault and ends only
  // this process.
  const ours = `--max-semi-space-size=${YOUNG_MB} --max-old-space-size=${memoryMb}`;
  const options = [ours, given.NODE_OPTIONS].filter(Boolean).join(" ");
  return { ...settings, ...given, NODE_OPTIONS: options };
}

/**
 * Makes this process use little memory. On Linux it executes itself again with the same process number, output and
 * arguments. Call it before anything else is loaded.
 *
 * It reads the environment itself, because validation needs a library that would have to be loaded first.
 */
export function applyMemorySettings(): void {
  const { argv, env, execArgv, execPath, platform } = process;
  const settled = memoryEnvironment(env);
  // Executing again would lose the channel to the process that forked this one.
  if (platform === "linux" && settled && process.execve && env.NODE_CHANNEL_FD === undefined) {
    process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], settled as NodeJS.ProcessEnv);
  }
  // The main thread has applied the size by now. A remaining option would override the limits of worker threads.
  setFlagsFromString("--max-semi-space-size=0");
  // Collecting 8 MiB together with other threads costs more than it saves: on busy processors the main thread would
  // also wait until those threads have run.
  setFlagsFromString("--no-parallel-scavenge");
}

/** Compiled scripts are executed from this folder, so it lies inside the installation. */
const folder = path.join(import.meta.dirname, "../../node_modules/.cache/metocean");

/**
 * Stores compiled scripts between starts, which saves a third of a command's start time and two thirds of a thread's.
 * If the folder is read-only, every start compiles. Call it before the scripts are loaded.
 */
export function enableCompileCache(): void {
  // A folder named by NODE_COMPILE_CACHE is already in use and takes precedence.
  module.enableCompileCache(folder);
  // Child processes and threads use the folder only if the environment names it.
  process.env.NODE_COMPILE_CACHE ??= folder;
}

/**
 * Writes the compiled scripts now, because a killed process does not write them. Only the first start waits for the
 * disk.
 */
export function storeCompileCache(): void {
  module.flushCompileCache();
}

/**
 * Lowers the CPU priority, so that requests are answered first. In a command this applies to the whole process; in a
 * thread of the server, to that thread and to those that it starts.
 *
 * Linux has a priority for each thread, and its calls accept thread ids. On other systems threads keep their priority.
 *
 * @param share Share of a processor while a thread of normal priority competes for it: `quarter` for work that somebody
 *   waits for, `tenth` for work that must also end on a machine that is never idle, `rest` for time that nobody else
 *   uses. A priority that is already lower stays.
 */
export function lowerPriority(share: Share = "tenth"): void {
  if (process.platform === "linux") {
    const threads = isMainThread
      ? // V8's threads for compilation and garbage collection are already running and are lowered too.
        readdirSync("/proc/self/task")
      : [readlinkSync("/proc/thread-self").split("/").at(-1)!];
    for (const thread of threads) lower(Number(thread), share);
  } else if (isMainThread) lower(process.pid, share);
}

/**
 * Gives V8's own threads of this process a quarter of a processor while the thread that answers requests competes for
 * it. They compile and mark for the heaps of all threads, including those of tasks. Linux only.
 * Call it first in the main thread, because threads that start later are not found.
 */
export function lowerV8Threads(): void {
  if (process.platform !== "linux") return;
  for (const thread of readdirSync("/proc/self/task")) {
    if (nameOf(thread) === "V8Worker") lower(Number(thread), "quarter");
  }
}

/** The name of a thread of this process, at most 15 characters; empty if it has ended. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}

type Share = keyof typeof priorities;

const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority;

/** Priorities by share. On Linux each step is a factor of about 1.25. */
const priorities = { quarter: 5, tenth: PRIORITY_BELOW_NORMAL, rest: PRIORITY_LOW };

function lower(id: number, share: Share): void {
  try {
    // A priority is never raised: with privileges this could raise one that the thread inherited.
    if (getPriority(id) < priorities[share]) setPriority(id, priorities[share]);
  } catch (error) {
    // The thread has ended or a sandbox forbids the call, so the priority stays.
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
