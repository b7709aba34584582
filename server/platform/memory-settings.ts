import { setFlagsFromString } from "node:v8";
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
  // Of two equal options the last one counts: the operator's.
  // Of several processes each has this, the one that supervises them too, from which they have their environment.
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
