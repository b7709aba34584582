import { parentPort } from "node:worker_threads";
import { monotonicMs } from "#server/platform/clock.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import type { FromThread, ToThread } from "./work-thread.ts";

/** Progress is told this often at most. */
const TELL_EVERY_MS = 200;

/**
 * The thread's side of `workThread`: computes what it is asked for, several jobs by turns.
 *
 * @param work Stops soon after its signal aborts.
 */
export function serveWork<Job>(
  work: (job: Job, signal: AbortSignal, progress: (share: number) => void) => Promise<unknown>,
): void {
  const port = parentPort;
  if (!port) throw new Error("There is no thread to serve: this module is for a worker");
  const running = new Map<number, AbortController>();

  const compute = async (id: number, job: Job, signal: AbortSignal) => {
    let told = Number.NEGATIVE_INFINITY;
    const progress = (share: number) => {
      if (monotonicMs() - told < TELL_EVERY_MS) return;
      told = monotonicMs();
      port.postMessage({ id, progress: share } satisfies FromThread);
    };
    try {
      port.postMessage({ id, made: await work(job, signal, progress) } satisfies FromThread);
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      const known = error instanceof ProcessingError;
      port.postMessage({ id, failed: { known, message, stack } } satisfies FromThread);
    } finally {
      running.delete(id);
    }
  };

  port.on("message", (message: ToThread) => {
    if ("stop" in message) running.get(message.id)?.abort(new Error("The task was stopped"));
    else {
      const stop = new AbortController();
      running.set(message.id, stop);
      void compute(message.id, message.job as Job, stop.signal);
    }
  });
}
