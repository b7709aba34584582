import { queryParameters, reply } from "#lib/contract/openapi.ts";
import { type StormDanger, stormDangerQuery } from "#lib/contract/storm-danger.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { type DangerArea, knownDangerArea } from "#lib/storms/danger.ts";
import { english } from "#lib/storms/export.ts";
import { describeDangerArea, notice } from "#lib/storms/provenance.ts";
import { tenths, toWire } from "#lib/storms/wire.ts";
import { detailReply, jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { readOperation } from "./definition.ts";
import { notYetReceived, stormIdParameter } from "./storms.ts";

/** GET /storms/{id}/danger: where not to be in the next three days. */
export const stormDanger = readOperation(
  {
    method: "GET",
    path: "/storms/{id}/danger",
    group: "storms",
    openToGuests: true,
    query: stormDangerQuery,
    docs: {
      operationId: "getStormDanger",
      summary: "Where not to be in the next three days",
      description:
        "The mariner's 1-2-3 rule for any basin: the furthest reach of gales about the forecast centre and the error of the " +
        "forecast, swept from hour to hour to day 3. Not for navigation.",
      parameters: [stormIdParameter, ...queryParameters(stormDangerQuery)],
      replies: {
        "200": reply("The danger area", "StormDanger"),
        "404": reply("No such storm, or it has no forecast", "DetailError"),
        "422": reply("provider or method is missing or unknown", "ValidationError"),
      },
    },
  },
  async ({ query, context, request }) => {
    const published = await context.storms.published(query.provider);
    if (!published) return notYetReceived(query.provider);
    const entry = published.entries.find(({ id }) => id === request.params.id);
    if (!entry) return detailReply(404, "Storm not found");
    const danger = knownDangerArea(entry, query.method);
    if (!danger) return detailReply(404, "There is no forecast of this storm, and so no danger area");
    return jsonReply(200, answer(entry, danger), {
      "cache-control": "private, max-age=30",
      ...(published.synthetic && syntheticHeader),
    });
  },
);

function answer(entry: StormEntry, danger: DangerArea): StormDanger {
  return {
    provider: entry.provider,
    id: entry.id,
    name: entry.name,
    method: danger.method,
    threshold_kt: danger.thresholdKt,
    issued_at: entry.tracks.forecast!.issued_at,
    rule: describeDangerArea(danger, english),
    circles: danger.circles.map((circle) => ({
      fhr: circle.fhr,
      time: circle.time,
      ...toWire(circle),
      r_km: tenths(circle.km),
      wind_km: tenths(circle.windKm),
      error_km: tenths(circle.errorKm),
      wind_estimated: circle.estimated,
    })),
    polygon: danger.outline?.map(toWire) ?? null,
    notice,
  };
}
