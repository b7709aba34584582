/** The part of JSON Schema that zod writes of the contract. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

/** Gives the name of a type that is declared elsewhere; undefined for one that is written in place. */
export type NameOf = (schema: JsonSchema) => string | undefined;

/** Lists of an exact length up to this are tuples. */
const LONGEST_TUPLE = 2;

const INDENT = "  ";

/**
 * A schema as a TypeScript type.
 *
 * @param indent Of the line that the type begins on.
 * @throws Error for a schema that this does not know: a type that is silently too wide would be wrong.
 */
export function typeOf(schema: JsonSchema, nameOf: NameOf, indent = ""): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  const inside = (part: JsonSchema) => typeOf(part, nameOf, indent);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(inside))].join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.type))
    return schema.type.map((type) => inside({ ...schema, type, description: undefined })).join(" | ");
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return listOf(schema, inside(schema.items ?? {}));
    case "object":
      return schema.properties ? objectOf(schema, nameOf, indent) : recordOf(schema, inside);
    case undefined:
      if (Object.keys(schema).every((key) => key === "description")) return "unknown";
  }
  throw new Error(`No TypeScript type is known for ${JSON.stringify(schema)}`);
}

function listOf({ minItems, maxItems }: JsonSchema, entry: string): string {
  if (minItems !== undefined && minItems === maxItems && minItems <= LONGEST_TUPLE)
    return `[${Array(minItems).fill(entry).join(", ")}]`;
  // Several alternatives that are not in brackets already.
  return / \| /.test(entry) && !/^(?:\{|\(.*\)\[\]$)/.test(entry) ? `(${entry})[]` : `${entry}[]`;
}

function recordOf(schema: JsonSchema, inside: (part: JsonSchema) => string): string {
  const { propertyNames, additionalProperties, required } = schema;
  const values = typeof additionalProperties === "object" ? inside(additionalProperties) : "unknown";
  const keys = propertyNames?.enum ? inside({ enum: propertyNames.enum }) : "string";
  const record = `Record<${keys}, ${values}>`;
  return keys === "string" || required?.length === propertyNames?.enum?.length
    ? record
    : `Partial<${record}>`;
}

/** An object with its fields, each with what the contract says of it. */
export function objectOf(schema: JsonSchema, nameOf: NameOf, indent: string): string {
  const deeper = indent + INDENT;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(field, nameOf, deeper);
    return `${commentOf(field, deeper)}${deeper}${key}${required.has(name) ? "" : "?"}: ${type};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

/** A comment line above a field or type; empty where the contract says nothing of it. */
export function commentOf(schema: JsonSchema, indent: string): string {
  const rules: [unknown, string][] = [
    [schema.minimum !== undefined && schema.maximum !== undefined, `${schema.minimum}..${schema.maximum}`],
    [schema.items && schema.maxItems && schema.maxItems > LONGEST_TUPLE, `at most ${schema.maxItems}`],
    [schema.maxLength, `at most ${schema.maxLength} characters`],
    [schema.default !== undefined, `default ${JSON.stringify(schema.default)}`],
  ];
  // zod states the bounds of every whole number.
  const isBare = schema.minimum === Number.MIN_SAFE_INTEGER || schema.maximum === Number.MAX_SAFE_INTEGER;
  const said = rules.filter(([holds], index) => holds && !(index === 0 && isBare)).map(([, text]) => text);
  const text = [schema.description, ...said].filter(Boolean).join("; ").replaceAll("*/", "*\\/");
  if (!text) return "";
  return `${indent}/** ${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."} */\n`;
}
