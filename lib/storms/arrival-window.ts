import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm, initialBearing } from "#lib/geo/sphere.ts";
import { forecastMarks, passingAt } from "./forecast-track.ts";
import type { Vessel } from "./vessel.ts";
import { largest, radiusTowards } from "./wind-reach.ts";

/**
 * What a forecast says of a wind at a place: `expected` when the storm keeps to its track; `possible` when it strays from it
 * by the radius of its cone; `not expected` at all; `not forecast` where it might come while its radii are not told.
 */
export type ArrivalOutlook = "expected" | "possible" | "not expected" | "not forecast";

/** When a wind arrives, Unix seconds; null where it does not. */
export interface ArrivalWindow {
  thresholdKt: number;
  outlook: ArrivalOutlook;
  /** With the storm nearer by the radius of its cone, on its track, and further off by that radius. */
  earliest: number | null;
  likely: number | null;
  latest: number | null;
  /** When it ends again on the forecast track; null where it does not arrive or lasts to the end of what is told. */
  ends: number | null;
  /** Until when radii of this wind are told; null where they are at no time of the voyage. */
  toldUntil: number | null;
}

const STEP_S = 600;

export function thresholdsOf({ provider }: Pick<StormEntry, "provider">): readonly number[] {
  return provider === "jma" ? [30, 50] : [34, 50, 64];
}

/**
 * When winds of each threshold reach a vessel or a place. Nothing is said of times for which the forecast tells no radii:
 * those of 64 kt often end at day 3.
 */
export function arrivalWindows(entry: StormEntry, vessel: Vessel): ArrivalWindow[] {
  const marks = forecastMarks(entry);
  const from = Math.max(marks[0]?.time ?? Number.POSITIVE_INFINITY, vessel.begins);
  const until = Math.min(marks.at(-1)?.time ?? Number.NEGATIVE_INFINITY, vessel.ends);
  return thresholdsOf(entry).map((thresholdKt) => {
    /** How far inside the wind the vessel is, km, with the storm nearer by a share of its cone; NaN where it is not told. */
    const inside = (time: number, nearer: number) => {
      const storm = passingAt(marks, time);
      const radii = storm?.radii(thresholdKt);
      if (!storm || !radii || (nearer !== 0 && storm.coneKm === null)) return Number.NaN;
      const ship = vessel.at(time);
      const radius = radiusTowards(radii, initialBearing(storm, ship));
      if (radius === 0) return Number.NEGATIVE_INFINITY;
      return radius + nearer * (storm.coneKm ?? 0) - distanceKm(ship, storm);
    };
    let toldUntil: number | null = null;
    let widest = 0;
    const steps = from <= until ? Math.max(1, Math.ceil((until - from) / STEP_S)) : -1;
    const times = Array.from({ length: steps + 1 }, (_, step) => from + ((until - from) * step) / steps);
    for (const time of times) {
      const radii = passingAt(marks, time)?.radii(thresholdKt);
      if (!radii) continue;
      toldUntil = time;
      widest = Math.max(widest, largest(radii));
    }
    /** Whether it might arrive while nothing is told of it: were it as wide as it is told to be at its widest. */
    const mightArrive = times.some((time) => {
      const storm = passingAt(marks, time)!;
      const reach = widest + (storm.coneKm ?? 0);
      return storm.radii(thresholdKt) === undefined && distanceKm(vessel.at(time), storm) <= reach;
    });
    const first = (nearer: number) => crossing(from, until, (time) => inside(time, nearer) >= 0);
    const [earliest, likely, latest] = [first(1), first(0), first(-1)];
    const ends = likely === null ? null : crossing(likely, until, (time) => inside(time, 0) < 0);
    return {
      thresholdKt,
      outlook: outlookOf(earliest, likely, toldUntil !== null && !mightArrive),
      earliest,
      likely,
      latest,
      ends,
      toldUntil,
    };
  });
}

function outlookOf(earliest: number | null, likely: number | null, told: boolean): ArrivalOutlook {
  if (likely !== null) return "expected";
  if (earliest !== null) return "possible";
  return told ? "not expected" : "not forecast";
}

/** First time at which something holds: by steps, then halved down to a second. */
function crossing(from: number, until: number, holds: (time: number) => boolean): number | null {
  let before = from;
  for (let time = from; time <= until; time = time < until ? Math.min(until, time + STEP_S) : until + 1) {
    if (holds(time)) {
      let [low, high] = [before, time];
      while (high - low > 1) {
        const middle = (low + high) / 2;
        if (holds(middle)) high = middle;
        else low = middle;
      }
      return Math.round(high);
    }
    before = time;
  }
  return null;
}
