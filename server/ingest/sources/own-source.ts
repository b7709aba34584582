import path from "node:path";
import { z } from "zod";
import { datasetNames } from "#lib/catalog/datasets.ts";
import { type FieldName, fieldNames, fields } from "#lib/catalog/fields.ts";
import { HOUR_S } from "#lib/time.ts";
import {
  endOf,
  type FieldFeed,
  fill,
  type Mirror,
  messagesAt,
  type PartObjects,
  partsAt,
  placeholders,
  profileNames,
  range,
  wantedMessages,
  withEnd,
} from "#server/ingest/feeds/field-feed.ts";
import { choiceNames } from "#server/ingest/feeds/plan-feeds.ts";
import { meanUntil } from "#server/ingest/plan.ts";
import { conversionFrom } from "#server/ingest/sources/source.ts";
import { secretOf } from "#server/platform/env.ts";
import { readYaml, WrongFileError, yamlFiles } from "#server/platform/yaml-file.ts";
import {
  bearingX,
  bearingY,
  choice,
  type FieldRule,
  type GribSelector,
  grib,
  modelName,
  rule,
  type Selector,
  type Source,
  scaled,
  type Unit,
} from "./source.ts";

/** Suffix of the directions of waves, which are stored as two fields although a file has one. */
const DIRECTION = "_from_direction";
const isPart = (name: string) => /_from_direction_[xy]$/.test(name);
/** Fields that an operator's own source may have: stored fields, and directions of waves in degrees. */
const ownFieldNames = [
  ...fieldNames.filter((name) => !isPart(name)),
  ...fieldNames.filter((name) => name.endsWith("_from_direction_x")).map((name) => name.slice(0, -2)),
].sort();

/** A text, longer than any name, title or unit in use. */
const words = z.string().max(500);
const octet = z.int().min(0).max(255);
/** Level in metres or pascals, with bounds above the atmosphere and below the sea. */
const levelValue = z.number().min(-1e6).max(1e6);
const gribField = z.strictObject({
  /** Text that replaces `{param}` in the address. */
  param: words.optional(),
  grib: z.tuple([octet, octet, octet]),
  level: z.union([z.tuple([octet]), z.tuple([octet, levelValue]), z.tuple([octet, levelValue, levelValue])]),
  time: z.enum(["instant", "average", "accumulation", "maximum"]).default("instant"),
  units: words,
  /** Sense of directions: where waves come from, or go to. */
  sense: z.enum(["from", "to"]).optional(),
  /** Words of the parameter in the index. */
  index: z.strictObject({ element: words, level: words }).optional(),
});
const netcdfField = z.strictObject({
  param: words.optional(),
  variable: words,
  /** Metres above the surface, where the variable has several levels. */
  height: levelValue.optional(),
  sense: z.enum(["from", "to"]).optional(),
  /** Axes of the components of a vector: toward east and north, or along the columns and rows of the grid. */
  along: z.enum(["earth", "grid"]).default("earth"),
});
const ownField = z.union([gribField, netcdfField]);

/** Longest lead or delay, hours: more than a year, which no forecast reaches. */
const MAX_HOURS = 10_000;
const hours = z.number().min(0).max(MAX_HOURS);
const leads = z.union([
  hours,
  words.refine(
    isRange,
    `a lead in hours, or a range such as "0-48" or "51-120/3": not backwards, in steps of at least 1, to ${MAX_HOURS} at most`,
  ),
]);

function isRange(text: string): boolean {
  const [, from, to, step = "1"] = /^(\d+)-(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
  return from !== undefined && Number(from) <= Number(to) && Number(to) <= MAX_HOURS && Number(step) > 0;
}

const base = words
  .regex(/^(https:\/\/[^/]+|\/).*[^/]$/, "https://… or the path of a folder, without a slash at the end")
  .refine((text) => text.startsWith("/") || URL.canParse(text), "this is not a valid URL: https://host/path")
  .refine(isBare, 'a URL without user, password, "?" and "#": credentials go in `headers`, by {env:NAME}');

function isBare(text: string): boolean {
  if (text.startsWith("/")) return true;
  const url = URL.parse(text);
  return !/[?#]/.test(text) && (url?.username ?? "") === "" && (url?.password ?? "") === "";
}

/** Words of FEEDS that are not feeds. */
const reserved = ["none", "all", ...profileNames, ...choiceNames];

/** Most requests a minute. Hosts of whole files need fewer, and the start of each one within a minute is recorded. */
const MAX_REQUESTS_PER_MINUTE = 6000;

/**
 * A file of DATA_DIR/sources. Each number and list has a bound, because its consequences are computed before anything
 * is fetched.
 */
export const ownSourceSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,30}$/, "small letters, digits and hyphens")
    .refine(
      (name) => !reserved.includes(name),
      `a name of its own: ${reserved.join(", ")} have a meaning in FEEDS`,
    ),
  title: words.optional(),
  /** The line that the licence requires. */
  credit: words,
  dataset: z.enum(datasetNames).exclude(["Static"]).default("Forecast"),
  /**
   * Hours between base times, and hour of the first one of a day. File names cannot distinguish two base times within
   * one hour.
   */
  cycles: z.strictObject({ every: hours.min(1), offset: hours.default(0) }),
  /** UTC day of the last base time, if the publisher ends the product. */
  ended: z.iso.date().optional(),
  /** Hours after the base time at which the first and the last file are expected. */
  delay: z.strictObject({ first: hours, whole: hours }),
  leads: z.array(leads).min(1).max(100),
  mirrors: z
    .array(
      z.strictObject({
        name: words.optional(),
        base,
        headers: z.record(z.string(), z.string()).default({}),
        requestsPerMinute: z.int().min(1).max(MAX_REQUESTS_PER_MINUTE).optional(),
        keepHours: hours.min(1).optional(),
      }),
    )
    .min(1)
    .max(10),
  files: words,
  index: z.enum(["none", "wgrib2", "ecmwf"]).default("none"),
  /** Megabytes per lead, for the plan. */
  megabytes: z.number().min(0.001).max(1e6).default(10),
  fields: z
    .partialRecord(z.enum(ownFieldNames), ownField)
    .refine((own) => Object.keys(own).length > 0, "at least one field, by its name here"),
});

type OwnSource = z.infer<typeof ownSourceSchema>;
type OwnField = z.infer<typeof ownField>;

class OwnSourceError extends Error {
  override readonly name = "OwnSourceError";
  readonly at: readonly (string | number)[];
  constructor(at: readonly (string | number)[], reason: string) {
    super(reason);
    this.at = at;
  }
}

/**
 * Compiles a feed and its source from the content of a file.
 *
 * @param secret Returns the value of an environment variable.
 * @throws OwnSourceError
 */
export function compileOwnSource(own: OwnSource, secret: (name: string) => string | undefined): FieldFeed {
  const title = own.title ?? own.name;
  const entries = Object.entries(own.fields) as [string, OwnField][];
  const source: Source = {
    name: own.name,
    title,
    dataset: own.dataset,
    model: modelName(title),
    rules: entries.flatMap(([name, field]) => rulesOf(own, name, field)),
  };
  checkTemplate(own);
  const { every, offset } = own.cycles;
  const steps = stepsOf(own);
  const isOneFile = !/\{(F|V)/.test(own.files);
  const params = [...new Set(entries.map(([, { param }]) => param))];
  const wanted =
    own.index === "none"
      ? []
      : wantedMessages(
          source,
          source.rules.map(({ field }) => field),
        );
  const ended = own.ended === undefined ? undefined : endOf(own.ended);
  return {
    name: own.name,
    title: () => withEnd(title, ended),
    isOwn: true,
    ...(ended !== undefined && { ended }),
    credit: own.credit,
    source,
    cycles: { every: every * HOUR_S, offset: offset * HOUR_S },
    delay: { first: own.delay.first * HOUR_S, whole: Math.max(own.delay.first, own.delay.whole) * HOUR_S },
    mirrors: own.mirrors.map((mirror, index) => mirrorOf(mirror, index, secret)),
    parts: (cycle) =>
      isOneFile
        ? [{ cycle, index: 0, times: steps.map((lead) => cycle + lead * HOUR_S) }]
        : partsAt(cycle, steps),
    objects(part): PartObjects {
      const objects = [...new Set(params.map((param) => fill(own.files, part, param)))];
      if (own.index === "none") return { kind: "all", objects };
      return messagesAt(objects[0]!, own.index, wanted);
    },
    partBytes: () => own.megabytes * 1e6 * (isOneFile ? steps.length : 1),
  };
}

function stepsOf({ leads }: OwnSource): number[] {
  return [...new Set(leads.flatMap((lead) => leadsOf(lead)))].sort((a, b) => a - b);
}

function leadsOf(lead: number | string): number[] {
  if (typeof lead === "number") return [lead];
  const [span, step = "1"] = lead.split("/") as [string, string?];
  const [from, to] = span.split("-").map(Number) as [number, number];
  return range(from, to, Number(step));
}

function mirrorOf(
  { name, base, headers, requestsPerMinute, keepHours }: OwnSource["mirrors"][number],
  index: number,
  secret: (name: string) => string | undefined,
): Mirror {
  const filled = Object.entries(headers).map(([header, text]) => {
    const wrong = (reason: string) => new OwnSourceError(["mirrors", index, "headers", header], reason);
    const value = text.replaceAll(/\{env:(\w+)\}/g, (_, variable: string) => {
      const found = secret(variable);
      if (found === undefined) throw wrong(`the environment has no ${variable}`);
      return found;
    });
    if (!/^[\w-]+$/.test(header)) throw wrong("this is not the name of a header");
    // The message does not quote the value, which may be a secret.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw wrong("it has characters that no header may have");
    return [header, value] as const;
  });
  return {
    name: name ?? (base.startsWith("/") ? "folder" : new URL(base).host),
    base,
    ...(filled.length > 0 && { headers: Object.fromEntries(filled) }),
    requestsPerMinute,
    youngerThan: keepHours === undefined ? undefined : keepHours * HOUR_S,
  };
}

function checkTemplate(source: OwnSource): void {
  const { files, fields: own, index, cycles } = source;
  for (const [found, name] of files.matchAll(/\{([^}]*)\}/g))
    if (!placeholders.includes(name!))
      throw new OwnSourceError(
        ["files"],
        `there is no ${found}; there are ${placeholders.map((one) => `{${one}}`).join(" ")}`,
      );
  if (/\{V?HH\}/.test(files) && !/\{V?DD\}/.test(files))
    throw new OwnSourceError(
      ["files"],
      "it needs the day, {DD} or {VDD}: the hour alone names the same file every day, so that yesterday's would be read as today's",
    );
  const steps = stepsOf(source);
  if (/\{(F|V)/.test(files) && !steps.every(Number.isInteger))
    throw new OwnSourceError(["leads"], "they need whole hours: `files` names no others");
  const namesCycle = /\{(YYYY|MM|DD|HH)\}/.test(files) || (/\{V/.test(files) && /\{F/.test(files));
  if (!namesCycle && steps.at(-1)! - steps[0]! >= cycles.every)
    throw new OwnSourceError(
      ["files"],
      `it needs the base time, {YYYY} {MM} {DD} {HH}: leads reach the next base time, ${cycles.every} h later, so that two cycles would read the same file`,
    );
  const needsParam = /\{param\}/i.test(files);
  for (const [name, field] of Object.entries(own) as [string, OwnField][])
    if ((field.param !== undefined) !== needsParam)
      throw new OwnSourceError(
        ["fields", name],
        needsParam ? "it needs a param: `files` has {param}" : "it has a param, but `files` has no {param}",
      );
  if (index !== "none" && needsParam)
    throw new OwnSourceError(["index"], "files of one variable each have none");
}

function rulesOf(own: OwnSource, name: string, field: OwnField): FieldRule[] {
  const isDirection = name.endsWith(DIRECTION);
  if (isDirection !== (field.sense !== undefined))
    throw new OwnSourceError(
      ["fields", name],
      isDirection ? "a direction needs its sense: from or to" : "only directions have a sense",
    );
  const unit: Unit = isDirection ? "degree" : (fields[name as FieldName].unit as Unit);
  const selector = selectorOf(own, name, field, unit);
  const [factor, offset] = "grib" in field ? conversionOf(name, field, unit) : [1, 0];
  const turned = offset + (field.sense === "to" ? 180 : 0);
  const convert = scaled(factor, turned);
  const comment = "grib" in field && ["average", "accumulation"].includes(field.time) ? meanUntil : undefined;
  if (!isDirection) return [rule(name as FieldName, choice([selector], convert, comment))];
  const along = (part: typeof bearingX) => choice([selector], (inputs) => part([convert(inputs)]));
  return [rule(`${name}_x` as FieldName, along(bearingX)), rule(`${name}_y` as FieldName, along(bearingY))];
}

function selectorOf(own: OwnSource, name: string, field: OwnField, unit: Unit): Selector {
  const toward = name.includes("eastward") ? "east" : "north";
  const partner =
    toward === "east" ? name.replace("eastward", "northward") : name.replace("northward", "eastward");
  const other = own.fields[partner as keyof OwnSource["fields"]];
  if ("grib" in field) {
    if (own.index !== "none" && !field.index)
      throw new OwnSourceError(
        ["fields", name],
        "it needs `index`: its element and level in the words of the index",
      );
    const selector = gribSelectorOf(field);
    if (unit === "degree") return { ...selector, isDirection: true };
    if (partner === name) return selector;
    return {
      ...selector,
      component: { toward, other: other && "grib" in other ? gribSelectorOf(other) : undefined },
    };
  }
  if (own.index !== "none") throw new OwnSourceError(["index"], "NetCDF files have none");
  const selector = { kind: "netcdf", variable: field.variable, unit, height: field.height } as const;
  if (field.along === "earth") return selector;
  if (partner === name || !other || !("variable" in other))
    throw new OwnSourceError(["fields", name], `a component along the grid needs the other one: ${partner}`);
  if (other.along !== "grid")
    throw new OwnSourceError(
      ["fields", partner],
      `it needs \`along: grid\` as ${name} has it: both components, or none`,
    );
  return { ...selector, turnedWith: { variable: other.variable, toward } };
}

function gribSelectorOf({ grib: codes, level, time, index }: z.infer<typeof gribField>): GribSelector {
  const [type, value, to] = level;
  const words = index?.level ?? "";
  return grib({ codes, element: index?.element ?? "" }, { type, value, to, words }, time);
}

/** Converts an accumulation, which arrives as its mean per second since the previous step. */
function conversionOf(
  name: string,
  { units, time }: z.infer<typeof gribField>,
  unit: Unit,
): [number, number] {
  const given = time === "accumulation" ? `${units} s-1` : units;
  const found = conversionFrom({ units: given }, unit);
  if (!found)
    throw new OwnSourceError(["fields", name, "units"], `"${units}" is not known where ${unit} is expected`);
  return [found.factor, found.offset];
}

/**
 * Reads the feeds of the files in DATA_DIR/sources, ordered by file name.
 *
 * @param taken Names of other feeds and sources.
 * @throws WrongFileError
 */
export function readOwnSources(folder: string, taken: readonly string[] = []): FieldFeed[] {
  const files = yamlFiles(folder);
  const feeds = files.map((name) => readOwnSource(path.join(folder, name), taken));
  const twice = feeds.findIndex(({ name }, index) => feeds.findIndex((other) => other.name === name) < index);
  if (twice >= 0)
    throw new WrongFileError(`${files[twice]}: another file has the name ${feeds[twice]!.name} too`);
  return feeds;
}

/** Reads the feed of one file, YAML or JSON. @throws WrongFileError */
export function readOwnSource(file: string, taken: readonly string[] = []): FieldFeed {
  const { value, wrong } = readYaml(file, ownSourceSchema, unknownKey);
  if (taken.includes(value.name))
    throw wrong(["name"], `${value.name} is a feed of this service; those are ${taken.join(", ")}`);
  try {
    return compileOwnSource(value, secretOf);
  } catch (error) {
    if (error instanceof OwnSourceError) throw wrong(error.at, error.message);
    throw new WrongFileError(`${file}: it cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function unknownKey(at: readonly PropertyKey[]): string {
  if (at.length === 0)
    return `there is no such key; there are ${Object.keys(ownSourceSchema.shape).join(", ")}`;
  return at[0] === "fields" && at.length === 1
    ? `there is no such field; there are ${ownFieldNames.join(", ")}`
    : "there is no such key";
}
