import { readdirSync, readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

/**
 * Lets whoever answers requests go before: of a command the whole process, in a thread of the server that thread alone
 * and those that it begins. It is given what the processors have left over.
 *
 * Linux keeps a priority for each thread, and its calls take a thread's number for a process's; elsewhere a thread of the
 * server stays as it is.
 *
 * @param share Of a busy processor: a tenth, for what has to end also on a machine that is never idle; or next to nothing.
 */
export function lowerPriority(share: "tenth" | "rest" = "tenth"): void {
  if (process.platform === "linux") {
    const threads = isMainThread
      ? // Those for compiling and for garbage have begun already.
        readdirSync("/proc/self/task")
      : [readlinkSync("/proc/thread-self").split("/").at(-1)!];
    for (const thread of threads) lower(Number(thread), share);
  } else if (isMainThread) lower(process.pid, share);
}

const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority;

function lower(id: number, share: "tenth" | "rest"): void {
  try {
    setPriority(id, share === "rest" ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // A thread that ended meanwhile, or a sandbox that forbids it: then work goes on as it is, a little less politely.
    if ((error as NodeJS.ErrnoException).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
