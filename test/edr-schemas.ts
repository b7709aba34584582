import { readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";

type Schema = { [keyword: string]: unknown };

/**
 * Published files whose `oneOf` branches do not exclude each other, so that they refuse what CoverageJSON allows: an
 * array of numbers with a shape, and a grid. They are read as `anyOf`.
 */
const looseOneOf = ["covjson/ndArray.yaml", "covjson/domain.yaml"];

/**
 * Violations of a published schema of OGC API – EDR by a value, as paths with descriptions; empty where it is valid.
 */
export function edrFaults(samples: string, file: string, value: unknown): string[] {
  const folder = path.join(samples, "edr/schemas");
  return faultsOf({ $ref: file }, value, "", path.join(folder, "x.yaml"));
}

const files = new Map<string, Schema>();

function schemaAt(file: string): Schema {
  const known = files.get(file) ?? (parse(readFileSync(file, "utf8")) as Schema);
  files.set(file, known);
  return known;
}

/** Supports the keywords of JSON Schema in OpenAPI 3.0. Any other keyword is an error, so that none is overlooked. */
function faultsOf(schema: Schema, value: unknown, at: string, file: string): string[] {
  if (schema.nullable === true && value === null) return [];
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    const check = keywords[keyword];
    if (!check) throw new Error(`${file} has the keyword ${keyword}`);
    return check(rule, value, at, file, schema);
  });
}

type Check = (rule: unknown, value: unknown, at: string, file: string, schema: Schema) => string[];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
};

const none: Check = () => [];
const list = (rule: unknown) => rule as Schema[];

const keywords: Readonly<Record<string, Check>> = {
  $ref(rule, value, at, file) {
    const target = path.resolve(path.dirname(file), rule as string);
    // One published reference is relative to another folder.
    const found = target.replace("/schemas/schemas/", "/schemas/");
    return faultsOf(schemaAt(found), value, at, found);
  },
  type: (rule, value, at) => (types[rule as string]!(value) ? [] : [`${at}: not of type ${rule}`]),
  enum: (rule, value, at) =>
    (rule as unknown[]).some((one) => isDeepStrictEqual(one, value)) ? [] : [`${at}: not one of ${rule}`],
  required: (rule, value, at) =>
    isObject(value)
      ? (rule as string[]).filter((name) => !(name in value)).map((name) => `${at}: without ${name}`)
      : [],
  properties: (rule, value, at, file) =>
    isObject(value)
      ? Object.entries(rule as Record<string, Schema>).flatMap(([name, inner]) =>
          name in value ? faultsOf(inner, value[name], `${at}/${name}`, file) : [],
        )
      : [],
  additionalProperties(rule, value, at, file, schema) {
    if (!isObject(value)) return [];
    const known = Object.keys((schema.properties ?? {}) as object);
    const others = Object.keys(value).filter((name) => !known.includes(name));
    if (rule === false) return others.map((name) => `${at}: with ${name}`);
    return rule === true
      ? []
      : others.flatMap((name) => faultsOf(rule as Schema, value[name], `${at}/${name}`, file));
  },
  items: (rule, value, at, file) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => faultsOf(rule as Schema, entry, `${at}/${index}`, file))
      : [],
  minItems: (rule, value, at) =>
    Array.isArray(value) && value.length < Number(rule) ? [`${at}: fewer than ${rule}`] : [],
  maxItems: (rule, value, at) =>
    Array.isArray(value) && value.length > Number(rule) ? [`${at}: more than ${rule}`] : [],
  uniqueItems: (_rule, value, at) =>
    Array.isArray(value) && new Set(value.map((one) => JSON.stringify(one))).size < value.length
      ? [`${at}: the same twice`]
      : [],
  minimum: (rule, value, at) =>
    typeof value === "number" && value < Number(rule) ? [`${at}: below ${rule}`] : [],
  allOf: (rule, value, at, file) => list(rule).flatMap((one) => faultsOf(one, value, at, file)),
  anyOf(rule, value, at, file) {
    const branches = list(rule).map((one) => faultsOf(one, value, at, file));
    return branches.some((faults) => faults.length === 0)
      ? []
      : [`${at}: none of ${JSON.stringify(branches)}`];
  },
  oneOf(rule, value, at, file, schema) {
    if (looseOneOf.some((name) => file.endsWith(name))) return keywords.anyOf!(rule, value, at, file, schema);
    const branches = list(rule).map((one) => faultsOf(one, value, at, file));
    const valid = branches.filter((faults) => faults.length === 0).length;
    return valid === 1 ? [] : [`${at}: ${valid} of one: ${JSON.stringify(branches)}`];
  },
  not: (rule, value, at, file) =>
    faultsOf(rule as Schema, value, at, file).length === 0 ? [`${at}: is what it must not be`] : [],
  nullable: none,
  description: none,
  title: none,
  example: none,
  default: none,
  format: none,
};
