import { z } from "zod";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { groupOfPath, guideText, type IdSource, type Json, operationGroups } from "./described-api.ts";
import { requestExamples } from "./examples.ts";
import { MAX_KEY_CHARACTERS } from "./task.ts";
import { type ReplyName, type RequestName, replySchemas, requestSchemas } from "./wire-schemas.ts";

/** Methods of operations; HEAD is answered where GET is, and OPTIONS everywhere. */
export const methods = ["GET", "POST", "PUT", "DELETE"] as const;

export type Method = (typeof methods)[number];

/**
 * The OpenAPI document's facts about an operation; `openapiDocument` adds everything that
 * follows from it.
 */
export interface OperationDescription {
  method: Method;
  /** Path such as `/task/{task_id}`. */
  path: string;
  needsKey: boolean;
  /** The JSON request body. */
  body?: { name: RequestName; limitBytes: number };
  /** Absent where the operation is not part of the published contract. */
  docs?: OperationDocs;
  /** The rate limit group of the operation, and the limit for keys without their own. */
  rate?: { group: string; limit: string };
  /** Limits of this operation alone. */
  limits?: Readonly<Record<string, unknown>>;
  /** Visitors without a key may call it, if the service admits guests. */
  openToGuests?: boolean;
}

export interface OperationDocs {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Json[];
  /** Schema of its errors, if it differs from the usual one. */
  errors?: "EdrError";
  /**
   * Example values of parameters that depend on the time; other examples stand beside their parameters.
   * @param now Unix seconds.
   */
  example?(now: number): { parameters: Readonly<Record<string, string | number>> };
  /**
   * Replies by status, in addition to the errors that follow from key and body; if absent, status 200 with
   * any JSON.
   */
  replies?: Readonly<Record<string, Json>>;
}

/** 2026-01-01T00:00:00Z: the time of the examples in documents that are only read. */
const EXAMPLE_NOW = 1_767_225_600;

/** A path parameter that is an id. @param sources Operations whose replies contain the id. */
export function idParameter(name: string, ...sources: IdSource[]): Json {
  return { name, in: "path", required: true, schema: { type: "string" }, "x-source": sources };
}

/**
 * The whole API as an OpenAPI 3.1 document.
 *
 * @param version Version of the service.
 * @param now Weather clock, Unix seconds; the examples lie around it.
 */
export function openapiDocument(
  version: string,
  operations: readonly OperationDescription[],
  now = EXAMPLE_NOW,
): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    if (!operation.docs) continue;
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = operationObject(operation, operation.docs, now);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: SERVICE_NAME,
      version,
      description: guideText,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ ApiKey: [] }, { Basic: [] }],
    tags: Object.values(operationGroups).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: "apiKey", in: "header", name: "x-api-key" },
        Basic: {
          type: "http",
          scheme: "basic",
          description: "The API key as the password, with any user name",
        },
      },
      headers: rateHeaders,
      requestBodies: requestBodies(now),
      schemas: replySchemas(),
    },
  };
}

function operationObject(operation: OperationDescription, docs: OperationDocs, now: number): Json {
  const { path, needsKey, body, rate, limits, openToGuests } = operation;
  const { operationId, summary, description, replies, errors } = docs;
  const always = {
    ...(needsKey && keyErrors),
    ...(rate && countedErrors),
    ...(body && bodyErrors(body.limitBytes)),
  };
  const parameters = withExamples(docs, now);
  return {
    operationId,
    summary,
    ...(description && { description }),
    tags: [operationGroups[groupOfPath(path)]],
    ...(!needsKey && { security: [] }),
    ...(rate && { "x-rate-limit": rate }),
    ...(limits && { "x-limits": limits }),
    ...(openToGuests && { "x-open-to-visitors": true }),
    ...((parameters || body) && { parameters: [...(parameters ?? []), ...(body ? [idempotencyKey] : [])] }),
    ...(body && { requestBody: { $ref: `#/components/requestBodies/${body.name}` } }),
    responses: {
      ...(replies ?? { "200": { description: summary, content: anyJson } }),
      ...(errors ? errorsIn(errors, always) : always),
    },
  };
}

/** The parameters of an operation, with its time-dependent example values filled in. */
function withExamples({ parameters, example }: OperationDocs, now: number): readonly Json[] | undefined {
  const values = example?.(now).parameters;
  if (!values) return parameters;
  return parameters?.map((parameter) => {
    const value = values[String(parameter.name)];
    return value === undefined ? parameter : { ...parameter, example: value };
  });
}

/**
 * Request bodies are separate from the schemas of replies, because type generators (openapi-typescript) make
 * fields with defaults required everywhere but in request bodies.
 */
function requestBodies(now: number): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(requestSchemas()).map(([name, schema]) => [
      name,
      {
        required: true,
        content: {
          "application/json": {
            schema: { title: name, ...(schema as Json) },
            example: requestExamples[name as RequestName](now),
          },
        },
      },
    ]),
  );
}

export function header(example: string, description: string): Json {
  return { description, schema: { type: "string" }, example };
}

const rateHeaders = {
  "RateLimit-Policy": header('"data";q=10;w=60', "Quota q in a window of w seconds"),
  RateLimit: header(
    '"data";r=9;t=60',
    "Remaining requests (r), and seconds until the quota is full again (t)",
  ),
  "X-RateLimit-Limit": header("10", "Requests allowed in a window"),
  "X-RateLimit-Remaining": header("9", "Requests left in this window"),
  "X-RateLimit-Reset": header("1767225660", "End of the window, Unix seconds"),
};

/** The rate limit headers, which every counted reply has. */
export const rateLimited = Object.fromEntries(
  Object.keys(rateHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

export const retryAfter = { "Retry-After": header("60", "Seconds to wait before the next attempt") };

export const anyJson = { "application/json": { schema: { type: "object" } } };

/** JSON of one of several schemas. */
export function jsonContent(...names: ReplyName[]): Json {
  const schemas = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { "application/json": { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } } };
}

/** The 304 reply of an operation with an ETag. */
export const notModified = {
  "304": { description: "The client already has the current content", headers: rateLimited },
};

/** A reply in JSON with the rate limit headers. */
export function reply(description: string, name: ReplyName, headers: Json = rateLimited): Json {
  return { description, headers, content: jsonContent(name) };
}

/** The formats that `Accept` may request besides JSON. */
export function otherFormats(types: Iterable<string>): Json {
  const schema = {
    type: "string",
    description: "The same numbers in this format; JSON if Accept asks for an unknown format",
  };
  return Object.fromEntries(Array.from(types, (type) => [type, { schema }]));
}

/** A reply in JSON of one of several schemas, or in another format, with the rate limit headers. */
export function replyIn(types: Iterable<string>, description: string, ...names: ReplyName[]): Json {
  return {
    description,
    headers: rateLimited,
    content: { ...jsonContent(...names), ...otherFormats(types) },
  };
}

/** Error replies of every operation that needs a key or counts requests. */
const keyErrors = {
  "401": { description: "Invalid API key", content: jsonContent("DetailError") },
  "403": { description: "The header x-api-key is missing", content: jsonContent("DetailError") },
};

const countedErrors = {
  "429": reply("Rate limit exceeded", "RateLimitError", { ...rateLimited, ...retryAfter }),
  "503": reply("The service is overloaded or has an outage", "DetailError", {
    ...rateLimited,
    ...retryAfter,
  }),
};

/**
 * The same errors with another schema, where a request that breaks a rule is answered with 400 instead of
 * 422.
 */
function errorsIn(name: ReplyName, errors: Readonly<Record<string, Json>>): Record<string, Json> {
  const { "422": rule, ...rest } = errors;
  const others = { ...rest, ...(rule && { "400": rule }) };
  return Object.fromEntries(
    Object.entries(others).map(([status, error]) => [status, { ...error, content: jsonContent(name) }]),
  );
}

function bodyErrors(limitBytes: number): Record<string, Json> {
  return {
    "400": reply("The body ended too early", "DetailError"),
    "408": reply("The body took too long to arrive", "DetailError"),
    "409": reply("The first request with this Idempotency-Key is still open", "DetailError", {
      ...rateLimited,
      ...retryAfter,
    }),
    "413": reply(`The body is larger than ${limitBytes} bytes, or has too many values`, "DetailError"),
    "415": reply("The body is not application/json in UTF-8, or is compressed", "DetailError"),
    "422": reply("The body breaks a rule; up to 50 errors are listed", "ValidationError"),
    "507": reply("The storage of the owner of the key, or of all owners together, is full", "DetailError"),
  };
}

export const createdReply = {
  "202": reply("The task is accepted and stored", "TaskCreated", {
    ...rateLimited,
    ...retryAfter,
    Location: header("/task/…", "Path of the task"),
  }),
};

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "For 24 hours the same body with this key returns the same answer or task; another body is 422",
  schema: { type: "string", maxLength: MAX_KEY_CHARACTERS },
};

/** The parameters of a query, from its schema. */
export function queryParameters(query: z.ZodObject): Json[] {
  const { properties, required = [] } = z.toJSONSchema(query, { io: "input" }) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    // List values are separated by commas.
    style: "form",
    explode: false,
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

/**
 * Some operations as an OpenAPI 3.0 document, for clients that cannot read 3.1. The parts that 3.1 writes
 * differently are rewritten: lists of types, `const`, exclusive bounds, several examples.
 *
 * @param base Address of the service.
 */
export function openapiDocument30(
  version: string,
  base: string,
  operations: readonly OperationDescription[],
): Json {
  const { openapi: _version, components, ...document } = openapiDocument(version, operations);
  const info = document.info as Json;
  const used = withReferences(document.paths, components as Json);
  const rewritten = inForm30({ ...document, components: used }) as Json;
  const license = { name: (info.license as Json).name };
  return { openapi: "3.0.3", ...rewritten, info: { ...info, license }, servers: [{ url: base }] };
}

/** The components that a value refers to, directly or through other components. */
function withReferences(value: unknown, components: Json): Json {
  const schemas = components.schemas as Record<string, Json>;
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      follow(schemas[name!]);
    }
  };
  follow(value);
  const asked = new Set(
    Array.from(JSON.stringify(value).matchAll(/#\/components\/requestBodies\/(\w+)/g), ([, name]) => name),
  );
  const bodies = Object.entries(components.requestBodies as Json).filter(([name]) => asked.has(name));
  return {
    ...components,
    requestBodies: Object.fromEntries(bodies),
    schemas: Object.fromEntries([...found].map((name) => [name, schemas[name]])),
  };
}

function inForm30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inForm30);
  if (typeof value !== "object" || value === null) return value;
  const { const: only, examples, propertyNames: _names, ...rest } = value as Json;
  const own: Json = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, inForm30(part)]));
  if (Array.isArray(own.type)) {
    const { type, ...shared } = own;
    const branches = (type as string[]).map((one) => ({ ...shared, type: one }));
    return inForm30(branches.length === 1 ? branches[0] : { anyOf: branches });
  }
  for (const bound of ["Minimum", "Maximum"])
    if (typeof own[`exclusive${bound}`] === "number") {
      own[bound.toLowerCase()] = own[`exclusive${bound}`];
      own[`exclusive${bound}`] = true;
    }
  if (only !== undefined) own.enum = [only];
  if (Array.isArray(examples) && own.example === undefined) own.example = examples[0];
  if (Array.isArray(own.anyOf) && own.anyOf.some(isNull)) {
    const others = own.anyOf.filter((one) => !isNull(one));
    const { anyOf: _branches, ...others30 } = own;
    return {
      ...others30,
      ...(others.length === 1 ? (others[0] as Json) : { anyOf: others }),
      nullable: true,
    };
  }
  return own;
}

const isNull = (schema: unknown) => (schema as Json).type === "null";
