import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { between, distanceKm, initialBearing, type Place } from "#lib/geo/sphere.ts";
import { HOUR_S } from "#lib/time.ts";
import { centreAt } from "./cone.ts";
import { CONE_START_KM } from "./cone-table.ts";
import { type Radii, radiiAt } from "./wind-reach.ts";
import { ofWire } from "./wire.ts";

/** A storm at one of its forecast hours. */
export interface Mark extends Place {
  /** Unix seconds. */
  time: number;
  fhr: number;
  /** Radius of the cone, km: at hour 0 that of its start, interpolated between hours that have one; null after the last. */
  coneKm: number | null;
  point: TrackPoint;
}

/**
 * The forecast track, one mark per forecast hour. A forecast without hour 0 begins with the newest fix.
 *
 * @returns Empty if the storm has no forecast.
 */
export function forecastMarks({ tracks }: Pick<StormEntry, "tracks">): Mark[] {
  const { forecast, observed } = tracks;
  if (!forecast) return [];
  // The JMA's circles begin at a point.
  const startKm = forecast.cone_source === "jma" ? 0 : CONE_START_KM;
  const marks = forecast.points.map((point): Mark => {
    const coneKm = point.fhr === 0 ? startKm : (point.cone_radius_km ?? null);
    return { ...ofWire(point), time: point.time, fhr: point.fhr, coneKm, point };
  });
  const newest = observed.findLast(({ time }) => time <= forecast.issued_at);
  if (marks[0] && marks[0].fhr > 0 && newest) {
    const fhr = (newest.time - forecast.issued_at) / 3600;
    marks.unshift({ ...ofWire(newest), time: newest.time, fhr, coneKm: startKm, point: newest });
  }
  for (const [index, mark] of marks.entries()) mark.coneKm ??= interpolatedConeKm(marks, index);
  return marks;
}

/** How long before its base time a forecast still stands for what is shown, seconds: bulletins are six hours apart. */
const BEFORE_S = 6 * HOUR_S;

/**
 * Whether a time is one that the forecast of an entry is about: from the bulletin before its base time to its last point.
 * On another date its track and cone are not those of the storm then.
 *
 * @param time Unix seconds.
 */
export function isForecastFor({ tracks }: Pick<StormEntry, "tracks">, time: number): boolean {
  const last = tracks.forecast?.points.at(-1);
  if (!tracks.forecast || !last) return false;
  return time >= tracks.forecast.issued_at - BEFORE_S && time <= last.time;
}

function interpolatedConeKm(marks: readonly Mark[], index: number): number | null {
  const [from, to] = [marks[index - 1], marks.slice(index).find(({ coneKm }) => coneKm !== null)];
  if (from?.coneKm == null || to?.coneKm == null) return null;
  const share = (marks[index]!.time - from.time) / (to.time - from.time);
  return from.coneKm + (to.coneKm - from.coneKm) * share;
}

/** A storm between two marks. */
export interface Passing extends Place {
  /** Unix seconds. */
  time: number;
  fhr: number;
  /** Km; null if none is given. */
  coneKm: number | null;
  /** Degrees clockwise from true north, TO, at a mark that of the motion before it, or else after it; null if stationary. */
  heading: number | null;
  /** Radii of a wind; undefined if they are not forecast. */
  radii(threshold: number): Radii | undefined;
}

/**
 * A storm at a time of its forecast: on the great circle between two marks, with radii and cone interpolated in time.
 *
 * @returns undefined before the first mark and after the last.
 */
export function passingAt(marks: readonly Mark[], time: number): Passing | undefined {
  const next = marks.findIndex((mark) => mark.time >= time);
  const to = marks[next];
  if (!to) return undefined;
  const from = marks[Math.max(0, next - 1)]!;
  if (time < from.time) return undefined;
  const share = to.time === from.time ? 1 : (time - from.time) / (to.time - from.time);
  const stationary = isSamePlace(from, to);
  const place = stationary ? { latitude: to.latitude, longitude: to.longitude } : between(from, to, share);
  const { coneKm } = to;
  return {
    ...place,
    time,
    fhr: from.fhr + (to.fhr - from.fhr) * share,
    coneKm: from.coneKm === null || coneKm === null ? null : from.coneKm + (coneKm - from.coneKm) * share,
    heading: stationary ? headingFrom(marks, time) : initialBearing(share < 1 ? place : from, to),
    radii: (threshold) => radiiAt(from.point, to.point, share, threshold),
  };
}

/**
 * Heading of a storm at a mark before which it did not move, degrees TO: that of the motion after it, and of a forecast
 * of one hour that of its point.
 *
 * @returns null between marks, and for a storm that does not move then either.
 */
function headingFrom(marks: readonly Mark[], time: number): number | null {
  const index = marks.findIndex((mark) => mark.time === time);
  const mark = marks[index];
  if (!mark) return null;
  const next = marks[index + 1];
  if (next) return isSamePlace(mark, next) ? null : initialBearing(mark, next);
  return marks.length === 1 && mark.point.speed_kmh ? mark.point.heading_deg : null;
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.latitude === other.latitude && one.longitude === other.longitude;
}

/** Position of a storm now: on its forecast track or, without one, where it was last observed. @param now Unix seconds. */
export function placeNow(entry: Pick<StormEntry, "tracks">, now: number): Place | undefined {
  const passing = passingAt(forecastMarks(entry), now);
  if (passing) return { latitude: passing.latitude, longitude: passing.longitude };
  return centreAt(entry.tracks.observed, now);
}

/** Distance, km, and bearing, degrees clockwise from true north, of a storm now. @param now Unix seconds. */
export function rangeNow(entry: Pick<StormEntry, "tracks">, from: Place, now: number) {
  const centre = placeNow(entry, now);
  return centre && { km: distanceKm(from, centre), bearing: initialBearing(from, centre) };
}
