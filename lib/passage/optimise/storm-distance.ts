import type { StormEntry } from "#lib/contract/storm-form.ts";
import { edgeDistance, insideOf } from "#lib/geo/ring.ts";
import { distanceKm, type Place } from "#lib/geo/sphere.ts";
import { type DangerArea, galeThreshold } from "#lib/storms/danger-area.ts";
import { forecastMarks, passingAt } from "#lib/storms/forecast-track.ts";
import { reachOf } from "#lib/storms/wind-reach.ts";

/**
 * Measures how far places are from the storms of their time, km: from the danger area, 0 within it; past its three days from
 * gales and cone, as plans are held against storms. Infinite outside the time of all forecasts.
 *
 * @param areaOf The danger area of a storm; undefined if it has none.
 */
export function stormDistance(
  entries: readonly StormEntry[],
  areaOf: (entry: StormEntry) => DangerArea | undefined,
): (place: Place, time: number) => number {
  const storms = entries.map((entry) => distanceOfOne(entry, areaOf(entry)));
  return (place, time) =>
    storms.reduce((least, distance) => Math.min(least, distance(place, time)), Number.POSITIVE_INFINITY);
}

function distanceOfOne(
  entry: StormEntry,
  area: DangerArea | undefined,
): (place: Place, time: number) => number {
  const marks = forecastMarks(entry);
  const threshold = galeThreshold(entry);
  const [from, until] = [area?.circles[0]?.time ?? 0, area?.circles.at(-1)?.time ?? 0];
  const isInside = area?.outline ? insideOf(area.outline) : () => false;
  const edge = area?.outline ? edgeDistance(area.outline) : () => Number.POSITIVE_INFINITY;
  return (place, time) => {
    if (time >= from && time <= until) return isInside(place) ? 0 : edge(place);
    const storm = time > until ? passingAt(marks, time) : undefined;
    const next = marks.find((mark) => mark.time >= time);
    if (!storm || !next) return Number.POSITIVE_INFINITY;
    const reach = reachOf(next.point, threshold).km + (storm.coneKm ?? 0);
    return Math.max(0, distanceKm(place, storm) - reach);
  };
}
