import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

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
