import { type StormDanger, stormDangerQuery } from "#lib/contract/storm-danger.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { type DangerArea, dangerArea } from "#lib/storms/danger-area.ts";
import { describeDangerArea, notice } from "#lib/storms/provenance.ts";
import { tenths, toWire } from "#lib/storms/wire.ts";
import { syntheticHeader } from "#server/http/endpoint.ts";
import { detailReply, jsonReply } from "#server/http/errors.ts";
import { readEndpoint } from "./app-context.ts";
import { neverRead } from "./storms.ts";

/** GET /storms/{id}/danger: where not to be in the next three days. */
export const stormDanger = readEndpoint(
  { group: "storms", query: stormDangerQuery },
  async ({ query, context, request }) => {
    const published = await context.storms.published(query.provider);
    if (!published) return neverRead(query.provider);
    const entry = published.entries.find(({ id }) => id === request.params.id);
    if (!entry) return detailReply(404, "Storm not found");
    const danger = dangerArea(entry, query.method);
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
    rule: describeDangerArea(danger),
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
