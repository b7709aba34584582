import { type DescribedField, fieldsOf, type Schema, shortRules, typeOf } from "./described-fields.ts";
import { guide, guideSummary } from "./guide.ts";
import type { IdSource, Json } from "./openapi.ts";
import {
  groupOfPath,
  type OperationGroup,
  operationGroups,
  placeOfPath,
  slugOf,
} from "./operation-groups.ts";

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
  /** Words that it may be. */
  words?: readonly string[];
  /** What a form has in it at first. */
  value: string;
  /** Where its value comes from. */
  source: readonly Source[];
}

/** An operation whose reply has an id. */
export interface Source {
  method: string;
  path: string;
  slug: string;
  /** Path and query with its own example values. */
  target: string;
  /** JSON pointer into the reply. */
  pointer: string;
}

export interface DescribedReply {
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
  /** Media types of its answer, the first by default. */
  formats: readonly string[];
  replies: readonly DescribedReply[];
  /** JSON pointers to the ids in its answer that other operations have in their paths. */
  gives: readonly string[];
}

const inOrder = (one: DescribedOperation, other: DescribedOperation) =>
  placeOfPath(one.path) - placeOfPath(other.path);

/** The API for a reference page, as a person reads it, from its OpenAPI document. */
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

/** Where an operation finds its ids in the answers of another one. */
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

/** With the examples of its parameters; what has none stays `{name}` in the path. */
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
 * What a form has in it at first: the example, and of a required one from a list its first word. `f` names a format in
 * place of `Accept`, which the form has.
 */
function firstValue({ name, required = false, schema, example = schema.example }: Parameter): string {
  if (name === "f") return "";
  const first = required ? schema.enum?.[0] : undefined;
  return String(example ?? first ?? "");
}

/** Names of the schemas that a content refers to. */
function namesIn(content: Content | undefined): string[] {
  return Object.values(content ?? {}).flatMap(({ schema }) =>
    [schema, ...(schema.oneOf ?? [])].flatMap(({ $ref }) => ($ref ? [nameIn($ref)] : [])),
  );
}

const nameIn = ($ref: string) => $ref.slice($ref.lastIndexOf("/") + 1);
