import { z } from "zod";
import { stormDangerQuery } from "./storm-danger.ts";
import { stormProviderQuery, stormsQuery } from "./storms-query.ts";

type Json = Record<string, unknown>;

/** What the whole document has for each of its parts. */
export interface DocumentParts {
  reference: (
    name: "StormsResponse" | "StormHistory" | "StormDanger" | "StormApproach" | "StormApproachRequest",
  ) => Json;
  reply: (description: string, schema: "DetailError" | "ValidationError", headers?: Json) => Json;
  /** Replies that every operation with a key may give. */
  refusals: Json;
  /** Those of an operation that reads a body. */
  bodyRefusals: Json;
  withLimit: Json;
}

/** The operations on storms, for the OpenAPI document. */
export function stormPaths(parts: DocumentParts) {
  return {
    "/storms": {
      get: {
        operationId: "getStorms",
        summary: "Storms that a provider tracks",
        description:
          "Tropical storms and areas of interest, ordered by id, with observed and forecast track, wind radii and cone. A storm " +
          "that has ended stays for 24 h. Of a feed that fails the last good data are answered; X-Data-Age tells when it was " +
          "last read. A provider that was never received is 503, never an empty list.",
        parameters: parametersOf(stormsQuery),
        responses: {
          "200": {
            description: "The storms; empty when none is active",
            headers: { ...parts.withLimit, ...stormHeaders },
            content: {
              "application/json": { schema: parts.reference("StormsResponse") },
              "application/geo+json": {
                schema: { type: "object", description: "tracks, points, cones and danger areas (RFC 7946)" },
              },
            },
          },
          "304": {
            description: "The client holds them already",
            headers: { ...parts.withLimit, ...stormHeaders },
          },
          ...parts.refusals,
          "422": parts.reply("provider is missing or unknown", "ValidationError", parts.withLimit),
        },
      },
    },
    "/storms/approach": {
      post: {
        operationId: "postStormApproach",
        summary: "How near storms come to a vessel or a route",
        description:
          "For each storm with a forecast in the time of the voyage: closest approach, what remains of the distance after " +
          "gales and cone, the semicircle, and when winds of each threshold arrive. Not for navigation.",
        requestBody: {
          required: true,
          content: { "application/json": { schema: parts.reference("StormApproachRequest") } },
        },
        responses: {
          "200": {
            description: "The storms, that of least clearance first",
            headers: parts.withLimit,
            content: { "application/json": { schema: parts.reference("StormApproach") } },
          },
          ...parts.bodyRefusals,
        },
      },
    },
    "/storms/{id}/danger": {
      get: {
        operationId: "getStormDanger",
        summary: "Where not to be in the next three days",
        description:
          "The mariner's 1-2-3 rule for any basin: the furthest reach of gales about the forecast centre and the error of the " +
          "forecast, swept from hour to hour to day 3. Not for navigation.",
        parameters: [stormIdParameter, ...parametersOf(stormDangerQuery)],
        responses: {
          "200": {
            description: "The danger area",
            headers: parts.withLimit,
            content: { "application/json": { schema: parts.reference("StormDanger") } },
          },
          ...parts.refusals,
          "404": parts.reply("No such storm, or it has no forecast", "DetailError", parts.withLimit),
          "422": parts.reply("provider or method is missing or unknown", "ValidationError", parts.withLimit),
        },
      },
    },
    "/storms/{id}/history": {
      get: {
        operationId: "getStormHistory",
        summary: "Bulletins of a storm so far",
        description: "The entries of its newest bulletins as they were published, the oldest first.",
        parameters: [stormIdParameter, ...parametersOf(stormProviderQuery)],
        responses: {
          "200": {
            description: "The bulletins",
            headers: parts.withLimit,
            content: { "application/json": { schema: parts.reference("StormHistory") } },
          },
          ...parts.refusals,
          "404": parts.reply("No such storm", "DetailError", parts.withLimit),
          "422": parts.reply("provider is missing or unknown", "ValidationError", parts.withLimit),
        },
      },
    },
  };
}

const stormIdParameter = {
  name: "id",
  in: "path",
  required: true,
  schema: { type: "string" },
  example: "WP252026",
};

const stormHeaders = {
  ETag: header('"R0K6kR9AJIQlhfilrtgWuj"', "names the content, in whichever encoding"),
  "X-Data-Age": header("90", "seconds since the feed was last read"),
  "X-Data-Provenance": header("synthetic", "present when the storms are the demo world's"),
};

/** The parameters of a query, from its schema. */
function parametersOf(query: z.ZodObject): Json[] {
  const { properties, required = [] } = z.toJSONSchema(query, { io: "input" }) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function header(example: string, description: string): Json {
  return { description, schema: { type: "string" }, example };
}
