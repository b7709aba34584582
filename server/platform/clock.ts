/** A source of the current time, passed to everything below the entry points. */
export interface Clock {
  /** Unix seconds. */
  now(): number;
}

/** The machine's clock: rate limits, leases, expiry of keys, created_at. Unix seconds with milliseconds as fraction. */
export const realClock: Clock = { now: () => Date.now() / 1000 };

/**
 * The weather clock: time window, choice of dataset, age of data.
 *
 * @param frozenAt Unix seconds at which it stands still, for replays, demos and tests. By default it follows the
 *   machine's clock.
 * @returns A clock of whole seconds.
 */
export function weatherClock(frozenAt?: number): Clock {
  if (frozenAt === undefined) return { now: () => Math.floor(Date.now() / 1000) };
  return { now: () => frozenAt };
}

/** Monotonic milliseconds, for durations only: it has no date and never jumps. */
export function monotonicMs(): number {
  return performance.now();
}
