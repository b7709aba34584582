import type { PointRequest } from "#lib/contract/point.ts";
import { toKnots } from "#lib/knots.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import { gust } from "#server/demo/fields/weather.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { box, demoWorld } from "./demo-world.ts";

/** A place of the demo world. */
export const GALE_PLACE = { latitude: 52, longitude: -20 };

/** Gusts in the calm and in the gale, knots. */
const CALM_KT = 36;
const GALE_KT = 42;

/**
 * A time from which on it is calm there for more than a day and a half; a gale comes within two days and some hours, and is
 * over for more than a day within six.
 */
export const BEFORE_GALE = findGale(parseInstant("2026-10-31T22:00:00Z"));

function findGale(from: number): number {
  const world = demoWorld();
  const grid = box(GALE_PLACE.latitude, GALE_PLACE.longitude, 1, 1, 1);
  const known = new Map<number, number>();
  const gustAt = (time: number): number => {
    const knots = known.get(time) ?? toKnots(gust(world, { grid, time })[0]!);
    known.set(time, knots);
    return knots;
  };
  const hours = (start: number, first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, hour) => gustAt(start + (first + hour) * HOUR_S));
  for (let start = from; start < from + 200 * DAY_S; start += 6 * HOUR_S) {
    if (hours(start, 0, 36).some((knots) => knots > CALM_KT)) continue;
    if (!hours(start, 37, 52).some((knots) => knots > GALE_KT)) continue;
    for (let after = 54; after < 120; after += 6)
      if (hours(start, after, after + 25).every((knots) => knots < CALM_KT)) return start;
  }
  throw new Error("The demo world has no gale there all winter");
}

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
