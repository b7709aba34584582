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
 * The first reaches to the base time of the next cycle: it alone is retained when newer cycles have replaced the rest.
 *
 * @param every Seconds from one cycle to the next.
 */
export function segmentsOf(parts: readonly Part[], every: number): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  while (from < parts.length) {
    const before = parts[from - 1];
    const times = before ? [before.times.at(-1)!] : [];
    let to = from;
    do {
      times.push(...parts[to]!.times);
      to++;
    } while (to < parts.length && belongs(parts[to]!, times, before === undefined, every));
    segments.push({ from, to, times });
    from = to;
  }
  return segments;
}

function belongs(part: Part, times: readonly number[], isFirst: boolean, every: number): boolean {
  return isFirst ? part.times.at(-1)! <= part.cycle + every : times.length <= NEW_STEPS;
}
