import type { Axis, Grid } from "@open-metocean/geo/grid";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import {
  arraysInstead,
  byProfile,
  bytesOfMessages,
  type FieldFeed,
  fieldsOfProfile,
  fill,
  leadOf,
  messagesAt,
  ofProfiles,
  type Part,
  type PartObjects,
  type Profile,
  wantedArrays,
  wantedMessages,
  withEnd,
} from "#server/ingest/feeds/field-feed.ts";
import { type FieldRule, modelName, type Source } from "#server/ingest/sources/source.ts";

/** Properties of a publisher, as its folder states them. */
interface Description {
  /** Name in FEEDS, in answers, and for files that are ingested by hand. */
  name: string;
  /** Publisher and product, for people: "NOAA GFS". The names of the variables are appended. */
  title: string;
  /** A note on the values, after the names of the variables: "with a true mean period". */
  remark?: string;
  /** Name of the publisher with which it is one model in requests, such as that of the wind that drives these waves. */
  system?: string;
  /** Name of the model in answers, before the resolution of the grid: "GFS". */
  model: string;
  licence: string;
  /** The line that the licence asks for. */
  credit: string;
  /** Default: Forecast. */
  dataset?: DatasetName;
  fields: readonly FieldRule[];
  /** Step whose valid time is the base time if files name none. */
  baseTimeFrom?: Source["baseTimeFrom"];
  /** The last step stays valid for this long after its time, seconds. */
  validFor?: number;
  /** Variables for which all other publishers are preferred. */
  lastFor?: readonly VariableName[];
  /** Rules of fetching; absent where its files are only ingested by hand. */
  feed?: FeedDescription;
}

/** Where and when a publisher's objects appear, and what each profile fetches of them. */
type FeedDescription = Pick<FieldFeed, "cycles" | "ended" | "delay" | "mirrors" | "parts" | "inProfile"> & {
  /** Extent and resolution of the fetched data. */
  grid: Grid | Readonly<Record<Profile, Grid>>;
} & (MessageFiles | VariableFiles | StoredArrays | OtherObjects);

/**
 * GRIB2 files, one for each part, with an index beside each: only the wanted messages are fetched. Without an index there
 * is one file for each part and message, whose name has the element of the message as `{param}`.
 */
interface MessageFiles {
  /** Template of the name of a file; see `fill`. */
  files: string | ((part: Part) => string);
  /** Templates of other versions of the model; see `otherNames` of a feed. */
  otherFiles?: readonly string[];
  index: "wgrib2" | "ecmwf" | "none";
  /** Length of a message whose parameter states none, bytes. */
  messageBytes?: number;
  /** Fields that the first step of a cycle may lack, because their windows have no length there. */
  absentAtStart?: readonly FieldName[];
}

/** A NetCDF file for each step and variable, whose name has that of its content as `{param}`. */
interface VariableFiles {
  files: string;
  /** Name of the content in the name of a file, and its usual bytes, by the variable in the file. */
  contents: Readonly<Record<string, { param: string; bytes: number }>>;
}

/** One Zarr v2 store of all cycles, which each run overwrites. */
interface StoredArrays {
  /** Name of the store below the address of a mirror. */
  store: string;
  /** A chunk that was written earlier after the base time belongs to the previous run, seconds. */
  writtenAfter: number;
  /** Approximate bytes of an array at one step. */
  arrayBytes: number;
}

/** Objects of any other form. */
type OtherObjects = Pick<FieldFeed, "objects" | "otherNames" | "partBytes">;

export interface Publisher extends Pick<Description, "name" | "licence" | "credit" | "lastFor" | "system"> {
  source: Source;
  feed: FieldFeed | undefined;
  /** Its variables, in the order of the catalog. */
  variables: readonly VariableName[];
}

/** Derives the source and the feed of a publisher from its description. */
export function publisher(description: Description): Publisher {
  const { name, title, system, model, credit, licence, lastFor, remark, fields: rules } = description;
  const { dataset = "Forecast", baseTimeFrom, validFor, feed } = description;
  const variables = variablesOf(rules.map(({ field }) => field));
  const isGrib = rules.some(({ choices }) => choices.some(({ needs }) => needs[0]?.kind === "grib2"));
  const source: Source = {
    name,
    title: `${describe(title, variables, remark)} (${isGrib ? "GRIB2" : "NetCDF or Zarr"})`,
    dataset,
    model: modelName(model),
    rules,
    ...(baseTimeFrom && { baseTimeFrom }),
    ...(validFor !== undefined && { validFor }),
  };
  return {
    name,
    licence,
    credit,
    source,
    variables,
    feed: feed && feedOf({ title, remark, credit }, source, feed),
    ...(lastFor && { lastFor }),
    ...(system !== undefined && { system }),
  };
}

function feedOf(
  about: Pick<Description, "title" | "remark" | "credit">,
  source: Source,
  { grid, ...feed }: FeedDescription,
): FieldFeed {
  const { cycles, ended, delay, mirrors, parts, inProfile } = feed;
  const grids = "lite" in grid ? grid : byProfile(grid, grid);
  const objects =
    "contents" in feed
      ? variablesIn(source, feed)
      : "files" in feed
        ? messagesOf(source, feed)
        : "store" in feed
          ? arraysOf(source, feed)
          : feed;
  const { otherNames } = objects;
  const made: FieldFeed = {
    ...(otherNames && { otherNames }),
    name: source.name,
    credit: about.credit,
    source,
    grid: grids,
    cycles,
    delay,
    mirrors,
    parts,
    ...(inProfile && { inProfile }),
    ...(ended !== undefined && { ended }),
    objects: objects.objects,
    partBytes: objects.partBytes,
    title: (profile) =>
      withEnd(
        describe(
          `${about.title} ${resolutionOf(grids[profile])}`,
          variablesOf(fieldsOfProfile(made, profile)),
          about.remark,
        ),
        ended,
      ),
  };
  return made;
}

function messagesOf(source: Source, files: MessageFiles): OtherObjects {
  const { messageBytes, absentAtStart } = files;
  const withBytes = (fields: readonly FieldName[], optional?: ReadonlySet<FieldName>) =>
    wantedMessages(source, fields, optional).map((message) =>
      message.bytes === undefined && messageBytes !== undefined
        ? { ...message, bytes: messageBytes }
        : message,
    );
  const wanted = ofProfiles(source, (fields) => withBytes(fields));
  const atStart = absentAtStart
    ? ofProfiles(source, (fields) => withBytes(fields, new Set(absentAtStart)))
    : wanted;
  const { otherFiles } = files;
  const objectsAt = (name: string, part: Part, profile: Profile): PartObjects => {
    const messages = (leadOf(part) === 0 ? atStart : wanted)[profile];
    if (files.index !== "none") return messagesAt(fill(name, part), files.index, messages);
    const objects = messages.map(({ element }) => fill(name, part, element));
    return { kind: "all", objects, wanted: messages };
  };
  return {
    objects: (part, profile) =>
      objectsAt(typeof files.files === "string" ? files.files : files.files(part), part, profile),
    ...(otherFiles && {
      otherNames: (part, profile) => otherFiles.map((name) => objectsAt(name, part, profile)),
    }),
    partBytes: (profile) => bytesOfMessages(wanted[profile]),
  };
}

function variablesIn(source: Source, { files, contents }: VariableFiles): OtherObjects {
  const variables = ofProfiles(source, (fields) =>
    wantedArrays(source, fields).map((name) => ({ name, ...contents[name]! })),
  );
  return {
    objects: (part, profile) => ({
      kind: "all",
      objects: variables[profile].map(({ param }) => fill(files, part, param)),
      variables: variables[profile].map(({ name, param }) => ({ name, param })),
    }),
    partBytes: (profile) => variables[profile].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function arraysOf(source: Source, { store, writtenAfter, arrayBytes }: StoredArrays): OtherObjects {
  const arrays = ofProfiles(source, (fields) => wantedArrays(source, fields));
  const instead = arraysInstead(source);
  return {
    objects: ({ cycle }, profile) => ({
      kind: "zarr",
      store,
      arrays: arrays[profile],
      instead,
      writtenFrom: cycle + writtenAfter,
    }),
    partBytes: (profile) => arrays[profile].length * arrayBytes,
  };
}

/** The variables whose first output can be derived from some fields, in the order of the catalog. */
export function variablesOf(names: readonly FieldName[]): VariableName[] {
  return variableNames.filter((name) =>
    (variable(name).outputs[0]?.of ?? fieldsOf(name)).every((field) => names.includes(field)),
  );
}

/** A title with the names of variables: "NOAA GFS 0.25°: wind, gusts, pressure". */
export function describe(title: string, variables: readonly VariableName[], remark?: string): string {
  return [`${title}: ${variables.map(nameInSentence).join(", ")}`, remark ?? []].flat().join(", ");
}

function nameInSentence(name: VariableName): string {
  const { layer, title } = variable(name);
  const found = (layer === false ? undefined : layer?.name) ?? title;
  return /^[A-Z][a-z]/.test(found) ? found[0]!.toLowerCase() + found.slice(1) : found;
}

/** The resolution of a grid for people: "0.25°", "1/12°", "0.12° × 0.24°". */
export function resolutionOf({ latitude, longitude }: Grid): string {
  const [rows, columns] = [degrees(latitude.step), degrees(longitude.step)];
  return rows === columns ? rows : `${rows} × ${columns}`;
}

function degrees(step: number): string {
  const decimal = Number(step.toFixed(6));
  const isShort = Math.abs(decimal * 100 - Math.round(decimal * 100)) < 1e-6;
  if (isShort) return `${decimal}°`;
  const parts = Math.round(1 / step);
  return Math.abs(parts * step - 1) < 1e-3 ? `1/${parts}°` : `${Number(step.toFixed(3))}°`;
}

/**
 * A regular grid around the globe, with nodes at its edges.
 *
 * @param step Degrees between nodes, of rows and of columns if these differ.
 * @param south Latitude of the first row; the poles by default.
 */
export function around(step: number | { rows: number; columns: number }, south = -90, north = 90): Grid {
  const { rows, columns } = typeof step === "number" ? { rows: step, columns: step } : step;
  const longitude: Axis = { start: -180, step: columns, count: Math.round(360 / columns) };
  return { latitude: { start: south, step: rows, count: Math.round((north - south) / rows) + 1 }, longitude };
}
