import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import { fromKnots } from "#lib/knots.ts";
import type { SeriesRow } from "./use-conditions.ts";

/** What one run says of a place. */
export interface RunSeries {
  /** Base time, Unix seconds. */
  run: number;
  rows: readonly SeriesRow[];
}

/** Up to this difference runs agree, in the unit of the API: it changes no plan. */
const tolerances: Partial<Record<DrawnVariable, number>> = {
  wind: fromKnots(3),
  wave: 0.5,
  current: fromKnots(0.3),
};

/** How far some runs agree. Differences in the unit of the API, times in Unix seconds. */
export interface Spread {
  /** Runs that have the quantity. */
  count: number;
  /** The largest difference between two of them, and when it is. */
  most: number;
  at: number;
  /** They agree until this time, the end where they always do; undefined where they do not from the start. */
  until: number | undefined;
  /** The largest difference until then. */
  within: number;
  /** They agree to the end. */
  isWhole: boolean;
}

/**
 * How far runs agree about a quantity, at the times that at least two of them have.
 *
 * @returns undefined where fewer than two runs have it.
 */
export function spreadOf(runs: readonly RunSeries[], name: DrawnVariable): Spread | undefined {
  const tolerance = tolerances[name];
  const { point } = paintedOutput(name);
  const values = new Map<number, number[]>();
  let count = 0;
  for (const { rows } of runs) {
    let has = false;
    for (const { time, conditions } of rows) {
      const value = conditions[point];
      if (typeof value !== "number") continue;
      has = true;
      const known = values.get(time);
      if (known) known.push(value);
      else values.set(time, [value]);
    }
    if (has) count++;
  }
  const differences = [...values]
    .filter(([, known]) => known.length > 1)
    .map(([time, known]) => ({ time, difference: Math.max(...known) - Math.min(...known) }))
    .sort((one, other) => one.time - other.time);
  const [first] = differences;
  if (!first || tolerance === undefined) return undefined;
  const most = differences.reduce((one, other) => (other.difference > one.difference ? other : one), first);
  const parted = differences.findIndex(({ difference }) => difference > tolerance);
  const agreed = parted < 0 ? differences : differences.slice(0, parted);
  return {
    count,
    most: most.difference,
    at: most.time,
    until: agreed.at(-1)?.time,
    within: Math.max(0, ...agreed.map(({ difference }) => difference)),
    isWhole: parted < 0,
  };
}
