// This script writes the types of the TypeScript client from the contract; scripts/setup.mjs runs it.

import { writeFileSync } from "node:fs";
import path from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { mapMediaTypes, passageMediaTypes, pointMediaTypes } from "#lib/contract/media-types.ts";
import { replySchemas, requestSchemas } from "#lib/contract/wire-schemas.ts";

/**
 * Types that get a name of their own inside the schemas of the API. `[]` is an entry of a list, `|0` the first
 * alternative.
 */
const parts: Readonly<Record<string, string>> = {
  Point: "PointRequest.points[]",
  Variable: "PointRequest.variables[]",
  PointResult: "PointResponse.result",
  PointConditions: "PointResponse.result.results[]",
  Conditions: "PointResponse.result.results[].conditions",
  PointMeta: "PointResponse.result.meta",
  Provenance: "PointResponse.result.meta.provenance[]",
  PointRun: "PointRunsResponse.result.results[]",
  BoundingBox: "MapRequest.bounding_boxes[]",
  MapResult: "MapResponse.result",
  MapConditions: "MapResponse.result.results[]",
  MapMeta: "MapResponse.result.meta",
  EdrLink: "EdrLanding.links[]",
  Waypoint: "PassageRequest.route[]",
  Departures: "PassageRequest.departures",
  Vessel: "PassageRequest.vessel",
  MotorTable: "PassageRequest.vessel.table",
  PassageLimits: "PassageRequest.limits",
  PassageResult: "PassageResponse.result",
  Plan: "PassageResponse.result.results[]",
  PlanPiece: "PassageResponse.result.results[].pieces[]",
  PassageMeta: "PassageResponse.result.meta",
  BetterRoute: "PassageResponse.result.meta.better",
  ModelsAtDeparture: "PassageResponse.result.meta.comparison[]",
  ModelVerdict: "PassageResponse.result.meta.comparison[].models[]",
  TaskEntry: "TaskList.results[]",
  TaskKind: "TaskList.results[].kind",
  Storm: "StormsResponse.results[]",
  StormCone: "StormsResponse.results[].cone",
  TrackPoint: "StormsResponse.results[].tracks.observed[]",
  StormForecast: "StormsResponse.results[].tracks.forecast",
  ForecastPoint: "StormsResponse.results[].tracks.forecast.points[]",
  StormDevelopment: "StormsResponse.results[].development",
  FormationAlert: "StormsResponse.results[].formation_alert",
  StormOutlook: "StormOutlooks.results[]",
  StormEncounter: "StormApproach.results[]",
  WatchQuestion: "WatchRequest.question",
  WatchCondition: "WatchRequest.question|0.conditions[]",
  WatchedQuestion: "Watch.question",
  WatchFinding: "Watch.found",
  AlertMessage: "Alert.message",
  Channel: "ChannelList.channels[]",
  Feed: "Feeds.feeds[]",
  FileArea: "FileRequest.area",
  ValidationIssue: "ValidationError.detail[]",
};

/** Schemas without a type: a request with another limit, and error bodies, which the client's errors represent. */
const untyped = ["ManyPointsRequest", "DetailError", "ValidationError", "RateLimitError"];

interface JsonSchema {
  type?: string | string[];
  description?: string;
  example?: unknown;
  format?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: { enum?: string[] };
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

async function clientTypes(): Promise<string> {
  const whole = { ...requestSchemas(), ...replySchemas() } as Record<string, JsonSchema>;
  const named = Object.entries(parts).map(([name, at]) => [name, partAt(whole, at)] as const);
  const rest = Object.entries(whole).filter(([name]) => !untyped.includes(name));
  const schemas = withReferences(Object.fromEntries([...named, ...rest]));
  const info = { title: "Open MetOcean", version: "1" };
  const types = await openapiTS({ openapi: "3.1.0", info, paths: {}, components: { schemas } } as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
  });
  const mediaTypes = {
    PointMediaType: pointMediaTypes,
    MapMediaType: mapMediaTypes,
    PassageMediaType: passageMediaTypes,
  };
  return [
    "// Generated from the contract by scripts/client-types.ts. Do not edit.\n",
    withShortComments(astToString(types.filter((type) => !EMPTY.test(nameOf(type))))),
    ...Object.entries(mediaTypes).map(
      ([name, values]) =>
        `export type ${name} = ${values.map((value) => JSON.stringify(value)).join(" | ")};`,
    ),
    "",
  ].join("\n");
}

/** Sections of a document that openapi-typescript declares and that are empty here. */
const EMPTY = /^(paths|webhooks|operations|\$defs)$/;

const nameOf = (type: object) => (type as { name: { text: string } }).name.text;

/** Removes comments that repeat the type, and joins short comments and pairs to one line. */
function withShortComments(text: string): string {
  return text
    .replace(/^ *\/\*\* @(enum|constant).*\n/gm, "")
    .replace(/^ *\* @(enum|constant).*\n/gm, "")
    .replaceAll("@description ", "")
    .replace(/\/\*\*\n *\* (.*)\n *\*\//g, "/** $1 */")
    .replace(/\[\n\s*(\S+),\n\s*(\S+)\n\s*\]/g, "[$1, $2]");
}

function partAt(schemas: Readonly<Record<string, JsonSchema>>, at: string): JsonSchema {
  const [root = "", ...steps] = at.match(/[^.[\]|]+|\[\]|\|\d+/g) ?? [];
  const orNull = (schema?: JsonSchema) =>
    schema?.anyOf?.some(({ type }) => type === "null")
      ? schema.anyOf.find(({ type }) => type !== "null")
      : schema;
  let schema: JsonSchema | undefined = schemas[root];
  for (const step of steps) {
    if (step === "[]") schema = schema?.items;
    else if (step.startsWith("|")) schema = (schema?.anyOf ?? schema?.oneOf)?.[Number(step.slice(1))];
    else schema = schema?.properties?.[step];
    schema = orNull(schema);
  }
  if (!schema) throw new Error(`scripts/client-types.ts names ${at}, which is not in the contract`);
  return schema;
}

/** The schemas, in which each part that has a name is replaced by a reference. */
function withReferences(schemas: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const key = keyOf(schema);
    if (!names.has(key)) names.set(key, name);
  }
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    if (value === null || typeof value !== "object") return value;
    const schema = value as JsonSchema;
    const name = schema.type || schema.oneOf || schema.anyOf ? names.get(keyOf(schema)) : undefined;
    if (name !== undefined) return { $ref: `#/components/schemas/${name}`, description: schema.description };
    return ofParts(schema);
  };
  const ofParts = (schema: JsonSchema) =>
    Object.fromEntries(Object.entries(typed(schema)).map(([name, value]) => [name, inside(value)]));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const first = names.get(keyOf(schema));
      return [name, first === name ? ofParts(schema) : { $ref: `#/components/schemas/${first}` }];
    }),
  );
}

/**
 * A key that is equal for equal types. Requests ignore other fields and replies have none, which makes no difference to
 * the type.
 */
function keyOf({ description: _, ...schema }: JsonSchema): string {
  return JSON.stringify(schema, (name, value) => {
    if (name === "additionalProperties" && value === false) return undefined;
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Rewrites a schema so that openapi-typescript gives the narrowest type: pairs, and records of known names. */
function typed(given: JsonSchema): JsonSchema {
  // A list of fields may have one that is called format.
  if (typeof given.type === "object" && !Array.isArray(given.type)) return given;
  const { propertyNames, example: _, format, ...schema } = given;
  if (typeof format === "object") return given;
  const { items, minItems, additionalProperties } = schema;
  if (items && minItems === 2 && schema.maxItems === 2)
    return { ...schema, items: undefined, prefixItems: [items, items] };
  if (!propertyNames?.enum || typeof additionalProperties !== "object") return schema;
  const properties = Object.fromEntries(propertyNames.enum.map((name) => [name, additionalProperties]));
  return { ...schema, additionalProperties: undefined, properties };
}

writeFileSync(path.join(import.meta.dirname, "../clients/typescript/src/contract.ts"), await clientTypes());
