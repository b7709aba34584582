import { availableParallelism } from "node:os";
import { monotonicMs } from "#server/platform/clock.ts";
import type { Metrics } from "#server/platform/metrics.ts";
import { Activity } from "./activity.ts";
import { Lane } from "./lane.ts";

/** Lanes of the requests that compute. In each an answer comes within the same time from its arrival, or is refused. */
export interface Admission {
  /** Answers that take milliseconds. */
  small: Lane;
  /** Answers that take a fraction of a second. */
  medium: Lane;
  large: Lane;
  /** Searches for better routes at once: work that does not grow with the answer. */
  searches: Lane;
  /** Map frames that were not stored with their run. */
  frames: Lane;
}

/** Largest answers of the small and of the medium lane, bytes. */
const MAX_SMALL_BYTES = 64 * 1024;
const MAX_MEDIUM_BYTES = 2 ** 20;

/** Memory of a search, about: points of isochrones, and two plans. */
export const SEARCH_BYTES = 20_000_000;

/**
 * @param answerSeconds Within which an answer comes from the arrival of its request, or is refused.
 * @param cores Of this process. A large answer takes two: for the thread that answers requests, and for the threads of the
 *   demo world. On fewer, two side by side would both be late.
 * @param elapsed Monotonic clock, milliseconds.
 */
export function openAdmission(
  answerSeconds: number,
  cores = availableParallelism(),
  elapsed = monotonicMs,
): Admission {
  const running = Math.max(2, Math.min(4, cores));
  const runningLarge = Math.max(1, Math.min(4, Math.floor(cores / 2)));
  const common = { answerSeconds, stops: true };
  const activity = new Activity();
  const unmeasured = { bytes: Number.POSITIVE_INFINITY, bytesOfOwner: Number.POSITIVE_INFINITY };
  return {
    small: new Lane(
      {
        ...common,
        stops: false,
        running: 64,
        runningOfOwner: 48,
        waiting: 1024,
        waitingOfOwner: 512,
        expected: { ms: 2, size: 1 },
        ...unmeasured,
      },
      elapsed,
      activity,
    ),
    medium: new Lane(
      {
        ...common,
        running: running + 1,
        runningOfOwner: running,
        waiting: 128,
        waitingOfOwner: 64,
        bytes: 32 * 2 ** 20,
        bytesOfOwner: 16 * 2 ** 20,
        expected: { ms: 200, size: MAX_MEDIUM_BYTES },
      },
      elapsed,
      activity,
    ),
    large: new Lane(
      {
        ...common,
        running: runningLarge,
        runningOfOwner: Math.max(1, runningLarge - 1),
        waiting: 64,
        waitingOfOwner: 32,
        bytes: 128 * 2 ** 20,
        bytesOfOwner: 64 * 2 ** 20,
        // Scattered places of the demo world on two cores; a stored archive is many times faster.
        expected: { ms: 3_000, size: 7 * 2 ** 20 },
        expectedOf: { "2DMetOcean": { ms: 1_000, size: 8 * 2 ** 20 } },
      },
      elapsed,
      activity,
    ),
    searches: new Lane(
      {
        ...common,
        running: 2,
        runningOfOwner: 1,
        waiting: 16,
        waitingOfOwner: 8,
        bytes: 4 * SEARCH_BYTES,
        bytesOfOwner: 2 * SEARCH_BYTES,
        expected: { ms: 1_000, size: SEARCH_BYTES },
      },
      elapsed,
      activity,
    ),
    frames: new Lane(
      {
        ...common,
        running: 2 * running,
        runningOfOwner: 2 * running - 1,
        waiting: 512,
        waitingOfOwner: 128,
        expected: { ms: 20, size: 1 },
        ...unmeasured,
      },
      elapsed,
      activity,
    ),
  };
}

/** The lane of an answer. @param bytes Its memory, about. */
export function laneOf(bytes: number): "small" | "medium" | "large" {
  if (bytes <= MAX_SMALL_BYTES) return "small";
  return bytes <= MAX_MEDIUM_BYTES ? "medium" : "large";
}

/** Adds what is running, waiting and refused in each lane to the metrics. */
export function observeAdmission(admission: Admission, metrics: Pick<Metrics, "gauge">): void {
  for (const [name, lane] of Object.entries(admission) as [keyof Admission, Lane][]) {
    const gauge = (what: string, help: string, read: () => number) =>
      metrics.gauge(`admission_${name}_${what}`, help, read);
    gauge("running", "Computations that run now", () => lane.running);
    gauge("waiting", "Requests that wait for a computation", () => lane.waiting);
    gauge("shed", "Requests that were refused because of overload since the start", () => lane.shed);
    if (Number.isFinite(lane.limits.bytes))
      gauge("bytes", "Estimated memory of answers being computed or sent", () => lane.bytes);
  }
}
