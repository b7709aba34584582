import { edgeDistance, insideOf } from "@open-metocean/geo/ring";
import { distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { sweptArea } from "@open-metocean/geo/swept-area";
import type { DangerMethod } from "./providers.ts";
import type { StormEntry } from "./schema.ts";
import { forecastMarks, isWindForecast, type Mark, passingAt, reachOf, type Vessel } from "./track.ts";

/** The circle that a vessel should avoid at an hour of the forecast. */
interface DangerCircle extends Place {
  fhr: number;
  /** Unix seconds. */
  time: number;
  /** Radius, km: wind reach and forecast error together. */
  km: number;
  windKm: number;
  errorKm: number;
  /** The provider gives no radii, so the reach is a typical value. */
  estimated: boolean;
}

export interface DangerArea {
  method: DangerMethod;
  /** Threshold of the wind, kt: 34 for jtwc, 30 for jma, which has no 34 kt radii. */
  thresholdKt: number;
  /** At least one hour of the forecast has that wind; otherwise the area is only the error of the track. */
  isWindForecast: boolean;
  circles: DangerCircle[];
  /** Closed, counter-clockwise; null if there is no outline. */
  outline: Place[] | null;
}

/** The rule ends at day 3, hours. */
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
  return {
    method,
    thresholdKt,
    isWindForecast: isWindForecast(marks, thresholdKt),
    circles,
    outline: sweptArea(circles),
  };
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

/** The circle at 72 h, interpolated if the forecast extends beyond it but has no point there. */
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

const areas = new WeakMap<StormEntry, Map<DangerMethod, DangerArea | undefined>>();

/**
 * The same as `dangerArea`, cached: a published entry does not change, and computing its area takes some milliseconds.
 */
export function knownDangerArea(entry: StormEntry, method: DangerMethod): DangerArea | undefined {
  const known = areas.get(entry) ?? new Map<DangerMethod, DangerArea | undefined>();
  areas.set(entry, known);
  if (!known.has(method)) known.set(method, dangerArea(entry, method));
  return known.get(method);
}

/** Distance of a place from the danger area at one time. */
export interface DangerDistance {
  /** Distance to the edge, km; negative inside. */
  km: number;
  /** Radius of the area, km: gales and forecast error together. */
  radiusKm: number;
}

/**
 * Measures distances of places from the danger area of a storm at a time: the circle of gales and forecast
 * error around its centre, both interpolated between the hours of the forecast. After three days, at which
 * the danger area ends, the circle is that of gales and cone.
 *
 * @param area The danger area of the storm; undefined if it has none.
 * @returns A function of a place and Unix seconds; its result is undefined outside the time of the forecast.
 */
export function dangerAt(
  entry: StormEntry,
  area: DangerArea | undefined,
): (place: Place, time: number) => DangerDistance | undefined {
  const marks = forecastMarks(entry);
  const threshold = galeThreshold(entry);
  const circles = area?.circles ?? [];
  const later = marks.map(({ time, point, coneKm }) => ({
    time,
    km: reachOf(point, threshold).km + (coneKm ?? 0),
  }));
  const until = circles.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  return (place, time) => {
    const storm = passingAt(marks, time);
    if (!storm) return undefined;
    const radiusKm = radiusAt(time <= until ? circles : later, time);
    return { km: distanceKm(place, storm) - radiusKm, radiusKm };
  };
}

/** Radius, linear between the circles; before the first one it is constant. */
function radiusAt(circles: readonly { time: number; km: number }[], time: number): number {
  const next = circles.findIndex((circle) => circle.time >= time);
  const [from, to] = [circles[Math.max(0, next - 1)]!, circles[next]!];
  if (from.time >= time) return from.km;
  return from.km + ((to.km - from.km) * (time - from.time)) / (to.time - from.time);
}

/**
 * A vessel's passage past or through a danger area. The area is that of all hours together, as it is drawn.
 */
export interface DangerPassage {
  /** The time that the voyage and the area have in common, Unix seconds. */
  from: number;
  until: number;
  /** Time at which the vessel is first inside the area, `from` if it begins there; null if it stays clear. */
  enters: number | null;
  /** Time at which it is first outside again; null if it stays to the end, or never enters. */
  leaves: number | null;
  /** Least distance to the area, km; 0 if the vessel enters. */
  clearanceKm: number;
  /** The provider gives no radii for a part of the forecast, where the reach of gales is a typical value. */
  estimated: boolean;
}

/** Step of the search, seconds; a corner of the area that is crossed in less time may be missed. */
const STEP_S = 600;

/**
 * Whether and when a vessel is within a danger area.
 *
 * @returns undefined if the area has no outline, or no time in common with the voyage.
 */
export function dangerPassage(area: DangerArea, vessel: Vessel): DangerPassage | undefined {
  const { circles, outline } = area;
  const from = Math.max(circles[0]!.time, vessel.begins);
  const until = Math.min(circles.at(-1)!.time, vessel.ends);
  if (!outline || from > until) return undefined;
  const contains = insideOf(outline);
  const isInside = (time: number) => contains(vessel.at(time));
  const enters = firstTime(from, until, isInside);
  const leaves = enters === null ? null : firstTime(enters, until, (time) => !isInside(time));
  return {
    from,
    until,
    enters,
    leaves,
    clearanceKm: enters === null ? leastDistance(area, vessel, from, until) : 0,
    estimated: circles.some((circle) => circle.estimated),
  };
}

/**
 * First time at which a condition is true, searched in steps and then by bisection to one second; null if
 * there is none.
 */
function firstTime(from: number, until: number, condition: (time: number) => boolean): number | null {
  if (condition(from)) return from;
  for (let low = from; low < until; ) {
    let high = Math.min(until, low + STEP_S);
    if (!condition(high)) {
      low = high;
      continue;
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (condition(middle)) high = middle;
      else low = middle;
    }
    return Math.round(high);
  }
  return null;
}

function leastDistance({ outline }: DangerArea, vessel: Vessel, from: number, until: number): number {
  const distance = edgeDistance(outline!);
  let least = distance(vessel.at(until));
  for (let time = from; time < until; time += STEP_S) least = Math.min(least, distance(vessel.at(time)));
  return least;
}
