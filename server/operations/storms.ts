import { stormsQuery } from "#lib/contract/storms-query.ts";
import { preferredType } from "#server/http/accept.ts";
import { chosenEncoding } from "#server/http/compression.ts";
import { matchesEtag } from "#server/http/conditional-request.ts";
import { syntheticHeader } from "#server/http/endpoint.ts";
import { detailReply } from "#server/http/errors.ts";
import type { ApiRequest, Reply } from "#server/http/exchange.ts";
import { andThen } from "#server/platform/and-then.ts";
import type { PublishedStorms, StormAnswer } from "#server/storms/published.ts";
import { readEndpoint } from "./app-context.ts";

const GEOJSON = "application/geo+json";

/** GET /storms: what a provider tracks now, one read of bytes in memory; as GeoJSON where `Accept` asks for it. */
export const storms = readEndpoint({ group: "storms", query: stormsQuery }, ({ query, context, request }) => {
  const type = preferredType(request.header("accept"), ["application/json", GEOJSON]);
  const which = query.include_invests ? "all" : "withoutInvests";
  return andThen(context.storms.published(query.provider), (found) => {
    if (!found) return neverRead(query.provider);
    const bytes = type === GEOJSON ? found.geojson[which]() : found[which];
    return andThen(bytes, (ready) => answer(request, found, ready, type, context.weather.now()));
  });
});

/** A feed that was never read is no empty list: nobody knows what it would have said. */
export function neverRead(provider: string): Reply {
  return detailReply(503, `Storms of ${provider} have not been received yet`, {
    "retry-after": "60",
    "cache-control": "no-store",
  });
}

function answer(
  request: ApiRequest,
  { synthetic, refreshedAt }: PublishedStorms,
  { etag, ...bytes }: StormAnswer,
  mediaType: string,
  now: number,
): Reply {
  const headers = {
    etag,
    "cache-control": "private, max-age=30",
    vary: "X-API-Key, Accept",
    "x-data-age": String(Math.max(0, now - refreshedAt)),
    ...(synthetic && syntheticHeader),
  };
  if (matchesEtag(request, etag)) return { status: 304, headers, body: null };
  const type = { "content-type": mediaType };
  const encoding = chosenEncoding(request.header("accept-encoding"));
  if (!encoding) return { status: 200, headers: { ...headers, ...type }, body: bytes.plain };
  // The bytes differ by encoding: the tag names the content.
  const vary = `${headers.vary}, Accept-Encoding`;
  const packed = { ...headers, ...type, etag: `W/${etag}`, vary, "content-encoding": encoding };
  return { status: 200, headers: packed, body: encoding === "br" ? bytes.br : bytes.gzip };
}
