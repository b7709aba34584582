import { itemsQuery, metadataQuery } from "#lib/contract/edr.ts";
import { idParameter, queryParameters, rateLimited, reply } from "#lib/contract/openapi.ts";
import { stormProviders } from "#lib/contract/storm-providers.ts";
import { readBbox } from "#lib/edr/bbox.ts";
import { readDatetime } from "#lib/edr/datetime.ts";
import {
  ACTIVE_STORMS,
  isStormIn,
  type StormItem,
  stormFeatures,
  stormItemLinks,
} from "#lib/edr/storm-items.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { detailReply, jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { readOperation } from "./definition.ts";
import { baseOf } from "./edr-base.ts";
import { edrErrorReplies } from "./edr-docs.ts";
import { readingQuery } from "./edr-question.ts";
import { GEOJSON, notYetReceived } from "./storms.ts";

const path = `/edr/collections/${ACTIVE_STORMS}/items`;

const geojson = {
  "200": {
    description: "GeoJSON",
    headers: rateLimited,
    content: { [GEOJSON]: { schema: { type: "object" } } },
  },
  ...edrErrorReplies,
};

/** GET /edr/collections/active-storms/items. */
export const stormItems = readOperation(
  {
    method: "GET",
    path,
    group: "storms",
    query: itemsQuery,
    docs: {
      operationId: "getEdrStormItems",
      summary: "Storms that are tracked now, as items",
      errors: "EdrError",
      parameters: queryParameters(itemsQuery),
      replies: geojson,
    },
  },
  async ({ query, context, request }) => {
    const [box, { from, to }] = await readingQuery(() => [
      query.bbox === undefined ? undefined : readBbox(query.bbox),
      readDatetime(query.datetime),
    ]);
    return answerStorms(context, request, (all) => {
      const matched = all.filter((item) => {
        const time = parseInstant(item.properties.datetime);
        return time >= from && time <= to && (!box || isStormIn(item, box));
      });
      const end = query.offset + query.limit;
      const features = matched.slice(query.offset, end);
      const next = end < matched.length ? end : undefined;
      return {
        type: "FeatureCollection",
        links: stormItemLinks(baseOf(request, context), request.query, next),
        timeStamp: formatInstant(context.weather.now()),
        numberMatched: matched.length,
        numberReturned: features.length,
        features,
      };
    });
  },
);

/** GET /edr/collections/active-storms/items/{item_id}. */
export const stormItem = readOperation(
  {
    method: "GET",
    path: `${path}/{item_id}`,
    group: "storms",
    query: metadataQuery,
    docs: {
      operationId: "getEdrStormItem",
      summary: "A storm that is tracked now",
      errors: "EdrError",
      parameters: [
        idParameter("item_id", { operationId: "getEdrStormItems", pointer: "/features/0/id" }),
        ...queryParameters(metadataQuery),
      ],
      replies: { ...geojson, "404": reply("No such storm", "EdrError") },
    },
  },
  ({ context, request }) =>
    answerStorms(context, request, (all) => all.find(({ id }) => id === request.params.item_id)),
);

/** @param choose Makes the answer of all storms; undefined where there is none. */
async function answerStorms(
  context: Context,
  request: ApiRequest,
  choose: (all: StormItem[]) => object | undefined,
): Promise<Reply> {
  const published = await Promise.all(stormProviders.map((provider) => context.storms.published(provider)));
  const known = published.filter((one) => one !== undefined);
  // An empty list would say that there are no storms.
  if (known.length === 0) return notYetReceived("any centre");
  const base = baseOf(request, context);
  const chosen = choose(known.flatMap(({ entries }) => stormFeatures(base, entries)));
  if (!chosen) return detailReply(404, "There is no such storm, or it is tracked no more");
  return jsonReply(200, chosen, {
    "content-type": GEOJSON,
    "cache-control": "private, max-age=30",
    ...(known.some(({ synthetic }) => synthetic) && syntheticHeader),
  });
}
