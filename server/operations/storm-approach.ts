import { bodyLimits, guestBodyLimit } from "#lib/contract/bodies.ts";
import { jsonContent } from "#lib/contract/openapi.ts";
import {
  type StormApproachRequest,
  type StormApproachResponse,
  stormApproachRequest,
} from "#lib/contract/storm-approach.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { approachAnswer, unforecastAnswer } from "#lib/storms/approach.ts";
import { knownDangerArea } from "#lib/storms/danger.ts";
import { notice } from "#lib/storms/provenance.ts";
import { onRoute, since, steering, type Vessel } from "#lib/storms/track.ts";
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
    reader: bodyReader(stormApproachRequest),
    schemaName: "StormApproachRequest",
    limitBytes: bodyLimits.sync,
    group: "storms",
    guests: { limitBytes: guestBodyLimit },
    docs: {
      operationId: "postStormApproach",
      summary: "How near storms come to a vessel or a route",
      description:
        "For each storm with a forecast in the time of the voyage: closest approach, what remains of the distance after " +
        "gales and cone, the semicircle, when winds of each threshold arrive, and when the vessel is within the danger area, " +
        "with the base time of the forecast. All other storms are named in without_forecast: results may be empty although a storm is near. Not for navigation.",
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
  async ({ body, context, now, caller, signal, request: { arrived } }) => {
    const published = await context.storms.published(body.provider);
    if (!published) return notYetReceived(body.provider);
    const vessel = vesselOf(body, now);
    const { results, without_forecast } = await context.queues[queueOf(body)].run(
      { owner: caller.owner, signal, arrived },
      async (wanted) => {
        const found: Omit<StormApproachResponse, "notice"> = { results: [], without_forecast: [] };
        for (const entry of published.entries) {
          // A long route takes some milliseconds for each storm: other requests are answered in between.
          await nextTurn();
          wanted.throwIfAborted();
          const result = approachAnswer(entry, vessel, knownDangerArea(entry, body.method), now);
          if (result) found.results.push(result);
          else found.without_forecast.push(unforecastAnswer(entry, vessel, now));
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

/** Waypoints with which all storms take about as long as a small answer. */
const FEW_WAYPOINTS = 50;

function queueOf({ route = [] }: StormApproachRequest): "small" | "large" {
  return route.length <= FEW_WAYPOINTS ? "small" : "large";
}

function vesselOf({ vessel, route, from }: StormApproachRequest, now: number): Vessel {
  const voyage = vessel
    ? steering(
        vessel,
        vessel.timestamp === undefined ? now : parseInstant(vessel.timestamp),
        vessel.course_deg,
        vessel.speed_kt * MILE_KM,
      )
    : onRoute((route ?? []).map(({ timestamp, ...place }) => ({ ...place, time: parseInstant(timestamp) })));
  return from === undefined ? voyage : since(voyage, parseInstant(from));
}
