import { availableParallelism } from "node:os";
import { monotonicMs } from "#server/platform/clock.ts";
import type { Metrics } from "#server/platform/metrics.ts";
import { Lane } from "./lane.ts";

/** Lanes of the requests that compute. */
export interface Admission {
  /** Answers that take milliseconds. */
  small: Lane;
  large: Lane;
  /** Map frames that were not stored with their run. */
  frames: Lane;
}

/** Largest answer of the small lane, bytes. */
const MAX_SMALL_BYTES = 64 * 1024;

/**
 * @param cores Large answers are computed on the thread that answers requests, and by the threads of the demo world: a few
 *   at the same time, so that each of them ends soon.
 * @param elapsed Monotonic clock, milliseconds.
 */
export function openAdmission(cores = availableParallelism(), elapsed = monotonicMs): Admission {
  const running = Math.max(2, Math.min(4, cores));
  const unmeasured = { bytes: Number.POSITIVE_INFINITY, bytesOfOwner: Number.POSITIVE_INFINITY };
  return {
    small: new Lane(
      {
        running: 64,
        runningOfOwner: 48,
        waiting: 1024,
        waitingOfOwner: 512,
        waitMs: 10_000,
        runMs: 30_000,
        expected: { ms: 2, size: 1 },
        ...unmeasured,
      },
      elapsed,
    ),
    large: new Lane(
      {
        running,
        runningOfOwner: running - 1,
        waiting: 64,
        waitingOfOwner: 32,
        waitMs: 25_000,
        runMs: 90_000,
        bytes: 128 * 2 ** 20,
        bytesOfOwner: 64 * 2 ** 20,
        // Scattered places of the demo world on two cores; a stored archive is many times faster.
        expected: { ms: 3_000, size: 7 * 2 ** 20 },
      },
      elapsed,
    ),
    frames: new Lane(
      {
        running: 2 * running,
        runningOfOwner: 2 * running - 1,
        waiting: 512,
        waitingOfOwner: 128,
        waitMs: 20_000,
        runMs: 30_000,
        expected: { ms: 20, size: 1 },
        ...unmeasured,
      },
      elapsed,
    ),
  };
}

/** Whether an answer belongs to the large lane. @param bytes Its memory, about. */
export function isLarge(bytes: number): boolean {
  return bytes > MAX_SMALL_BYTES;
}

/** Adds what is running, waiting and refused in each lane to the metrics. */
export function observeAdmission(admission: Admission, metrics: Pick<Metrics, "gauge">): void {
  for (const [name, lane] of Object.entries(admission) as [keyof Admission, Lane][]) {
    const gauge = (what: string, help: string, read: () => number) =>
      metrics.gauge(`admission_${name}_${what}`, help, read);
    gauge("running", "Computations that run now", () => lane.running);
    gauge("waiting", "Requests that wait for a computation", () => lane.waiting);
    gauge("shed", "Requests that were refused because of overload since the start", () => lane.shed);
  }
  metrics.gauge(
    "admission_large_bytes",
    "Estimated memory of large answers being computed or sent",
    () => admission.large.bytes,
  );
}
