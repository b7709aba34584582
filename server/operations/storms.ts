import { MILE_KM } from "@open-metocean/geo/sphere";
import { type DangerArea, knownDangerArea } from "@open-metocean/storms/danger";
import type { StormEntry } from "@open-metocean/storms/schema";
import { onRoute, since, steering, type Vessel } from "@open-metocean/storms/track";
import { tenths, toWire } from "@open-metocean/storms/wire";
import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import {
  header,
  idParameter,
  jsonContent,
  queryParameters,
  rateLimited,
  reply,
} from "#lib/contract/openapi.ts";
import {
  type StormApproachRequest,
  type StormApproachResponse,
  stormApproachRequest,
} from "#lib/contract/storm-approach.ts";
import { stormsNotReceived } from "#lib/contract/storm-providers.ts";
import {
  MAX_HISTORY,
  type StormDanger,
  stormDangerQuery,
  stormOutlooksQuery,
  stormProviderQuery,
  stormsQuery,
} from "#lib/contract/storms.ts";
import { approachAnswer, unforecastAnswer } from "#lib/storm-answers/approach.ts";
import { english } from "#lib/storm-answers/export.ts";
import { describeDangerArea, notice } from "#lib/storm-answers/provenance.ts";
import { parseInstant } from "#lib/time.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { detailReply, jsonReply, noStore, syntheticHeader } from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { matchesEtag, preferredEncoding, preferredType } from "#server/platform/negotiation.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { PublishedStorms, StormAnswer } from "#server/storms/published.ts";
import { bodyOperation, queuedJob, readOperation } from "./definition.ts";

export const GEOJSON = "application/geo+json";

const stormHeaders = {
  ...rateLimited,
  ETag: header('"R0K6kR9AJIQlhfilrtgWuj"', "Identifies the content, whatever its encoding"),
  "X-Data-Age": header("5400", "Seconds since the newest text of the feed was issued"),
  "X-Data-Provenance": header("synthetic", "Present if the storms are those of the demo world"),
};

const stormIdParameter = {
  ...idParameter("id", { operationId: "getStorms", pointer: "/results/0/id" }),
  description: "Id of a storm, such as WP252026",
};

const statement = {
  route: "GET /storms",

  group: "storms",
  openToGuests: true,
  query: stormsQuery,
  operationId: "getStorms",
  summary: "Storms that a provider tracks",
  description:
    "Tropical storms and areas of interest, ordered by id, with observed and forecast tracks, wind radii and " +
    "cone. A storm that has ended stays listed for 24 h. If a feed fails or stops, the last good data are " +
    "returned; X-Data-Age is the age of its newest text. A forecast is marked after 12 h and withdrawn after 24 " +
    "h. A provider that was never received is 503, never an empty list.",
  parameters: queryParameters(stormsQuery),
  replies: {
    "200": {
      description: "The storms; the list is empty if there is none",
      headers: stormHeaders,
      content: {
        ...jsonContent("StormsResponse"),
        [GEOJSON]: {
          schema: { type: "object", description: "Tracks, points, cones and danger areas (RFC 7946)" },
        },
      },
    },
    "304": { description: "The client already has the current content", headers: stormHeaders },
    "422": reply("The parameter provider is missing or unknown", "ValidationError"),
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

export const stormHistory = readOperation(
  {
    route: "GET /storms/{id}/history",

    group: "storms",
    openToGuests: true,
    query: stormProviderQuery,
    operationId: "getStormHistory",
    summary: "All bulletins of a storm",
    description: `The entries of the ${MAX_HISTORY} newest bulletins as they were published, oldest first.`,
    parameters: [stormIdParameter, ...queryParameters(stormProviderQuery)],
    replies: {
      "200": reply("The bulletins", "StormHistory"),
      "404": reply("No such storm", "DetailError"),
      "422": reply("The parameter provider is missing or unknown", "ValidationError"),
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

/** Origin and time of an answer made of bytes in memory. */
type Origin = Pick<PublishedStorms, "synthetic"> & Partial<Pick<PublishedStorms, "newestTextAt">>;

/**
 * Returns the header with the age of the newest text; none for an answer without texts.
 *
 * @param now Weather clock, Unix seconds.
 */
function ageHeader({ newestTextAt }: Omit<Origin, "synthetic">, now: number): Record<string, string> {
  return newestTextAt === undefined ? {} : { "x-data-age": String(Math.max(0, now - newestTextAt)) };
}

/** Replies with bytes in memory, or with 304. */
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

const headers = {
  ...stormHeaders,
  "X-Data-Age": header("5400", "Seconds since the newest outlook was issued; absent if there is none"),
};

/** When the newest outlook was issued, Unix seconds; undefined without any. */
function newestOutlookAt({ areas }: Pick<PublishedStorms, "areas">): number | undefined {
  const times = areas.outlooks.map(({ issued_at }) => issued_at);
  return times.length > 0 ? Math.max(...times) : undefined;
}

export const stormOutlooks = readOperation(
  {
    route: "GET /storms/outlooks",

    group: "storms",
    openToGuests: true,
    query: stormOutlooksQuery,
    operationId: "getStormOutlooks",
    summary: "Where tropical cyclones may form",
    description:
      "The newest outlook of each basin with its areas of interest: JTWC's significant tropical weather advisories " +
      "(likelihood within 24 h), and NHC's and CPHC's tropical weather outlooks (probability within 48 h and 7 " +
      "days). An outlook without areas says that no development is expected; for a basin without an outlook nothing " +
      "is known. Outlooks older than 48 h are left out.",
    parameters: queryParameters(stormOutlooksQuery),
    replies: {
      "200": {
        description: "The outlooks, ordered by basin",
        headers,
        content: {
          ...jsonContent("StormOutlooks"),
          [GEOJSON]: { schema: { type: "object", description: "Areas as polygons or points (RFC 7946)" } },
        },
      },
      "304": { description: "The client already has the current content", headers },
      "422": reply(
        "The parameter provider is missing, or names a provider without outlooks",
        "ValidationError",
      ),
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

export const stormDanger = readOperation(
  {
    route: "GET /storms/{id}/danger",

    group: "storms",
    openToGuests: true,
    query: stormDangerQuery,
    operationId: "getStormDanger",
    summary: "Area to avoid in the next three days",
    description:
      "The mariner's 1-2-3 rule for any basin: circles of the largest gale radius plus the forecast error around " +
      "the forecast centres, joined into the area that they sweep until day 3. Not for navigation.",
    parameters: [stormIdParameter, ...queryParameters(stormDangerQuery)],
    replies: {
      "200": reply("The danger area", "StormDanger"),
      "404": reply("No such storm, or it has no forecast", "DetailError"),
      "422": reply("The parameter provider is missing, or provider or method is unknown", "ValidationError"),
    },
  },
  async ({ query, context, request }) => {
    const published = await context.storms.published(query.provider);
    if (!published) return notYetReceived(query.provider);
    const entry = published.entries.find(({ id }) => id === request.params.id);
    if (!entry) return detailReply(404, "Storm not found");
    const danger = knownDangerArea(entry, query.method);
    if (!danger) return detailReply(404, "This storm has no forecast, and therefore no danger area");
    return jsonReply(200, dangerOf(entry, danger), {
      "cache-control": "private, max-age=30",
      ...(published.synthetic && syntheticHeader),
    });
  },
);

function dangerOf(entry: StormEntry, danger: DangerArea): StormDanger {
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

const { ETag: _, ...approachHeaders } = stormHeaders;

export const stormApproach = bodyOperation(
  {
    route: "POST /storms/approach",

    reader: bodyReader(stormApproachRequest),
    schemaName: "StormApproachRequest",
    limitBytes: bodyLimits.sync,
    group: "storms",
    guests: { limitBytes: guestBodyLimit },
    operationId: "postStormApproach",
    summary: "How near storms come to a vessel or a route",
    description:
      "For each storm with a forecast during the voyage: the closest approach, the clearance from gales and cone, " +
      "the semicircle, when winds of each threshold arrive, when the vessel is within the danger area, and the base " +
      "time of the forecast. All other storms are named in without_forecast, so results may be empty although a " +
      "storm is near. Not for navigation.",
    replies: {
      "200": {
        description:
          "The storms, the one with the least clearance first, and the storms without a forecast during the voyage",
        headers: approachHeaders,
        content: jsonContent("StormApproach"),
      },
    },
  },
  async ({ body, context, now, caller, signal, request }) => {
    const published = await context.storms.published(body.provider);
    if (!published) return notYetReceived(body.provider);
    const vessel = vesselOf(body, now);
    const { results, without_forecast } = await context.queues[queueOf(body)].run(
      queuedJob(caller.owner, request),
      async () => {
        const found: Omit<StormApproachResponse, "notice"> = { results: [], without_forecast: [] };
        for (const entry of published.entries) {
          // A long route takes a few milliseconds for each storm, so other requests are answered in between.
          await nextTurn();
          signal.throwIfAborted();
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

/** Number of waypoints with which all storms take about as long as a small answer. */
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
