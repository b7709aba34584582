import type { StormApproachResponse } from "#lib/contract/storm-approach.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { type ArrivalWindow, arrivalWindows } from "./arrival-window.ts";
import { type Approach, closestApproach } from "./closest-approach.ts";
import type { DangerArea } from "./danger-area.ts";
import { type DangerPassage, dangerPassage } from "./danger-passage.ts";
import { rangeNow } from "./forecast-track.ts";
import { averagingMinutes } from "./provenance.ts";
import type { Vessel } from "./vessel.ts";
import { ofWire, tenths } from "./wire.ts";

type Answer = StormApproachResponse["results"][number];
type Unforecast = StormApproachResponse["without_forecast"][number];

/** Where the vessel is now: before the voyage at its start, after it at its end. */
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
    arrivals: arrivalWindows(entry, vessel).map(arrivalToWire),
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
  const { thresholdKt, outlook, earliest, likely, latest, ends, radiiUntil } = window;
  const seconds = (time: number | null) => (time === null ? null : Math.round(time));
  return {
    threshold_kt: thresholdKt,
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
