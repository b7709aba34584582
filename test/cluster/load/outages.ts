import type { Failure } from "./callers.ts";

/** A replica that was killed. Times are milliseconds of `performance.now()`. */
export interface Kill {
  name: string;
  /** Whether it answers requests. */
  answers: boolean;
  /** Before the signal, and after the process was gone. */
  from: number;
  to: number;
}

/**
 * Whether a request was in flight on a replica when that was killed. On a connection that was used before, haproxy closes it
 * without an answer, so that the replica is not known.
 */
export function inFlightAt(kills: readonly Kill[]): (failure: Failure) => boolean {
  return ({ from, to, servedBy }) =>
    kills.some(
      (kill) =>
        (kill.name === servedBy || (servedBy === undefined && kill.answers)) &&
        from <= kill.to &&
        to >= kill.from,
    );
}
