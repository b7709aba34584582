import { bodyLimits, guestBodyLimit } from "#lib/contract/bodies.ts";
import { jsonContent } from "#lib/contract/openapi.ts";
import {
  type StormApproachRequest,
  type StormApproachResponse,
  stormApproachRequest,
} from "#lib/contract/storm-approach.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { type ArrivalWindow, arrivalWindows } from "#lib/storms/arrival-window.ts";
import { type Approach, closestApproach } from "#lib/storms/closest-approach.ts";
import { rangeNow } from "#lib/storms/forecast-track.ts";
import { averagingMinutes, notice } from "#lib/storms/provenance.ts";
import { onRoute, steering, type Vessel } from "#lib/storms/vessel.ts";
import { ofWire, tenths } from "#lib/storms/wire.ts";
import { parseInstant } from "#lib/time.ts";
import { jsonReply, noStore, syntheticHeader } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { bodyOperation } from "./definition.ts";
import { ageHeader, notYetReceived, stormHeaders } from "./storms.ts";

const { ETag: _, ...approachHeaders } = stormHeaders;

/** POST /storms/approach: how near each storm comes to a vessel or a route, and when its winds arrive. */
export const stormApproach = bodyOperation(
  {
    path: "/storms/approach",
    read: bodyReader(stormApproachRequest),
    schemaName: "StormApproachRequest",
    limitBytes: bodyLimits.sync,
    group: "storms",
    guests: { limitBytes: guestBodyLimit },
    docs: {
      operationId: "postStormApproach",
      summary: "How near storms come to a vessel or a route",
      description:
        "For each storm with a forecast in the time of the voyage: closest approach, what remains of the distance after " +
        "gales and cone, the semicircle, and when winds of each threshold arrive, with the base time of the forecast. All other " +
        "storms are named in without_forecast: results may be empty although a storm is near. Not for navigation.",
      replies: {
        "200": {
          description:
            "The storms, that of least clearance first, and those without a forecast for the voyage",
          headers: approachHeaders,
          content: jsonContent("StormApproach"),
        },
      },
    },
  },
  async ({ body, context, now, caller, signal }) => {
    const published = await context.storms.published(body.provider);
    if (!published) return notYetReceived(body.provider);
    const vessel = vesselOf(body, now);
    const { results, without_forecast } = await context.admission.large.run(
      caller.owner,
      signal,
      async (wanted) => {
        const found: Omit<StormApproachResponse, "notice"> = { results: [], without_forecast: [] };
        for (const entry of published.entries) {
          // A long route takes some milliseconds for each storm: other requests are answered in between.
          await nextTurn();
          wanted.throwIfAborted();
          const result = resultOf(entry, vessel, now);
          if (result) found.results.push(result);
          else found.without_forecast.push(unforecastOf(entry, vessel, now));
        }
        return found;
      },
    );
    results.sort((one, other) => one.least_clearance.clearance_km - other.least_clearance.clearance_km);
    const age = ageHeader(published, context.weather.now());
    const headers = { ...noStore, ...age, ...(published.synthetic && syntheticHeader) };
    return jsonReply(200, { results, without_forecast, notice } satisfies StormApproachResponse, headers);
  },
);

function vesselOf({ vessel, route }: StormApproachRequest, now: number): Vessel {
  if (!vessel) {
    return onRoute(
      (route ?? []).map(({ timestamp, ...place }) => ({ ...place, time: parseInstant(timestamp) })),
    );
  }
  const begins = vessel.timestamp === undefined ? now : parseInstant(vessel.timestamp);
  return steering(vessel, begins, vessel.course_deg, vessel.speed_kt * MILE_KM);
}

/** Where the vessel is now: before the voyage at its start, after it at its end. */
function vesselNow(vessel: Vessel, now: number) {
  return vessel.at(Math.min(vessel.ends, Math.max(vessel.begins, now)));
}

/** @returns undefined if the storm has no forecast in the time of the voyage. */
function resultOf(
  entry: StormEntry,
  vessel: Vessel,
  now: number,
): StormApproachResponse["results"][number] | undefined {
  const { forecast } = entry.tracks;
  const found = closestApproach(entry, vessel);
  if (!forecast || !found) return undefined;
  const { provider, id, name } = entry;
  const range = rangeNow(entry, vesselNow(vessel, now), now);
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
  };
}

function unforecastOf(
  { id, name, is_active, tracks }: StormEntry,
  vessel: Vessel,
  now: number,
): StormApproachResponse["without_forecast"][number] {
  const last = tracks.observed.at(-1);
  const located = last && { km: tenths(distanceKm(vesselNow(vessel, now), ofWire(last))) };
  return { id, name, is_active, last_fix_time: last?.time ?? null, ...located };
}

function approachToWire(approach: Approach) {
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

function arrivalToWire({ thresholdKt, outlook, earliest, likely, latest, ends, radiiUntil }: ArrivalWindow) {
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
