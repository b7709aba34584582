import type { Json } from "./openapi.ts";

export type DescribedApi = ReturnType<typeof describeApi>;
export type DescribedOperation = DescribedApi["operations"][number];
export type DescribedSchema = DescribedApi["schemas"][number];

/** The API for a reference page, as a person reads it, from its OpenAPI document. */
export function describeApi(openapi: Json) {
  const document = openapi as unknown as Document;
  return {
    title: document.info.title,
    description: document.info.description,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => describedOperation(method, path, operation)),
    ),
    schemas: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      fields: fieldsOf(schema, ""),
    })),
  };
}

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
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

type Content = Record<string, { schema: Schema }>;

interface OperationObject {
  summary: string;
  description?: string;
  security?: unknown[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

interface Document {
  info: { title: string; description: string };
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

function describedOperation(method: string, path: string, operation: OperationObject) {
  return {
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    needsKey: operation.security === undefined,
    /** Name of the schema of the body. */
    body: namesIn(operation.requestBody?.content).at(0),
    replies: Object.entries(operation.responses).map(([status, { description, content }]) => ({
      status,
      description,
      schemas: namesIn(content),
    })),
  };
}

/** Names of the schemas that a content refers to. */
function namesIn(content: Content | undefined): string[] {
  return Object.values(content ?? {}).flatMap(({ schema }) =>
    [schema, ...(schema.oneOf ?? [])].flatMap(({ $ref }) =>
      $ref ? [$ref.slice($ref.lastIndexOf("/") + 1)] : [],
    ),
  );
}

interface DescribedField {
  /** `points[].latitude`. */
  path: string;
  type: string;
  required: boolean;
  /** Ranges, lengths, words and defaults. */
  rules: string[];
  description?: string;
}

function fieldsOf(schema: Schema, prefix: string): DescribedField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const own = {
      path,
      type: typeOf(field),
      required: required.has(name),
      rules: rulesOf(field),
      description: field.description,
    };
    const inside = field.items ? fieldsOf(field.items, `${path}[].`) : fieldsOf(field, `${path}.`);
    return [own, ...inside];
  });
}

function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  return schema.format ? `${schema.type} (${schema.format})` : (schema.type ?? "any");
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
