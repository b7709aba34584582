import { sameGrid } from "#lib/field/grid.ts";
import type { Run } from "./run.ts";

/**
 * Whether a run replaces another of its dataset, source, reference time and grid: one that begins with the same step, or
 * whose steps lie within its own span.
 *
 * A cycle that still grows is a sequence of runs, each of which begins with the last step of the one before: its segments.
 * A longer form of a segment replaces the shorter one, the whole cycle replaces all of them, and two segments, which share
 * one step, leave each other alone.
 */
export function replaces(run: Run, other: Run): boolean {
  if (run.dataset !== other.dataset || run.source !== other.source) return false;
  if (run.referenceTime !== other.referenceTime || !sameGrid(run.grid, other.grid)) return false;
  return other.times[0] === run.times[0] || (other.times[0]! > run.times[0]! && lastOf(other) <= lastOf(run));
}

function lastOf({ times }: Run): number {
  return times[times.length - 1]!;
}
