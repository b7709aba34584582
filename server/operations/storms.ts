import {
  header,
  idParameter,
  jsonContent,
  queryParameters,
  rateLimited,
  reply,
} from "#lib/contract/openapi.ts";
import { stormsNotReceived } from "#lib/contract/storm-providers.ts";
import { MAX_HISTORY } from "#lib/contract/storms.ts";
import { stormProviderQuery, stormsQuery } from "#lib/contract/storms-query.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { detailReply, syntheticHeader } from "#server/http/reply.ts";
import { matchesEtag, preferredEncoding, preferredType } from "#server/platform/negotiation.ts";
import type { PublishedStorms, StormAnswer } from "#server/storms/published.ts";
import { readOperation } from "./definition.ts";

export const GEOJSON = "application/geo+json";

export const stormHeaders = {
  ...rateLimited,
  ETag: header('"R0K6kR9AJIQlhfilrtgWuj"', "names the content, in whichever encoding"),
  "X-Data-Age": header("5400", "seconds since the newest text of the feed was issued"),
  "X-Data-Provenance": header("synthetic", "present when the storms are the demo world's"),
};

export const stormIdParameter = {
  ...idParameter("id", { operationId: "getStorms", pointer: "/results/0/id" }),
  description: "such as WP252026",
};

const statement = {
  method: "GET",
  path: "/storms",
  group: "storms",
  openToGuests: true,
  query: stormsQuery,
  docs: {
    operationId: "getStorms",
    summary: "Storms that a provider tracks",
    description:
      "Tropical storms and areas of interest, ordered by id, with observed and forecast track, wind radii and cone. A storm " +
      "that has ended stays for 24 h. Of a feed that fails or stands still the last good data are answered; X-Data-Age is the age " +
      "of its newest text. A forecast is marked after 12 h and withdrawn after 24 h. A provider that was never received is 503, never an empty list.",
    parameters: queryParameters(stormsQuery),
    replies: {
      "200": {
        description: "The storms; empty when none is active",
        headers: stormHeaders,
        content: {
          ...jsonContent("StormsResponse"),
          [GEOJSON]: {
            schema: { type: "object", description: "tracks, points, cones and danger areas (RFC 7946)" },
          },
        },
      },
      "304": { description: "The client holds them already", headers: stormHeaders },
      "422": reply("provider is missing or unknown", "ValidationError"),
    },
  },
} as const;

/** GET /storms: the storms that a provider tracks, from bytes in memory; as GeoJSON where `Accept` names it. */
export const storms = readOperation(statement, async ({ query, context, request }) => {
  const type = preferredType(request.header("accept"), ["application/json", GEOJSON]);
  const which = query.include_invests ? "all" : "withoutInvests";
  const found = await context.storms.published(query.provider);
  if (!found) return notYetReceived(query.provider);
  const bytes = type === GEOJSON ? await found.geojson[which]() : found[which];
  return answer(request, found, bytes, type, context.weather.now());
});

/** GET /storms/{id}/history: entries of the newest bulletins of a storm, the oldest first. */
export const stormHistory = readOperation(
  {
    method: "GET",
    path: "/storms/{id}/history",
    group: "storms",
    openToGuests: true,
    query: stormProviderQuery,
    docs: {
      operationId: "getStormHistory",
      summary: "Bulletins of a storm so far",
      description: `The entries of its ${MAX_HISTORY} newest bulletins as they were published, the oldest first.`,
      parameters: [stormIdParameter, ...queryParameters(stormProviderQuery)],
      replies: {
        "200": reply("The bulletins", "StormHistory"),
        "404": reply("No such storm", "DetailError"),
        "422": reply("provider is missing or unknown", "ValidationError"),
      },
    },
  },
  async ({ query, context, request }) => {
    const published = await context.storms.published(query.provider);
    if (!published) return notYetReceived(query.provider);
    const past = await context.storms.history(query.provider, request.params.id ?? "");
    if (past.length === 0) return detailReply(404, "Storm not found");
    const storm = await context.storms.continuation(query.provider, past);
    const results = past.map(({ issued, entry }) => `{"issued_at":${issued},"entry":${entry}}`);
    return {
      status: 200,
      headers: {
        "content-type": "application/json",
        "cache-control": "private, max-age=30",
        ...(published.synthetic && syntheticHeader),
      },
      body: `{"results":[${results.join()}]${storm === undefined ? "" : `,"continued_as":${JSON.stringify(storm)}`}}`,
    };
  },
);

/** A feed that was never received is an error: an empty list would say that there are no storms. */
export function notYetReceived(provider: string): Reply {
  return detailReply(503, `Storms of ${provider} ${stormsNotReceived}`, {
    "retry-after": "60",
    "cache-control": "no-store",
  });
}

/** What an answer of bytes in memory says of where they come from and when. */
type Origin = Pick<PublishedStorms, "synthetic"> & Partial<Pick<PublishedStorms, "newestTextAt">>;

/**
 * The header with the age of the newest text; none for an answer that no text is in.
 *
 * @param now Weather clock, Unix seconds.
 */
export function ageHeader({ newestTextAt }: Omit<Origin, "synthetic">, now: number): Record<string, string> {
  return newestTextAt === undefined ? {} : { "x-data-age": String(Math.max(0, now - newestTextAt)) };
}

/** Bytes in memory as a reply, or 304. */
export function answer(
  request: ApiRequest,
  published: Origin,
  { etag, ...bytes }: StormAnswer,
  mediaType: string,
  now: number,
): Reply {
  const headers = {
    etag,
    "cache-control": "private, max-age=30",
    vary: "X-API-Key, Accept",
    ...ageHeader(published, now),
    ...(published.synthetic && syntheticHeader),
  };
  if (matchesEtag(request.header("if-none-match"), etag)) return { status: 304, headers, body: null };
  const type = { "content-type": mediaType };
  const encoding = preferredEncoding(request.header("accept-encoding"));
  if (!encoding) return { status: 200, headers: { ...headers, ...type }, body: bytes.plain };
  // The bytes differ by encoding, so the tag is weak.
  const vary = `${headers.vary}, Accept-Encoding`;
  const packed = { ...headers, ...type, etag: `W/${etag}`, vary, "content-encoding": encoding };
  return { status: 200, headers: packed, body: encoding === "br" ? bytes.br : bytes.gzip };
}
