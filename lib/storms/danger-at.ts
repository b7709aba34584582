import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm, type Place } from "#lib/geo/sphere.ts";
import { type DangerArea, galeThreshold } from "./danger-area.ts";
import { forecastMarks, passingAt } from "./forecast-track.ts";
import { reachOf } from "./wind-reach.ts";

/** A place and the danger area of one time. */
export interface DangerDistance {
  /** Distance to its edge, km; negative within. */
  km: number;
  /** Radius of the area, km: gales and forecast error together. */
  radiusKm: number;
}

/**
 * Measures how far places are from the danger area of a storm at a time: the circle of gales and forecast error around its
 * centre, both interpolated between the hours of the forecast. Past the time of the whole area, which ends after three days,
 * the circle is that of gales and cone.
 *
 * @param area The danger area of the storm; undefined if it has none.
 * @returns A function of a place and Unix seconds; undefined outside the time of the forecast.
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

/** Linear between the circles; before the first as there. */
function radiusAt(circles: readonly { time: number; km: number }[], time: number): number {
  const next = circles.findIndex((circle) => circle.time >= time);
  const [from, to] = [circles[Math.max(0, next - 1)]!, circles[next]!];
  if (from.time >= time) return from.km;
  return from.km + ((to.km - from.km) * (time - from.time)) / (to.time - from.time);
}
