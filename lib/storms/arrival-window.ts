import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm, initialBearing } from "#lib/geo/sphere.ts";
import { forecastMarks, passingAt } from "./forecast-track.ts";
import type { Vessel } from "./vessel.ts";
import { largestRadius, radiusTowards } from "./wind-reach.ts";

/**
 * Whether a wind reaches a place: `expected` if the storm follows its forecast track; `possible` if it deviates by the
 * radius of its cone; `not expected` otherwise; `not forecast` if it may arrive at a time without forecast radii.
 */
export type ArrivalOutlook = "expected" | "possible" | "not expected" | "not forecast";

/** When a wind arrives, Unix seconds; null if it does not. */
export interface ArrivalWindow {
  thresholdKt: number;
  outlook: ArrivalOutlook;
  /** With the storm nearer by the radius of its cone, on its track, and further away by that radius. */
  earliest: number | null;
  likely: number | null;
  latest: number | null;
  /** When it ends on the forecast track; null if it does not arrive or lasts to the end of the forecast. */
  ends: number | null;
  /** Last time with forecast radii of this wind; null if there is none during the voyage. */
  radiiUntil: number | null;
}

const STEP_S = 600;

export function thresholdsOf({ provider }: Pick<StormEntry, "provider">): readonly number[] {
  return provider === "jma" ? [30, 50] : [34, 50, 64];
}

/**
 * When winds of each threshold reach a vessel or a place. Times without forecast radii are left out: those of 64 kt often
 * end at day 3.
 */
export function arrivalWindows(entry: StormEntry, vessel: Vessel): ArrivalWindow[] {
  const marks = forecastMarks(entry);
  const from = Math.max(marks[0]?.time ?? Number.POSITIVE_INFINITY, vessel.begins);
  const until = Math.min(marks.at(-1)?.time ?? Number.NEGATIVE_INFINITY, vessel.ends);
  // Shared by all thresholds and shares of the cone: most of their times are the same.
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
    /** How far inside the wind the vessel is, km, with the storm nearer by a share of its cone; NaN without radii. */
    const inside = (time: number, nearer: number) => {
      const storm = stormAt(time);
      const radius = radiusAt(time);
      if (!storm || radius === undefined || (nearer !== 0 && storm.coneKm === null)) return Number.NaN;
      if (radius === 0) return Number.NEGATIVE_INFINITY;
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
    const [earliest, likely, latest] = [first(1), first(0), first(-1)];
    const ends = likely === null ? null : crossing(likely, until, (time) => inside(time, 0) < 0);
    return {
      thresholdKt,
      outlook: outlookOf(earliest, likely, radiiUntil !== null && !mightArrive),
      earliest,
      likely,
      latest,
      ends,
      radiiUntil,
    };
  });
}

/** A function of time that computes each value once. */
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

/** First time at which a condition is true, searched in steps and then by bisection to one second. */
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
