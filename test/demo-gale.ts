import type { PointRequest } from "#lib/contract/point.ts";
import { toKnots } from "#lib/knots.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import { answerPoints } from "#server/metocean/points.ts";

/** A place of the demo world, and a time from which on it is calm there for more than a day, with a gale after it. */
export const GALE_PLACE = { latitude: 52, longitude: -20 };
export const BEFORE_GALE = parseInstant("2026-12-31T22:00:00Z");

/** The gusts of that place as POST /MetOcean has them, knots at 10 m, one for each time (Unix seconds). */
export async function demoGusts(
  archive: PointSource,
  times: readonly number[],
  now: number,
): Promise<number[]> {
  const request: PointRequest = {
    points: times.map((time) => ({ ...GALE_PLACE, timestamp: formatInstant(time) })),
    variables: ["gust"],
    wind_height: 10,
    receive_mail: false,
    include_meta: false,
  };
  const { results } = await answerPoints(archive, request, now, new AbortController().signal);
  return results.map(({ conditions }) => toKnots(conditions.Gust_10m!));
}

/** So many hours, from the one before the gale on. */
export function hoursBeforeGale(count: number): number[] {
  return Array.from({ length: count }, (_, hour) => BEFORE_GALE + hour * HOUR_S);
}
