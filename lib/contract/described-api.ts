import { mediaTypeNames } from "./media-types.ts";

export type Json = Record<string, unknown>;

export interface DescribedApi {
  title: string;
  summary: string;
  guide: typeof guide;
  groups: readonly { group: OperationGroup; operations: readonly DescribedOperation[] }[];
  operations: readonly DescribedOperation[];
  schemas: readonly DescribedSchema[];
}

export interface DescribedSchema {
  name: string;
  fields: readonly DescribedField[];
}

export interface DescribedParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  type: string;
  rules: readonly string[];
  description?: string;
  /** Values that the parameter may take, if they are listed. */
  words?: readonly string[];
  /** Initial value in the form. */
  value: string;
  /** Operations whose replies contain the value. */
  source: readonly Source[];
}

/** An operation whose reply contains an id. */
export interface Source {
  method: string;
  path: string;
  slug: string;
  /** Path and query, filled in with the operation's example values. */
  target: string;
  /** JSON pointer into the reply. */
  pointer: string;
}

interface DescribedReply {
  status: string;
  description: string;
  schemas: readonly string[];
}

export interface DescribedOperation {
  operationId: string;
  slug: string;
  group: OperationGroup;
  method: string;
  path: string;
  summary: string;
  description?: string;
  needsKey: boolean;
  openToVisitors: boolean;
  rate?: { group: string; limit: string };
  limits?: Json;
  parameters: readonly DescribedParameter[];
  /** Schema of the body, and an example of it. */
  body?: { schema: string; example: unknown };
  /** Media types of the answer; the first is the default. */
  formats: readonly string[];
  replies: readonly DescribedReply[];
  /** JSON pointers to the ids in the answer that other operations take in their paths. */
  gives: readonly string[];
}

const inOrder = (one: DescribedOperation, other: DescribedOperation) =>
  placeOfPath(one.path) - placeOfPath(other.path);

/** Derives the API reference that people read from its OpenAPI document. */
export function describeApi(openapi: Json): DescribedApi {
  const document = openapi as unknown as Document;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const byId = new Map(all.map((stated) => [stated.operation.operationId, stated]));
  const { requestBodies, schemas } = document.components;
  const bodies = Object.entries(requestBodies).map(
    ([name, { content }]) => [name, content["application/json"]] as const,
  );
  const operations = all
    .map((stated) => describedOperation(stated, byId, all, new Map(bodies)))
    .toSorted(inOrder);
  const groups = (Object.keys(operationGroups) as OperationGroup[]).map((group) => ({
    group,
    operations: operations.filter((operation) => operation.group === group),
  }));
  return {
    title: document.info.title,
    summary: guideSummary,
    guide,
    groups: groups.filter((entry) => entry.operations.length > 0),
    operations,
    schemas: [...bodies.map(([name, { schema }]) => [name, schema] as const), ...Object.entries(schemas)].map(
      ([name, schema]) => ({
        name,
        fields: fieldsOf(schema, ""),
      }),
    ),
  };
}

/** Where an id in a path comes from (`x-source` of its parameter), in the order in which to look. */
export interface IdSource {
  operationId: string;
  /** JSON pointer into the reply. */
  pointer: string;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

interface Parameter {
  name: string;
  in: DescribedParameter["in"];
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
  "x-source"?: readonly IdSource[];
}

interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  security?: unknown[];
  parameters?: readonly Parameter[];
  requestBody?: { $ref: string };
  responses: Record<string, { description: string; content?: Content }>;
  "x-rate-limit"?: { group: string; limit: string };
  "x-limits"?: Json;
  "x-open-to-visitors"?: true;
}

interface Document {
  info: { title: string };
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, Schema>;
    requestBodies: Record<string, { content: { "application/json": { schema: Schema; example: unknown } } }>;
  };
}

interface Stated {
  method: string;
  path: string;
  operation: OperationObject;
}

function describedOperation(
  { method, path, operation }: Stated,
  byId: ReadonlyMap<string, Stated>,
  all: readonly Stated[],
  bodies: ReadonlyMap<string, { example: unknown }>,
): DescribedOperation {
  const { operationId, summary, description, responses, requestBody } = operation;
  const body = requestBody && nameIn(requestBody.$ref);
  const success = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return {
    operationId,
    slug: slugOf(method, path),
    group: groupOfPath(path),
    method,
    path,
    summary,
    description,
    needsKey: operation.security === undefined,
    openToVisitors: operation["x-open-to-visitors"] === true,
    rate: operation["x-rate-limit"],
    limits: operation["x-limits"],
    parameters: (operation.parameters ?? []).map((parameter) => describedParameter(parameter, byId)),
    ...(body && { body: { schema: body, example: bodies.get(body)!.example } }),
    formats: [...new Set(success.flatMap(([, reply]) => Object.keys(reply.content ?? {})))],
    replies: Object.entries(responses).map(([status, reply]) => ({
      status,
      description: reply.description,
      schemas: namesIn(reply.content),
    })),
    gives: [...new Set(all.flatMap((other) => sourcesOf(other, operationId)))],
  };
}

/** JSON pointers to the ids that `operation` takes from the answers of the operation `operationId`. */
function sourcesOf({ operation: { parameters = [] } }: Stated, operationId: string): string[] {
  return parameters
    .flatMap((parameter) => parameter["x-source"] ?? [])
    .flatMap((source) => (source.operationId === operationId ? [source.pointer] : []));
}

function describedParameter(parameter: Parameter, byId: ReadonlyMap<string, Stated>): DescribedParameter {
  const { name, required = false, description, schema } = parameter;
  return {
    name,
    in: parameter.in,
    required,
    type: typeOf(schema),
    rules: shortRules(schema),
    description: description ?? schema.description,
    words: schema.enum?.map(String) ?? (schema.type === "boolean" ? ["true", "false"] : undefined),
    value: firstValue(parameter),
    source: (parameter["x-source"] ?? []).map(({ operationId, pointer }) => {
      const stated = byId.get(operationId);
      if (!stated) throw new TypeError(`x-source names ${operationId}, which is no operation`);
      const { method, path, operation } = stated;
      return { method, path, target: targetOf(path, operation), slug: slugOf(method, path), pointer };
    }),
  };
}

/** Fills a path with the examples of its parameters; a parameter without an example stays `{name}`. */
function targetOf(path: string, { parameters = [] }: OperationObject): string {
  const given = parameters.filter((parameter) => firstValue(parameter) !== "");
  const filled = given.reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, () => encodeURIComponent(firstValue(parameter))),
    path,
  );
  const query = new URLSearchParams(
    given.flatMap((parameter) =>
      parameter.in === "query" && parameter.required ? [[parameter.name, firstValue(parameter)]] : [],
    ),
  ).toString();
  return query === "" ? filled : `${filled}?${query}`;
}

/**
 * Initial value of a parameter in the form: its example, or the first listed value of a required parameter.
 * `f` stays empty, because the form selects the format by `Accept`.
 */
function firstValue({ name, required = false, schema, example = schema.example }: Parameter): string {
  if (name === "f") return "";
  const first = required ? schema.enum?.[0] : undefined;
  return String(example ?? first ?? "");
}

/** Names of the schemas that the content of a reply refers to. */
function namesIn(content: Content | undefined): string[] {
  return Object.values(content ?? {}).flatMap(({ schema }) =>
    [schema, ...(schema.oneOf ?? [])].flatMap(({ $ref }) => ($ref ? [nameIn($ref)] : [])),
  );
}

const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf("/") + 1);

/** The part of a JSON schema that the reference shows. */
interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
}

interface DescribedField {
  /** Path such as `points[].latitude`. */
  path: string;
  type: string;
  required: boolean;
  /** Ranges, lengths, listed values and defaults, in words. */
  rules: string[];
  description?: string;
}

/**
 * The fields of an object, each followed by the fields of the objects inside it. @param prefix Prepended to
 * their names.
 */
export function fieldsOf(schema: Schema, prefix: string): DescribedField[] {
  const required = new Set(schema.required);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    return [
      {
        path,
        type: typeOf(field),
        required: required.has(name),
        rules: rulesOf(field),
        description: field.description,
      },
      ...fieldsInside(field, path),
    ];
  });
  return [...own, ...optionsOf(schema).flatMap((option) => fieldsOf(option, prefix))];
}

/**
 * The fields of an object, of the objects in a list, or of each alternative of a union, which its constant
 * field names: `question(place).latitude`.
 */
function fieldsInside(field: Schema, path: string): DescribedField[] {
  if (field.items) return fieldsInside(field.items, `${path}[]`);
  const options = optionsOf(field).filter(({ properties }) => properties);
  if (options.length < 2) return fieldsOf(field, `${path}.`);
  return options.flatMap((option) => {
    const kind = Object.values(option.properties!).find((inner) => inner.const !== undefined)?.const;
    return fieldsOf(option, kind === undefined ? `${path}.` : `${path}(${kind}).`);
  });
}

const optionsOf = ({ oneOf, anyOf }: Schema): Schema[] => oneOf ?? anyOf ?? [];

function typeOf(schema: Schema): string {
  const options = optionsOf(schema);
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  const type = typeof schema.type === "object" ? schema.type.join(" or ") : schema.type;
  if (!type) return schema.enum ? "string" : "any";
  return schema.format ? `${type} (${schema.format})` : type;
}

/** Ranges, lengths and defaults, without the listed values, which a form shows anyway. */
function shortRules(schema: Schema): string[] {
  return rulesOf({ ...schema, enum: undefined });
}

function rulesOf(schema: Schema): string[] {
  const words = schema.enum ?? schema.items?.enum;
  const rules: [unknown, string][] = [
    [schema.minimum, `at least ${schema.minimum}`],
    [schema.maximum, `at most ${schema.maximum}`],
    [schema.minItems, `at least ${schema.minItems} items`],
    [schema.maxItems, `at most ${schema.maxItems} items`],
    [schema.maxLength, `at most ${schema.maxLength} characters`],
    [words, `one of ${words?.join(", ")}`],
    [schema.default, `default ${JSON.stringify(schema.default)}`],
  ];
  return rules.filter(([value]) => value !== undefined).map(([, text]) => text);
}

/** Groups of operations, in the order of the reference, by the title of their tag in the OpenAPI document. */
export const operationGroups = {
  points: "Points",
  boxes: "Boxes",
  storms: "Storms",
  tides: "Tides and streams",
  passages: "Passages",
  tasks: "Tasks",
  watches: "Watches and alerts",
  edr: "OGC API – EDR",
  discovery: "The service",
} as const;

export type OperationGroup = keyof typeof operationGroups;

/** The group of each first segment of a path. */
const groups: Readonly<Record<string, OperationGroup>> = {
  MetOcean: "points",
  point: "points",
  workability: "points",
  "2DMetOcean": "boxes",
  files: "boxes",
  storms: "storms",
  tides: "tides",
  passages: "passages",
  task: "tasks",
  user: "tasks",
  cancel_task: "tasks",
  watches: "watches",
  alerts: "watches",
  channels: "watches",
  calendars: "watches",
  edr: "edr",
  feeds: "discovery",
  limits: "discovery",
  "openapi.json": "discovery",
  healthz: "discovery",
  readyz: "discovery",
};

/** Position of a path in the reference, by its first segment. */
function placeOfPath(path: string): number {
  return Object.keys(groups).indexOf(path.split("/")[1]!);
}

/** @throws TypeError if the first segment of the path belongs to no group. */
export function groupOfPath(path: string): OperationGroup {
  const segment = path.split("/")[1]!;
  const group = groups[segment];
  if (group) return group;
  throw new TypeError(`lib/contract/described-api.ts has no group for paths that begin with /${segment}`);
}

/** The last part of the address of an operation's page: `post-metocean`, `get-task-task-id`. */
export function slugOf(method: string, path: string): string {
  return `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}

/** A part of the guide: paragraphs of plain text, with `code` between backquotes. */
interface GuidePart {
  title: string;
  paragraphs: readonly string[];
}

/** Introduction of the guide. */
const guideSummary =
  "Weather and ocean conditions at points and times. Directions are degrees clockwise from true north: wind and waves FROM, " +
  "currents TO. null means that there is no value: land, ice, or outside the archive.";

const formats = [...new Set(Object.values(mediaTypeNames).map(({ name }) => name))];

/**
 * Rules that hold for every operation. The API page shows them, and the description of the OpenAPI document
 * contains them.
 */
export const guide: readonly GuidePart[] = [
  {
    title: "Authentication",
    paragraphs: [
      "Send the API key in the header `x-api-key`, never in the URL. Clients that cannot send that header may send the key as the password of HTTP Basic, with any user name. A missing key is 403, a wrong one 401. Tasks, watches and channels belong to the owner of the key.",
      "If the operator allows visitors, some operations need no key; the page of an operation says so.",
    ],
  },
  {
    title: "Requests",
    paragraphs: [
      'Bodies are `application/json` in UTF-8, not compressed. Types are strict: `"35"` is not a number. Unknown fields are ignored, except in limits, gates and conditions, where they are 422.',
      "Times are UTC in exactly the form `2026-01-01T00:00:00Z`. Latitudes are degrees north, longitudes degrees east from −180 to 180.",
      "A POST with an `Idempotency-Key` is safe to repeat: for 24 hours the same body with the same key returns the same answer or task.",
    ],
  },
  {
    title: "Answers and tasks",
    paragraphs: [
      'An answer is `{"task_id", "status": "SUCCESS", "result"}`. A valid request that could not be processed is 200 with `"status": "FAILURE"` and an `error`.',
      "Large requests become tasks: 202 with a `task_id`. `GET /task/{task_id}` returns the progress and then the result, `GET /task/{task_id}/events` the progress as server-sent events.",
    ],
  },
  {
    title: "Formats",
    paragraphs: [
      `The default is JSON. \`Accept\` chooses another format with the same numbers: ${formats.slice(1).join(", ")}. The page of each operation lists its formats.`,
    ],
  },
  {
    title: "Rate limits",
    paragraphs: [
      "Requests are counted for each key and group of operations. Every reply to a counted request has `RateLimit-Policy` and `RateLimit`. Beyond the limit the reply is 429 with `Retry-After`, in seconds. `GET /limits` lists every limit in force.",
    ],
  },
  {
    title: "Errors",
    paragraphs: [
      'An error is JSON: `{"detail": "…"}`, for 422 a list in `detail` with `type`, `loc` and `msg` of each error, for 429 `{"error": "…"}`. 503 is an outage or an overload of the service and has `Retry-After`. Every reply has `X-Request-Id`: quote it in a report.',
    ],
  },
];

/** The guide as CommonMark. */
export const guideText = [
  guideSummary,
  ...guide.flatMap(({ title, paragraphs }) => [`## ${title}`, ...paragraphs]),
].join("\n\n");
