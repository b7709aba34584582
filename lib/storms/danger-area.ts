import type { StormEntry } from "#lib/contract/storm-form.ts";
import { MILE_KM, type Place } from "#lib/geo/sphere.ts";
import { sweptArea } from "#lib/geo/swept-area.ts";
import type { DangerMethod } from "./danger-methods.ts";
import { forecastMarks, type Mark, passingAt } from "./forecast-track.ts";
import { reachOf } from "./wind-reach.ts";

/** The circle that a vessel should avoid at an hour of the forecast. */
export interface DangerCircle extends Place {
  fhr: number;
  /** Unix seconds. */
  time: number;
  /** Radius, km: wind and error together. */
  km: number;
  windKm: number;
  errorKm: number;
  /** The provider gives no radii; the reach is a typical value. */
  estimated: boolean;
}

export interface DangerArea {
  method: DangerMethod;
  /** Threshold of the wind, kt: 34 for jtwc, 30 for jma, which has no 34 kt radii. */
  thresholdKt: number;
  circles: DangerCircle[];
  /** Closed, counter-clockwise; null if there is no outline. */
  outline: Place[] | null;
}

/** The rule ends at day 3. */
const LAST_HOUR = 72;

const CLASSIC_KM_PER_HOUR = (100 * MILE_KM) / 24;

/** Lowest threshold of wind radii, kt. */
export function galeThreshold({ provider }: Pick<StormEntry, "provider">): 30 | 34 {
  return provider === "jma" ? 30 : 34;
}

/**
 * The area to avoid in the next three days: the largest gale radius around each forecast centre plus the forecast error,
 * swept from hour to hour (NHC's mariner's 1-2-3 rule, for any basin).
 *
 * @returns undefined for a storm without a forecast.
 */
export function dangerArea(entry: StormEntry, method: DangerMethod): DangerArea | undefined {
  const marks = forecastMarks(entry);
  const thresholdKt = galeThreshold(entry);
  const base = entry.tracks.forecast?.issued_at;
  const circles = marks.flatMap((mark) => {
    if (mark.fhr > LAST_HOUR) return [];
    const errorKm = method === "classic" ? Math.max(0, mark.fhr) * CLASSIC_KM_PER_HOUR : mark.coneKm;
    if (errorKm === null) return [];
    const { km: windKm, estimated } = reachOf(mark.point, thresholdKt);
    return [circle(mark, windKm, errorKm, estimated)];
  });
  if (base === undefined || circles.length === 0) return undefined;
  const last = lastCircle(marks, base, method, thresholdKt, circles.at(-1)!);
  if (last) circles.push(last);
  return { method, thresholdKt, circles, outline: sweptArea(circles) };
}

function circle(
  at: Place & { fhr: number; time: number },
  windKm: number,
  errorKm: number,
  estimated: boolean,
) {
  const { latitude, longitude, fhr, time } = at;
  return { latitude, longitude, fhr, time, km: windKm + errorKm, windKm, errorKm, estimated };
}

/** The circle at 72 h, interpolated if the forecast extends beyond it without a point there. */
function lastCircle(
  marks: readonly Mark[],
  base: number,
  method: DangerMethod,
  thresholdKt: number,
  before: DangerCircle,
): DangerCircle | undefined {
  const time = base + LAST_HOUR * 3600;
  const passing = before.fhr < LAST_HOUR ? passingAt(marks, time) : undefined;
  const after = marks.find((mark) => mark.time > time);
  if (!passing || !after) return undefined;
  const errorKm = method === "classic" ? LAST_HOUR * CLASSIC_KM_PER_HOUR : passing.coneKm;
  if (errorKm === null) return undefined;
  const share = (time - before.time) / (after.time - before.time);
  const next = reachOf(after.point, thresholdKt);
  const windKm = before.windKm + (next.km - before.windKm) * share;
  return circle(passing, windKm, errorKm, before.estimated || next.estimated);
}
