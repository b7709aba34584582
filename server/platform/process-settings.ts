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
  // One arena for each thread would retain what each thread once needed. Large blocks return to the system when freed:
  // those of 64 KiB too, in which bodies and files are read, and which would leave holes between what stays.
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072",
} as const;

/** Size of a semi-space of the main thread, MiB. It has three; V8's default is 32. Others: see worker-pool.ts. */
const YOUNG_MB = 8;

/**
 * The environment with which a process uses little memory; undefined if it has these settings already. Settings of the
 * operator take precedence.
 */
export function memoryEnvironment(
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> | undefined {
  if (Object.keys(settings).every((name) => given[name] !== undefined)) return undefined;
  // Node takes the last of two equal options, which is the operator's.
  // Each of several processes gets this memory, and so does the supervisor, whose environment they inherit.
  const { memoryMb } = processesOf(given);
  // Objects have less than half of the budget: a heap as large as all of it is a fault, and ends this process alone.
  const ours = `--max-semi-space-size=${YOUNG_MB} --max-old-space-size=${memoryMb}`;
  const options = [ours, given.NODE_OPTIONS].filter(Boolean).join(" ");
  return { ...settings, ...given, NODE_OPTIONS: options };
}

/**
 * Makes this process use little memory. On Linux it executes itself again, with the same number, output and arguments. Call
 * it before anything else is loaded; what it needs itself is next to nothing.
 *
 * It reads the environment itself, because validating it requires a library.
 */
export function applyMemorySettings(): void {
  const { argv, env, execArgv, execPath, platform } = process;
  const settled = memoryEnvironment(env);
  // The channel to a process that forked this one would be lost.
  if (platform === "linux" && settled && process.execve && env.NODE_CHANNEL_FD === undefined) {
    process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], settled as NodeJS.ProcessEnv);
  }
  // This thread has taken its size. The option would overrule the limits of worker threads.
  setFlagsFromString("--max-semi-space-size=0");
  // Sharing the collection of 8 MiB with other threads costs more than it saves: where the processors are busy, this thread
  // also waits until those threads have run.
  setFlagsFromString("--no-parallel-scavenge");
}

/** Scripts are executed from it, so that it lies in the installation's own folder. */
const folder = path.join(import.meta.dirname, "../../node_modules/.cache/metocean");

/**
 * Stores compiled scripts between starts, which saves a third of a command's start time, and two thirds of a thread's. Where
 * its folder is read-only, every start compiles.
 *
 * Call it before the scripts are loaded.
 */
export function enableCompileCache(): void {
  // A folder named by NODE_COMPILE_CACHE is already in use and takes precedence.
  module.enableCompileCache(folder);
  // Threads and processes that this one starts compile by themselves unless their environment names the folder.
  process.env.NODE_COMPILE_CACHE ??= folder;
}

/** Writes what was compiled so far: a process that is killed does not. Waits for the disk at the first start only. */
export function storeCompileCache(): void {
  module.flushCompileCache();
}

/**
 * Lowers the CPU priority, so that requests are answered first: of the whole process in a command; in a thread of the
 * server, of that thread and of those that it starts.
 *
 * Linux has a priority for each thread, and its calls accept thread ids; on other systems threads keep their priority.
 *
 * @param share Share of a processor while a thread of normal priority competes for it: a quarter, for work that somebody
 *   waits for; a tenth, for work that must also end on a machine that is never idle; or what nobody else uses. A priority
 *   that is lower already stays.
 */
export function lowerPriority(share: Share = "tenth"): void {
  if (process.platform === "linux") {
    const threads = isMainThread
      ? // V8's threads for compilation and garbage collection are running already.
        readdirSync("/proc/self/task")
      : [readlinkSync("/proc/thread-self").split("/").at(-1)!];
    for (const thread of threads) lower(Number(thread), share);
  } else if (isMainThread) lower(process.pid, share);
}

/**
 * Gives V8's own threads of this process a quarter of a processor while the thread that answers requests competes for it.
 * They compile and mark for the heaps of all threads, those of tasks too.
 * Call it in the main thread before it does anything: threads that start later are not found. Linux only.
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

/** Each step of one is a factor of 1.25 on Linux. */
const priorities = { quarter: 5, tenth: PRIORITY_BELOW_NORMAL, rest: PRIORITY_LOW };

function lower(id: number, share: Share): void {
  try {
    // Never raised: a process with privileges could raise the priority that a thread inherited.
    if (getPriority(id) < priorities[share]) setPriority(id, priorities[share]);
  } catch (error) {
    // The thread has ended, or a sandbox forbids the call: the priority stays.
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
