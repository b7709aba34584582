import type { Output } from "#lib/catalog/variables.ts";
import type { Distribution, EnsembleRequest } from "#lib/contract/ensemble.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";
import { countOver, momentsOf, percentileOf, sortMembers } from "./statistics.ts";

/** The numbers of a distribution that a request asks for. */
export type Asked = Pick<EnsembleRequest, "percentiles" | "thresholds" | "members">;

/** The members that stand behind a distribution. */
export interface Members {
  /** Position of the control; undefined if the run lacks it. */
  control?: number;
  /** Position in `meta.members` of each member. */
  places: readonly number[];
  /** Length of `meta.members`. */
  all: number;
}

/** Shares are rounded to this many decimals of a per cent, which is finer than one of a thousand members. */
const PERCENT_DECIMALS = 1;

/** Scratch memory for the sorted members of one point. */
let sorted = new Float64Array(64);

/**
 * The distribution of a speed or a value over members.
 *
 * @param values One value a member in the unit of the output, NaN = missing.
 * @returns null if no member has a value.
 */
export function distributionOf(
  { point, decimals }: Output,
  values: Float64Array,
  members: Members,
  { percentiles, thresholds, members: all }: Asked,
): Distribution | null {
  if (sorted.length < values.length) sorted = new Float64Array(values.length);
  const count = sortMembers(values, sorted);
  if (count === 0) return null;
  const { mean, spread } = momentsOf(sorted, count);
  const limits = thresholds.filter(({ output }) => output === point);
  return {
    members: count,
    control: members.control === undefined ? null : rounded(values[members.control]!, decimals),
    mean: rounded(mean, decimals),
    spread: rounded(spread, decimals),
    percentiles: percentiles.map((percentile) => rounded(percentileOf(sorted, count, percentile), decimals)),
    ...(limits.length > 0 && {
      over: limits.map(({ over }) => {
        const greater = countOver(sorted, count, over);
        return { over, members: greater, percent: rounded((100 * greater) / count, PERCENT_DECIMALS) };
      }),
    }),
    ...(all && { values: listed(members, (member) => rounded(values[member]!, decimals)) }),
  };
}

/**
 * The directions of members: the mean is the direction of the sum of their vectors, and there are no percentiles. A member
 * in a calm has no direction.
 *
 * @param east Eastward components, one a member, NaN = missing; of waves the components of unit vectors that point to where
 * they come from. @param north Northward components.
 * @param magnitude Speed of the vectors, or height of the waves.
 * @returns null if no member has a direction.
 */
export function directionOf(
  { is }: Output,
  east: Float64Array,
  north: Float64Array,
  magnitude: Float64Array,
  members: Members,
  { members: all }: Asked,
): Distribution | null {
  const bearing = is === "bearingFrom" ? bearingFrom : bearingTo;
  const hasDirection = (member: number) =>
    Math.abs(rounded(magnitude[member]!, 2) ?? 0) > 0 && !Number.isNaN(east[member]! + north[member]!);
  const directionAt = (member: number) =>
    hasDirection(member) ? roundedBearing(bearing(east[member]!, north[member]!)) : null;
  let [count, sumEast, sumNorth] = [0, 0, 0];
  for (let member = 0; member < east.length; member++) {
    if (!hasDirection(member)) continue;
    count++;
    sumEast += east[member]!;
    sumNorth += north[member]!;
  }
  if (count === 0) return null;
  return {
    members: count,
    control: members.control === undefined ? null : directionAt(members.control),
    mean: roundedBearing(bearing(sumEast, sumNorth)),
    ...(all && { values: listed(members, directionAt) }),
  };
}

/** Values in the order of `meta.members`, null for members that the run lacks. */
function listed({ places, all }: Members, at: (member: number) => number | null): (number | null)[] {
  const values = new Array<number | null>(all).fill(null);
  for (const [member, place] of places.entries()) values[place] = at(member);
  return values;
}
