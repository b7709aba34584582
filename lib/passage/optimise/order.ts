import type { DangerDistance } from "#lib/storms/danger.ts";
import type { Limits } from "../limits.ts";
import type { Passage, Passing } from "../march.ts";
import { judgePieces } from "../verdict.ts";
import type { Objective } from "./objectives.ts";

/** What routes are compared by. */
export interface Order {
  limits: Limits;
  objective: Objective;
  /** The danger areas of the storms of a time, those near the place at least. */
  stormsAt(at: Passing): readonly DangerDistance[];
}

/** A passage as it is compared with others. Times in seconds. */
export interface Score {
  arrives: boolean;
  seconds: number;
  /** Time beyond any limit, that of storms included. */
  over: number;
  /** The time beyond the limits that the objective looks at, times how severe it is. */
  weighted: number;
}

/** An hour beyond a limit counts as so many hours of passage more, times how severe it is. */
export const OVER_COUNTS = 8;

/** From so many times a limit on, it does not become more severe. */
const MAX_RATIO = 4;

/** In the centre of a storm it is so many times a limit; at the edge of its danger area twice the limit. */
const [AT_EDGE, IN_CENTRE] = [2, 6];

/** Routes that differ by less are not worth a change, s. */
export const WORTH_S = 600;

/**
 * How severe it is beyond a limit: the square of how many times it is exceeded, as the force of wind and waves grows; 0
 * within it.
 *
 * @param ratio Value over limit.
 * @param share Of the limit that may be used.
 */
export function severityOf(ratio: number, share = 1): number {
  return ratio > share ? Math.min(MAX_RATIO, Math.max(1, ratio)) ** 2 : 0;
}

/**
 * How severe a storm is at its distance of that time: 0 from the least distance on, from 1 there to 4 at the edge of the
 * danger area, and from there to 36 in its centre.
 */
export function stormSeverity(
  storms: readonly DangerDistance[],
  { storm_km: limit }: Limits,
  share = 1,
): number {
  if (limit === null) return 0;
  const least = Math.max(1, limit);
  return storms.reduce((most, { km, radiusKm }) => {
    if (km * share >= least) return most;
    const ratio =
      km < 0
        ? AT_EDGE + (IN_CENTRE - AT_EDGE) * Math.min(1, -km / radiusKm)
        : 1 + (AT_EDGE - 1) * Math.max(0, 1 - km / least);
    return Math.max(most, ratio * ratio);
  }, 0);
}

/** @param share Of the limits that may be used; less than 1 where the passage is still to be changed. */
export function scoreOf(
  { pieces, ending, end }: Passage,
  departure: number,
  { limits, objective, stormsAt }: Order,
  share = 1,
): Score {
  const score: Score = { arrives: ending === "arrived", seconds: end.time - departure, over: 0, weighted: 0 };
  for (const { piece, measured } of judgePieces(pieces, limits)) {
    const storms = stormsAt(piece.at);
    const ratio = measured[0]?.ratio ?? 0;
    if (ratio > 1 || stormSeverity(storms, limits) > 0) score.over += piece.seconds;
    const severity = Math.max(
      stormSeverity(storms, limits, share),
      objective === "within_limits" ? severityOf(ratio, share) : 0,
    );
    score.weighted += piece.seconds * severity;
  }
  return score;
}

/**
 * The order of routes, below 0 where the first is better: one that arrives; one that stays within the limits (of `fastest`:
 * clear of storms) all the way; the shorter time, to which the weighted time beyond the limits is added eight times.
 */
export function compareScores(one: Score, other: Score): number {
  if (!one.arrives || !other.arrives) return Number(other.arrives) - Number(one.arrives);
  const keeps = Number(one.weighted > 0) - Number(other.weighted > 0);
  return keeps || costOf(one) - costOf(other);
}

/** Whether a route is so much better than another that it is worth a change. */
export function isWorthwhile(one: Score, other: Score): boolean {
  if (compareScores(one, other) >= 0) return false;
  const alike = one.arrives === other.arrives && one.weighted > 0 === other.weighted > 0;
  return !alike || costOf(other) - costOf(one) >= WORTH_S;
}

function costOf({ seconds, weighted }: Score): number {
  return seconds + OVER_COUNTS * weighted;
}
