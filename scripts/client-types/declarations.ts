import { isDeepStrictEqual } from "node:util";
import { families, untyped } from "./families.ts";
import { commentOf, type JsonSchema, objectOf, typeOf } from "./type-of.ts";

const HEADING = "// Generated from the contract by scripts/client-types.ts. Do not edit.\n";

interface Named {
  name: string;
  family: string;
  schema: JsonSchema;
  /** Without its own description, which differs from place to place. */
  key: string;
}

/**
 * Type declarations of the contract, by file.
 *
 * @param schemas Of the OpenAPI document, by name.
 * @param mediaTypes Formats of answers besides JSON, by the name of their type.
 * @throws Error where a schema has neither a family nor a reason to have none, or a part is not where it should be.
 */
export function declarationsOf(
  schemas: Readonly<Record<string, JsonSchema>>,
  mediaTypes: Readonly<Record<string, readonly string[]>>,
): Map<string, string> {
  const named = namedSchemas(schemas);
  const files = new Map<string, string>();
  for (const family of Object.keys(families)) {
    const used = new Set<Named>();
    const declared = named
      .filter((entry) => entry.family === family)
      .map((entry) => declaration(entry, named, used));
    const imports = Object.keys(families).flatMap((other) => {
      const names = [...used]
        .filter((entry) => entry.family === other && other !== family)
        .map(({ name }) => name);
      return names.length === 0 ? [] : [`import type { ${names.sort().join(", ")} } from "./${other}.ts";\n`];
    });
    files.set(`${family}.ts`, [[HEADING, ...imports].join(""), ...declared].join("\n"));
  }
  const types = Object.entries(mediaTypes).map(
    ([name, values]) =>
      `export type ${name} = ${values.map((value) => JSON.stringify(value)).join(" | ")};\n`,
  );
  return files.set("media-types.ts", [HEADING, ...types].join("\n"));
}

function namedSchemas(schemas: Readonly<Record<string, JsonSchema>>): Named[] {
  const wanted = Object.values(families).flatMap((family) => family.schemas);
  const known = [...wanted, ...Object.keys(untyped)];
  const given = Object.keys(schemas);
  if (!isDeepStrictEqual(known.toSorted(), given.toSorted()))
    throw new Error(
      `scripts/client-types/families.ts is not in step with the schemas of the API: ${differences(known, given)}`,
    );
  return Object.entries(families).flatMap(([family, { schemas: whole, parts }]) => [
    ...Object.entries(parts).map(([path, name]) => named(name, family, partAt(schemas, path))),
    ...whole.map((name) => named(name, family, schemas[name]!)),
  ]);
}

function differences(known: readonly string[], given: readonly string[]): string {
  const missing = given.filter((name) => !known.includes(name));
  const gone = known.filter((name) => !given.includes(name));
  return [...missing.map((name) => `+${name}`), ...gone.map((name) => `-${name}`)].join(" ");
}

const named = (name: string, family: string, schema: JsonSchema): Named => ({
  name,
  family,
  schema,
  key: keyOf(schema),
});

function keyOf({ description: _said, ...schema }: JsonSchema): string {
  return JSON.stringify(schema, (name, value) => {
    // Requests ignore other fields, replies have none: the type is the same.
    if (name === "additionalProperties" && value === false) return undefined;
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** @param path `PointRequest.points[]`; `|0` is the first of several alternatives. */
function partAt(schemas: Readonly<Record<string, JsonSchema>>, path: string): JsonSchema {
  const [root = "", ...steps] = path.match(/[^.[\]|]+|\[\]|\|\d+/g) ?? [];
  let schema: JsonSchema | undefined = schemas[root];
  for (const step of steps) {
    // What may be null is the other alternative.
    if (schema?.anyOf && !step.startsWith("|")) schema = schema.anyOf.find(({ type }) => type !== "null");
    if (step === "[]") schema = schema?.items;
    else if (step.startsWith("|")) schema = (schema?.anyOf ?? schema?.oneOf)?.[Number(step.slice(1))];
    else schema = schema?.properties?.[step];
  }
  // What may be null: its other alternative.
  const found = schema?.anyOf?.find(({ type }) => type !== "null") ?? schema;
  if (!found) throw new Error(`scripts/client-types/families.ts names ${path}, which is not in the contract`);
  return schema?.anyOf?.length === 2 && schema.anyOf.some(({ type }) => type === "null") ? found : schema!;
}

function declaration(own: Named, all: readonly Named[], used: Set<Named>): string {
  const nameOf = (schema: JsonSchema) => {
    if (!schema.properties && !schema.enum && !schema.oneOf) return undefined;
    const key = keyOf(schema);
    const found = all.find((entry) => entry.key === key);
    if (!found || found === own) return undefined;
    used.add(found);
    return found.name;
  };
  const comment = commentOf(own.schema, "");
  // Another name of the same schema stands for it.
  const same = all.find((entry) => entry.key === own.key);
  if (same && same !== own) {
    used.add(same);
    return `${comment}export type ${own.name} = ${same.name};\n`;
  }
  if (!own.schema.properties) return `${comment}export type ${own.name} = ${typeOf(own.schema, nameOf)};\n`;
  const base = baseOf(own, all);
  if (!base) return `${comment}export interface ${own.name} ${objectOf(own.schema, nameOf, "")}\n`;
  used.add(base);
  const more = Object.entries(own.schema.properties).filter(([name]) => !base.schema.properties?.[name]);
  const rest = objectOf({ ...own.schema, properties: Object.fromEntries(more) }, nameOf, "");
  return `${comment}export interface ${own.name} extends ${base.name} ${rest}\n`;
}

/** Fewer shared fields are written twice. */
const FEWEST_SHARED = 5;

/** The type with the most fields that this one has too, all of them alike; undefined where there is none. */
function baseOf({ schema }: Named, all: readonly Named[]): Named | undefined {
  const fieldsOf = ({ properties = {}, required = [] }: JsonSchema) =>
    Object.entries(properties).map(
      ([name, field]) => `${name} ${required.includes(name)} ${JSON.stringify(field)}`,
    );
  const own = new Set(fieldsOf(schema));
  return all
    .map((entry) => ({ entry, fields: fieldsOf(entry.schema) }))
    .filter(({ fields }) => fields.length >= FEWEST_SHARED && fields.length < own.size)
    .filter(({ fields }) => fields.every((field) => own.has(field)))
    .toSorted((a, b) => b.fields.length - a.fields.length)[0]?.entry;
}
