import { z } from "zod";
import { bodyLimits } from "#lib/contract/bodies.ts";
import { detailError, rateLimitError, validationError } from "#lib/contract/errors.ts";
import { mapRequest, mapResponse } from "#lib/contract/map2d.ts";
import { failureResponse, pointLimits, pointRequest, pointResponse } from "#lib/contract/point.ts";

type Json = Record<string, unknown>;

/** The wire's schemas by the names they have in the document: what callers send, and what they get. */
const sent = { PointRequest: pointRequest(pointLimits.sync), MapRequest: mapRequest };
const received = {
  PointResponse: pointResponse,
  MapResponse: mapResponse,
  Failure: failureResponse,
  DetailError: detailError,
  ValidationError: validationError,
  RateLimitError: rateLimitError,
};

type SchemaName = keyof typeof sent | keyof typeof received;

/**
 * The whole API as an OpenAPI 3.1 document, derived from the schemas that check it.
 *
 * @param version Version of the service.
 */
export function openapiDocument(version: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Marine weather",
      version,
      description:
        "Weather and ocean conditions at points and times. Directions are degrees clockwise from true north: " +
        "wind and waves FROM, currents TO. null means that there is no value: land, ice, or outside the archive.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ ApiKey: [] }],
    paths,
    components: {
      securitySchemes: { ApiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
      headers: rateHeaders,
      schemas: { ...schemasOf(sent, "input"), ...schemasOf(received, "output") },
    },
  };
}

const reference = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });

const rateHeaders = {
  "RateLimit-Policy": header('"data";q=10;w=60', "quota q in a window of w seconds"),
  RateLimit: header('"data";r=9;t=60', "what remains (r), and the seconds until it is whole again (t)"),
  "X-RateLimit-Limit": header("10", "requests in a window"),
  "X-RateLimit-Remaining": header("9", "requests left in this window"),
  "X-RateLimit-Reset": header("1767225660", "end of the window, Unix seconds"),
};

const withLimit = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const retryAfter = { "Retry-After": header("60", "seconds to wait") };

/** The replies that every operation with a key may give. */
const refusals = {
  "401": reply("Invalid API key", "DetailError"),
  "403": reply("The header x-api-key is missing", "DetailError"),
  "429": reply("Rate limit exceeded", "RateLimitError", { ...withLimit, ...retryAfter }),
  "503": reply("Our own outage or overload", "DetailError", { ...withLimit, ...retryAfter }),
};

/** Those of an operation that reads a body. */
const bodyRefusals = {
  ...refusals,
  "413": reply(`The body is larger than ${bodyLimits.sync} bytes`, "DetailError", withLimit),
  "415": reply("The body is not application/json in UTF-8, or compressed", "DetailError", withLimit),
  "422": reply("The body breaks a rule; every fault is listed, up to 50", "ValidationError", withLimit),
};

const paths = {
  "/MetOcean": {
    post: {
      operationId: "postMetOcean",
      summary: "Conditions at points",
      description:
        "Each point has its own place and time. Values are bilinear in space and linear in time. Answered at once.",
      requestBody: { required: true, content: { "application/json": { schema: reference("PointRequest") } } },
      responses: {
        "200": {
          description: "The answer, or why the request could not be processed",
          headers: withLimit,
          content: {
            "application/json": { schema: { oneOf: [reference("PointResponse"), reference("Failure")] } },
          },
        },
        ...bodyRefusals,
      },
    },
  },
  "/2DMetOcean": {
    post: {
      operationId: "post2DMetOcean",
      summary: "Conditions on a grid",
      description:
        "All grid nodes inside one box, at one instant (interpolated to exactly that instant) or over a range (the native " +
        "steps inside it). A minimum longitude greater than the maximum crosses the antimeridian. Answered at once.",
      requestBody: { required: true, content: { "application/json": { schema: reference("MapRequest") } } },
      responses: {
        "200": {
          description: "The answer, or why the request could not be processed",
          headers: withLimit,
          content: {
            "application/json": { schema: { oneOf: [reference("MapResponse"), reference("Failure")] } },
          },
        },
        ...bodyRefusals,
      },
    },
  },
  "/limits": open("getLimits", "Every limit in force"),
  "/openapi.json": open("getOpenapi", "This document"),
  "/healthz": open("getHealth", "The process answers"),
  "/readyz": {
    get: {
      ...open("getReadiness", "Requests can be answered").get,
      responses: {
        "200": { description: "Everything works", content: anyJson() },
        "503": { description: "What does not work, by name", headers: retryAfter, content: anyJson() },
      },
    },
  },
};

/** A GET without a key. */
function open(operationId: string, summary: string) {
  return {
    get: {
      operationId,
      summary,
      security: [],
      responses: { "200": { description: summary, content: anyJson() } },
    },
  };
}

function anyJson(): Json {
  return { "application/json": { schema: { type: "object" } } };
}

function reply(description: string, schema: SchemaName, headers?: Json): Json {
  return {
    description,
    ...(headers ? { headers } : {}),
    content: { "application/json": { schema: reference(schema) } },
  };
}

function header(example: string, description: string): Json {
  return { description, schema: { type: "string" }, example };
}

function schemasOf(schemas: Record<string, z.ZodType>, io: "input" | "output"): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
      return [name, json];
    }),
  );
}
