import { availableParallelism } from "node:os";
import { monotonicMs } from "#server/platform/clock.ts";
import type { Metrics } from "#server/platform/metrics.ts";
import { Queue, type QueueLimits } from "./queue.ts";

/** Queues of computations whose clients wait. */
export interface Queues {
  /** Answers of up to `MAX_SMALL_BYTES`, which take milliseconds and never wait behind large ones. */
  small: Queue;
  large: Queue;
  /** Map frames that were not stored with their run. */
  frames: Queue;
  /** Large bodies, which a thread reads one after another. */
  bodies: Queue;
  /** Tides, which a thread predicts one after another. */
  tides: Queue;
}

/**
 * @param cores Number of processor cores of this process.
 * @param elapsed Monotonic clock, milliseconds.
 */
export function openQueues(
  answerSeconds: number,
  cores = availableParallelism(),
  elapsed = monotonicMs,
): Queues {
  const atOnce = Math.max(2, Math.min(4, cores));
  const queue = (limits: Omit<QueueLimits, "answerSeconds">) =>
    new Queue({ ...limits, answerSeconds }, elapsed);
  return {
    small: queue({ running: 64, runningOfOwner: 48, waiting: 1024, waitingOfOwner: 512 }),
    large: queue({
      running: atOnce,
      runningOfOwner: atOnce - 1,
      waiting: 64,
      waitingOfOwner: 32,
      bytes: 128 * 2 ** 20,
      bytesOfOwner: 64 * 2 ** 20,
    }),
    frames: queue({ running: 2 * atOnce, runningOfOwner: 2 * atOnce - 1, waiting: 512, waitingOfOwner: 128 }),
    bodies: queue({ running: 1, runningOfOwner: 1, waiting: 64, waitingOfOwner: 32 }),
    tides: queue({ running: 1, runningOfOwner: 1, waiting: 64, waitingOfOwner: 16 }),
  };
}

/** Adds to the metrics how many computations run, wait and were refused in each queue. */
export function observeQueues(queues: Queues, metrics: Pick<Metrics, "gauge">): void {
  for (const [name, queue] of Object.entries(queues) as [keyof Queues, Queue][]) {
    const gauge = (what: string, help: string, read: () => number) =>
      metrics.gauge(`admission_${name}_${what}`, help, read);
    gauge("running", "Running computations", () => queue.running);
    gauge("waiting", "Requests that wait for a computation", () => queue.waiting);
    gauge("shed", "Requests refused because of overload, since the start", () => queue.shed);
    if (queue.limits.bytes)
      gauge("bytes", "Estimated memory of answers that are computed or sent, bytes", () => queue.bytes);
  }
}
