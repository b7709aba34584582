import { header, jsonContent, queryParameters, reply } from "#lib/contract/openapi.ts";
import { stormOutlooksQuery } from "#lib/contract/storm-outlook.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import type { PublishedStorms } from "#server/storms/published.ts";
import { readOperation } from "./definition.ts";
import { answer, GEOJSON, notYetReceived, stormHeaders } from "./storms.ts";

const headers = {
  ...stormHeaders,
  "X-Data-Age": header("5400", "seconds since the newest outlook was issued; absent where there is none"),
};

/** When the newest outlook was issued, Unix seconds; undefined without any. */
function newestOutlookAt({ areas }: Pick<PublishedStorms, "areas">): number | undefined {
  const times = areas.outlooks.map(({ issued_at }) => issued_at);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** GET /storms/outlooks: where storms may form, from bytes in memory; as GeoJSON where `Accept` names it. */
export const stormOutlooks = readOperation(
  {
    method: "GET",
    path: "/storms/outlooks",
    group: "storms",
    openToGuests: true,
    query: stormOutlooksQuery,
    docs: {
      operationId: "getStormOutlooks",
      summary: "Where tropical cyclones may form",
      description:
        "The newest outlook of each basin with its areas of interest: JTWC's significant tropical weather advisories (likelihood " +
        "within 24 h), NHC's and CPHC's tropical weather outlooks (probability within 48 h and 7 days). An outlook without areas " +
        "says that no development is expected; a basin without an outlook is unknown. Outlooks older than 48 h are left out.",
      parameters: queryParameters(stormOutlooksQuery),
      replies: {
        "200": {
          description: "The outlooks, ordered by basin",
          headers,
          content: {
            ...jsonContent("StormOutlooks"),
            [GEOJSON]: { schema: { type: "object", description: "areas as polygons or points (RFC 7946)" } },
          },
        },
        "304": { description: "The client holds them already", headers },
        "422": reply("provider is missing or publishes no outlooks", "ValidationError"),
      },
    },
  },
  async ({ query, context, request }) => {
    const type = preferredType(request.header("accept"), ["application/json", GEOJSON]);
    const found = await context.storms.published(query.provider);
    if (!found) return notYetReceived(query.provider);
    const bytes = type === GEOJSON ? await found.geojson.outlooks() : found.outlooks;
    const origin = { synthetic: found.synthetic, newestTextAt: newestOutlookAt(found) };
    return answer(request, origin, bytes, type, context.weather.now());
  },
);
