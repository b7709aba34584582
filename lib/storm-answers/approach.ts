import { distanceKm, greatCircle, initialBearing, type Place, vectorOf } from "@open-metocean/geo/sphere";
import {
  type DangerArea,
  type DangerPassage,
  dangerPassage,
  galeThreshold,
} from "@open-metocean/storms/danger";
import type { StormEntry } from "@open-metocean/storms/schema";
import {
  forecastMarks,
  isWindForecast,
  largestRadius,
  type Mark,
  type Passing,
  passingAt,
  type Radii,
  radiiOf,
  radiusTowards,
  rangeNow,
  reachOf,
  type Vessel,
} from "@open-metocean/storms/track";
import { ofWire, tenths } from "@open-metocean/storms/wire";
import type { StormApproachResponse } from "#lib/contract/storm-approach.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { type Four, type Least, leastClearance, type Stretch } from "./clearance-search.ts";
import { averagingMinutes } from "./provenance.ts";

type Answer = StormApproachResponse["results"][number];
type Unforecast = StormApproachResponse["without_forecast"][number];

/** Position of the vessel now: its start before the voyage, its end after it. */
function vesselNow(vessel: Vessel, now: number) {
  return vessel.at(Math.min(vessel.ends, Math.max(vessel.begins, now)));
}

/**
 * How near a storm comes to a vessel, in the form of POST /storms/approach.
 *
 * @param area The storm's danger area; undefined if it has none.
 * @param now Unix seconds.
 * @returns undefined if the storm has no forecast in the time of the voyage.
 */
export function approachAnswer(
  entry: StormEntry,
  vessel: Vessel,
  area: DangerArea | undefined,
  now: number,
): Answer | undefined {
  const { forecast } = entry.tracks;
  const found = closestApproach(entry, vessel);
  if (!forecast || !found) return undefined;
  const { provider, id, name } = entry;
  const range = rangeNow(entry, vesselNow(vessel, now), now);
  const passage = area && dangerPassage(area, vessel);
  return {
    provider,
    id,
    name,
    wind_average_minutes: averagingMinutes[provider],
    issued_at: forecast.issued_at,
    is_stale: forecast.is_stale ?? false,
    from: found.from,
    until: found.until,
    now: range ? { distance_km: tenths(range.km), bearing_deg: roundedBearing(range.bearing)! } : null,
    closest: approachToWire(found.closest),
    least_clearance: approachToWire(found.minClearance),
    arrivals: arrivalWindows(entry, vessel, found.minClearance).map(arrivalToWire),
    danger: passage ? { method: area.method, ...passageToWire(passage) } : null,
  };
}

/** A storm without a forecast in the time of the voyage, in the form of POST /storms/approach. */
export function unforecastAnswer(
  { id, name, is_active, tracks }: StormEntry,
  vessel: Vessel,
  now: number,
): Unforecast {
  const last = tracks.observed.at(-1);
  const located = last && { km: tenths(distanceKm(vesselNow(vessel, now), ofWire(last))) };
  return { id, name, is_active, last_fix_time: last?.time ?? null, ...located };
}

/** Whether a vessel may be within gales, to the accuracy of the answer. */
function isWithinWinds({ clearanceKm, galeKm }: Approach): boolean {
  return galeKm > 0 && rounded(clearanceKm, 1)! <= 0;
}

function approachToWire(approach: Approach): Answer["closest"] {
  return {
    time: approach.time,
    distance_km: tenths(approach.km),
    bearing_deg: roundedBearing(approach.bearing)!,
    gale_km: tenths(approach.galeKm),
    gale_estimated: approach.estimated,
    cone_km: approach.coneKm === null ? null : tenths(approach.coneKm),
    clearance_km: rounded(approach.clearanceKm, 1)!,
    semicircle: approach.semicircle,
  };
}

function arrivalToWire(window: ArrivalWindow): Answer["arrivals"][number] {
  const { thresholdKt, isForecast, outlook, earliest, likely, latest, ends, radiiUntil } = window;
  const seconds = (time: number | null) => (time === null ? null : Math.round(time));
  return {
    threshold_kt: thresholdKt,
    is_forecast: isForecast,
    outlook,
    earliest: seconds(earliest),
    likely: seconds(likely),
    latest: seconds(latest),
    ends: seconds(ends),
    told_until: seconds(radiiUntil),
  };
}

function passageToWire({ from, until, enters, leaves, clearanceKm, estimated }: DangerPassage) {
  return { from, until, enters, leaves, clearance_km: tenths(clearanceKm), gale_estimated: estimated };
}

/**
 * The side of a moving storm on which a vessel is. In the dangerous semicircle (right of the track in the
 * northern hemisphere, left in the southern) the storm's motion adds to the wind, which sets a vessel into
 * its path.
 */
export type Semicircle = "dangerous" | "navigable";

/** A vessel and a storm at one time. */
export interface Approach {
  /** Unix seconds. */
  time: number;
  /** Distance and bearing from the vessel to the storm's centre, km and degrees. */
  km: number;
  bearing: number;
  /** How far gales reach towards the vessel, km; a typical value if `estimated`. */
  galeKm: number;
  estimated: boolean;
  /** Radius of the cone, km; null if none is given. */
  coneKm: number | null;
  /** Distance minus gales and cone, km; negative inside. */
  clearanceKm: number;
  /** null for a stationary storm. */
  semicircle: Semicircle | null;
}

export interface ClosestApproach {
  /** Time at which the centre is nearest. */
  closest: Approach;
  /**
   * Time at which the clearance is smallest. The cone grows, so this may be later than the closest approach.
   */
  minClearance: Approach;
  /** The time that voyage and forecast have in common, Unix seconds. */
  from: number;
  until: number;
}

/** A storm between two consecutive forecast marks, or at one mark. */
interface Leg {
  from: Mark;
  until: Mark;
  /** Gale radii at both ends; undefined if one of them is not forecast. */
  radii: readonly [Radii, Radii] | undefined;
  /** Reach of gales if there are no radii, km. */
  typicalKm: number;
}

/**
 * The closest approach of a vessel to a storm's forecast track.
 *
 * Reach and cone are discontinuous at the edges of quadrants, where radii or cones end, and at forecast
 * hours; there both sides count.
 *
 * @returns undefined if voyage and forecast have no time in common.
 */
export function closestApproach(entry: StormEntry, vessel: Vessel): ClosestApproach | undefined {
  const marks = forecastMarks(entry);
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) return undefined;
  const from = Math.max(first.time, vessel.begins);
  const until = Math.min(last.time, vessel.ends);
  if (from > until) return undefined;
  const legs = legsOf(marks, galeThreshold(entry));
  const approachAt = ({ stretch, time, quadrant }: Least, leg: Leg): Approach => {
    const storm = passingAt(marks, time)!;
    const ship = vessel.at(time);
    const share = shareOf(leg, time);
    const galeKm = galesOf(leg, share)[quadrant]!;
    const coneKm = coneOf(leg, share);
    const km = distanceKm(ship, storm);
    return {
      time: Math.max(Math.ceil(stretch.from), Math.min(Math.floor(stretch.until), Math.round(time))),
      km,
      bearing: initialBearing(ship, storm),
      galeKm,
      estimated: leg.radii === undefined,
      coneKm,
      clearanceKm: km - galeKm - (coneKm ?? 0),
      semicircle: semicircleOf(storm, initialBearing(storm, ship)),
    };
  };
  const search = (reachOf: (leg: Leg, share: number) => Four) => {
    const legOf = new Map<Stretch, Leg>();
    for (const leg of legs) {
      for (const stretch of stretchesOf(leg, vessel, from, until, reachOf)) legOf.set(stretch, leg);
    }
    const least = leastClearance([...legOf.keys()]);
    return approachAt(least, legOf.get(least.stretch)!);
  };
  return {
    closest: search(() => NO_REACH),
    minClearance: search(clearanceReach),
    from,
    until,
  };
}

const NO_REACH: Four = [0, 0, 0, 0];

function clearanceReach(leg: Leg, share: number): Four {
  const [cone, gales] = [coneOf(leg, share) ?? 0, galesOf(leg, share)];
  return [gales[0] + cone, gales[1] + cone, gales[2] + cone, gales[3] + cone];
}

/**
 * The marks, followed by the legs between them. Of equal approaches the one at a mark is returned, with the
 * radii of the mark.
 */
function legsOf(marks: readonly Mark[], threshold: number): Leg[] {
  const between = marks.slice(1).map((until, index): [Mark, Mark] => [marks[index]!, until]);
  return [...marks.map((mark): [Mark, Mark] => [mark, mark]), ...between].map(([from, until]) => {
    const [before, after] = [radiiOf(from.point, threshold), radiiOf(until.point, threshold)];
    const radii = before && after ? ([before, after] as const) : undefined;
    return { from, until, radii, typicalKm: reachOf(until.point, threshold).km };
  });
}

/** The parts of a leg within the voyage, divided at the vessel's turns. */
function stretchesOf(
  leg: Leg,
  vessel: Vessel,
  begin: number,
  end: number,
  reachOf: (leg: Leg, share: number) => Four,
): Stretch[] {
  const [from, until] = [Math.max(begin, leg.from.time), Math.min(end, leg.until.time)];
  // A leg that only touches the voyage is covered by its mark.
  if (from > until || (from === until && leg.from !== leg.until && until === leg.until.time)) return [];
  const times = [from, ...vessel.turns.filter((time) => time > from && time < until), until];
  const storm = greatCircle(leg.from, leg.until);
  return times.slice(1).map((next, index) => ({
    from: times[index]!,
    until: next,
    reachFrom: reachOf(leg, shareOf(leg, times[index]!)),
    reachUntil: reachOf(leg, shareOf(leg, next)),
    storm: (time) => storm(shareOf(leg, time)),
    vessel: (time) => vectorOf(vessel.at(time)),
  }));
}

function shareOf({ from, until }: Leg, time: number): number {
  return from === until ? 0 : (time - from.time) / (until.time - from.time);
}

function coneOf({ from, until }: Leg, share: number): number | null {
  if (from.coneKm === null || until.coneKm === null) return null;
  return from.coneKm + (until.coneKm - from.coneKm) * share;
}

/** Reach of gales in the quadrants, km. */
function galesOf({ radii, typicalKm }: Leg, share: number): Four {
  if (!radii) return [typicalKm, typicalKm, typicalKm, typicalKm];
  const [from, until] = radii;
  const at = (quadrant: keyof Radii) => from[quadrant] + (until[quadrant] - from[quadrant]) * share;
  return [at("ne"), at("se"), at("sw"), at("nw")];
}

/** @param towards Bearing from the storm's centre, degrees. */
function semicircleOf({ heading, latitude }: Passing, towards: number): Semicircle | null {
  if (heading === null) return null;
  const right = (towards - heading + 360) % 360 < 180;
  return right === latitude >= 0 ? "dangerous" : "navigable";
}

/** The semicircle of a storm in which a place is at a time; null beyond its forecast. @param time Unix seconds. */
export function semicircleAt(entry: StormEntry, place: Place, time: number): Semicircle | null {
  const storm = passingAt(forecastMarks(entry), time);
  return storm ? semicircleOf(storm, initialBearing(storm, place)) : null;
}

/**
 * Whether a wind reaches a place: `expected` if the storm follows its forecast track; `possible` if it
 * deviates by the radius of its cone; `not forecast` if it may arrive at a time without forecast radii; `not
 * expected` otherwise.
 */
type ArrivalOutlook = "expected" | "possible" | "not expected" | "not forecast";

/** When a wind arrives, Unix seconds; null if it does not. */
export interface ArrivalWindow {
  thresholdKt: number;
  /** At least one hour of the forecast has such a wind. */
  isForecast: boolean;
  outlook: ArrivalOutlook;
  /**
   * Arrival with the storm nearer by the radius of its cone, on its track (`likely`), and farther away by
   * that radius.
   */
  earliest: number | null;
  likely: number | null;
  latest: number | null;
  /**
   * Time at which it ends on the forecast track; null if it does not arrive or lasts to the end of the
   * forecast.
   */
  ends: number | null;
  /** Last time with forecast radii of this wind; null if there is none during the voyage. */
  radiiUntil: number | null;
}

const STEP_S = 600;

/** Thresholds of the winds that occur in the forecast, as a radius or as a maximum wind. */
export function forecastThresholds(entry: StormEntry): number[] {
  const marks = forecastMarks(entry);
  return thresholdsOf(entry).filter((threshold) => isWindForecast(marks, threshold));
}

export function thresholdsOf({ provider }: Pick<StormEntry, "provider">): readonly number[] {
  return provider === "jma" ? [30, 50] : [34, 50, 64];
}

/**
 * When winds of each threshold reach a vessel or a place. Times without forecast radii are left out; radii of
 * 64 kt often end at day 3.
 *
 * @param least The least clearance. If it lies within the lowest of these winds, that wind is never `not
 * expected`, also where the steps of this search miss the time, or where the clearance has a typical reach.
 */
export function arrivalWindows(
  entry: StormEntry,
  vessel: Vessel,
  least = closestApproach(entry, vessel)?.minClearance,
): ArrivalWindow[] {
  const marks = forecastMarks(entry);
  const within = least && isWithinWinds(least) ? least : undefined;
  const from = Math.max(marks[0]?.time ?? Number.POSITIVE_INFINITY, vessel.begins);
  const until = Math.min(marks.at(-1)?.time ?? Number.NEGATIVE_INFINITY, vessel.ends);
  // All thresholds and shares of the cone use these two caches, because most of their times are the same.
  const stormAt = memoised((time) => passingAt(marks, time));
  const rangeAt = memoised((time) => {
    const [storm, ship] = [stormAt(time)!, vessel.at(time)];
    return { bearing: initialBearing(storm, ship), km: distanceKm(ship, storm) };
  });
  return thresholdsOf(entry).map((thresholdKt) => {
    /** Reach of the wind towards the vessel, km; undefined without radii. */
    const radiusAt = memoised((time) => {
      const radii = stormAt(time)?.radii(thresholdKt);
      return radii && radiusTowards(radii, rangeAt(time).bearing);
    });
    /**
     * How far inside the wind the vessel is, km, if the storm is nearer by a share of its cone; NaN without
     * radii.
     */
    const inside = (time: number, nearer: number) => {
      const storm = stormAt(time);
      const radius = radiusAt(time);
      if (!storm || radius === undefined || (nearer !== 0 && storm.coneKm === null)) return Number.NaN;
      // If the cone covers the vessel, the storm may pass on the other side and bring the wind of that side.
      const isOtherSide = nearer > 0 && largestRadius(storm.radii(thresholdKt)!) > 0;
      if (radius === 0 && !isOtherSide) return Number.NEGATIVE_INFINITY;
      return radius + nearer * (storm.coneKm ?? 0) - rangeAt(time).km;
    };
    let radiiUntil: number | null = null;
    let widest = 0;
    const steps = from <= until ? Math.max(1, Math.ceil((until - from) / STEP_S)) : -1;
    const times = Array.from({ length: steps + 1 }, (_, step) => from + ((until - from) * step) / steps);
    for (const time of times) {
      const radii = stormAt(time)?.radii(thresholdKt);
      if (!radii) continue;
      radiiUntil = time;
      widest = Math.max(widest, largestRadius(radii));
    }
    /** Whether the largest forecast radius, plus the cone, reaches the vessel at a time without radii. */
    const mightArrive = times.some((time) => {
      const storm = stormAt(time)!;
      const reach = widest + (storm.coneKm ?? 0);
      return storm.radii(thresholdKt) === undefined && rangeAt(time).km <= reach;
    });
    const first = (nearer: number) => crossing(from, until, (time) => inside(time, nearer) >= 0);
    const leastOfGales = thresholdKt === galeThreshold(entry) ? within : undefined;
    const [likely, latest] = [first(0), first(-1)];
    const earliest =
      first(1) ?? (likely === null && leastOfGales?.estimated === false ? leastOfGales.time : null);
    const ends = likely === null ? null : crossing(likely, until, (time) => inside(time, 0) < 0);
    return {
      thresholdKt,
      isForecast: isWindForecast(marks, thresholdKt),
      outlook: outlookOf(earliest, likely, radiiUntil !== null && !mightArrive && leastOfGales === undefined),
      earliest,
      likely,
      latest,
      ends,
      radiiUntil,
    };
  });
}

function memoised<Value>(compute: (time: number) => Value): (time: number) => Value {
  const known = new Map<number, Value>();
  return (time) => {
    if (!known.has(time)) known.set(time, compute(time));
    return known.get(time) as Value;
  };
}

function outlookOf(earliest: number | null, likely: number | null, isForecast: boolean): ArrivalOutlook {
  if (likely !== null) return "expected";
  if (earliest !== null) return "possible";
  return isForecast ? "not expected" : "not forecast";
}

/**
 * First time at which a condition is true, searched in steps and then by bisection to one second; null if
 * there is none.
 */
function crossing(from: number, until: number, condition: (time: number) => boolean): number | null {
  let before = from;
  for (let time = from; time <= until; time = time < until ? Math.min(until, time + STEP_S) : until + 1) {
    if (condition(time)) {
      let [low, high] = [before, time];
      while (high - low > 1) {
        const middle = (low + high) / 2;
        if (condition(middle)) high = middle;
        else low = middle;
      }
      return Math.round(high);
    }
    before = time;
  }
  return null;
}
