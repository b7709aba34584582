import type { Part } from "./field-feed.ts";

/** Steps that a later segment adds to those before it. */
const NEW_STEPS = 15;

/** Consecutive parts of a cycle that are published as one run. */
export interface Segment {
  /** Positions of its parts in the cycle's list: `from` … `to` − 1. */
  from: number;
  to: number;
  /** The last time of the segment before, so that every time between two steps is bracketed in one run; then its own. */
  times: number[];
}

/**
 * Cuts a cycle into segments.
 *
 * The first reaches to the first step of the next cycle that has a base time: it alone is retained when newer cycles have
 * replaced the rest. One step more, because what is a mean over a window begins with the second step of a cycle.
 *
 * @param every Seconds from one cycle to the next.
 * @param begin Position of the first part that is not there already.
 */
export function segmentsOf(parts: readonly Part[], every: number, begin = 0): Segment[] {
  const segments: Segment[] = [];
  let from = begin;
  while (from < parts.length) {
    const before = parts[from - 1];
    const times = before ? [before.times.at(-1)!] : [];
    let to = from;
    do {
      times.push(...parts[to]!.times);
      to++;
    } while (
      to < parts.length &&
      (before ? times.length <= NEW_STEPS : times.at(-1)! <= parts[0]!.cycle + every)
    );
    segments.push({ from, to, times });
    from = to;
  }
  return segments;
}
