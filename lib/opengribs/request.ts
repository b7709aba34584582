import type { Box } from "@open-metocean/geo/box";
import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { VariableName } from "#lib/catalog/variables.ts";
import { stepHours } from "#lib/contract/files.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";

/**
 * Requests of the OpenGribs protocol, which XyGrib and the GRIB plugin of OpenCPN send to their file server, read as
 * their sources write them: `getmygribs2.php?model=gfs_p25_&la1=36&la2=44&lo1=-12&lo2=2&intv=3&days=8&par=W;P;`.
 */
export interface OpengribsRequest {
  /** Degrees; west > east crosses the antimeridian. */
  box: Box;
  /** Hours between two instants of the file, a divisor of 24. */
  hours: number;
  /** Hours after the first instant that the file holds, ascending; if absent, every `hours`. */
  offsets?: readonly number[];
  /** Length of the forecast from its base time on, seconds. */
  seconds: number;
  /** Hour of the base time, UTC; undefined for the newest run. */
  cycle: number | undefined;
  /** One entry for each of atmosphere and waves that is requested. */
  parts: readonly OpengribsPart[];
}

/** The fields of one model. */
export interface OpengribsPart {
  /** Name of the model in the request: `gfs_p25_`. */
  name: string;
  model: OpengribsModel;
  /** Grid step that the name of the model asks for, degrees. */
  step: number;
  /** Parameters that this service has a field for. */
  parameters: readonly OpengribsParameter[];
  /** Letters of parameters that this service has no field for. */
  unknown: readonly string[];
}

/** A parameter of a request. */
export interface OpengribsParameter {
  /** Its letter in the request, also where one variable has several letters. */
  letter: string;
  variable: VariableName;
}

/** The fields that a file has of one model. */
export interface FileContents {
  title: string;
  /** Base time of the newest run, Unix seconds. */
  base: number;
  variables: readonly VariableName[];
  /** Distance between nodes, degrees. */
  step: number;
  /** Number of times, and the last one, Unix seconds. */
  times: number;
  last: number;
  /** The numbers are invented. */
  isSynthetic: boolean;
}

/** A model of the protocol. */
export interface OpengribsModel {
  title: string;
  kind: "atmosphere" | "waves";
  /** Sources of the archive that are this model; none for a model that this service cannot read. */
  sources: readonly string[];
  /** The name under which `getstatus2.php` reports it; absent if it reports none. */
  status?: string;
}

/** Models by the beginning of their names. A longer name stands before a shorter one that it begins with. */
const models: readonly (OpengribsModel & { prefix: string })[] = [
  { prefix: "gfs", title: "GFS", kind: "atmosphere", sources: ["gfs"], status: "gfs" },
  { prefix: "ecmwf", title: "ECMWF", kind: "atmosphere", sources: ["ecmwf"], status: "ecm" },
  { prefix: "icon_eu", title: "ICON-EU", kind: "atmosphere", sources: [], status: "ice" },
  { prefix: "icon", title: "ICON", kind: "atmosphere", sources: [], status: "ico" },
  { prefix: "arpege_eu", title: "ARPEGE Europe", kind: "atmosphere", sources: [], status: "are" },
  { prefix: "arpege", title: "ARPEGE", kind: "atmosphere", sources: ["arpege"], status: "arp" },
  { prefix: "arome", title: "AROME", kind: "atmosphere", sources: [] },
  { prefix: "nam_conus", title: "NAM CONUS", kind: "atmosphere", sources: [], status: "ncb" },
  { prefix: "nam_cacbn", title: "NAM Caribbean", kind: "atmosphere", sources: [], status: "nca" },
  { prefix: "nam_pacific", title: "NAM Pacific", kind: "atmosphere", sources: [], status: "npa" },
  { prefix: "ww3", title: "WW3", kind: "waves", sources: ["gfswave"], status: "ww3" },
  { prefix: "gwam", title: "GWAM", kind: "waves", sources: ["dwdgwam"], status: "gwa" },
  { prefix: "ewam", title: "EWAM", kind: "waves", sources: ["dwdewam"], status: "ewa" },
];

/** Models that `getstatus2.php` reports, by their names there. */
export const statusModels: Readonly<Record<string, OpengribsModel>> = Object.fromEntries(
  models.flatMap(({ status, ...model }) => (status === undefined ? [] : [[status, model]])),
);

/** Variables by the letter of a parameter of the atmosphere. `P` and `p` are the pressure at sea level. */
const atmosphere: Readonly<Record<string, VariableName>> = {
  W: "wind",
  P: "pressure",
  p: "pressure",
  R: "rain",
  C: "cloud",
  T: "temp",
  c: "mucape",
  G: "gust",
};

/** Variables by the letter of a parameter of waves: height, direction and period of the swell and of the wind sea. */
const waves: Readonly<Record<string, VariableName>> = {
  s: "wave",
  H: "extra_wave",
  D: "extra_wave",
  P: "extra_wave",
  h: "extra_wave",
  d: "extra_wave",
  p: "extra_wave",
};

const tables = { atmosphere, waves } as const;

/** Longest forecast that a request may ask for, days. */
const MAX_DAYS = 16;

/**
 * Reads the query of `getmygribs2.php`.
 *
 * @returns The request, or in words why it cannot be answered: the client shows the text to its user.
 */
export function readOpengribs(query: URLSearchParams): OpengribsRequest | string {
  const box = boxOf(query);
  if (typeof box === "string") return box;
  const hours = numberOf(query, "intv", 3);
  if (!stepHours.some((one) => one === hours)) return `The interval can be ${stepHours.join(", ")} hours.`;
  const days = numberOf(query, "days", 1);
  if (!(days > 0 && days <= MAX_DAYS)) return `A file holds from 1 to ${MAX_DAYS} days.`;
  const cycle = cycleOf(query.get("cyc") ?? "last");
  if (Number.isNaN(cycle)) return "The run is last, 00, 06, 12 or 18.";
  const parts: OpengribsPart[] = [];
  for (const [kind, model, letters] of [
    ["atmosphere", query.get("model"), query.get("par")],
    ["waves", query.get("wmdl"), query.get("wpar")],
  ] as const) {
    const part = partOf(kind, model ?? "none", letters ?? "");
    if (typeof part === "string") return part;
    if (part) parts.push(part);
  }
  if (parts.length === 0) return "Choose a model and at least one of its parameters.";
  if (parts.every(({ parameters }) => parameters.length === 0))
    return `This server has none of the parameters ${parts.flatMap(({ unknown }) => unknown).join(", ")}.`;
  return { box, hours, seconds: days * DAY_S, cycle, parts };
}

function boxOf(query: URLSearchParams): Box | string {
  const [south, north, west, east] = ["la1", "la2", "lo1", "lo2"].map((name) =>
    numberOf(query, name, Number.NaN),
  );
  if (![south, north, west, east].every(Number.isFinite))
    return "The area needs numbers in la1, la2, lo1 and lo2: south, north, west and east.";
  if (south! > north! || south! < -90 || north! > 90)
    return "The area's latitudes are from -90 to 90, the southern one first.";
  if (Math.min(west!, east!) < -360 || Math.max(west!, east!) > 540)
    return "The area's longitudes are from -360 to 540.";
  const width = west! > east! ? east! + 360 - west! : east! - west!;
  if (width >= 360) return { south: south!, north: north!, west: -180, east: 180 };
  return { south: south!, north: north!, west: wrapped(west!), east: wrapped(east!) };
}

/** Longitude from −180 to 180. 180 stays as it is, because it may be the eastern edge of an area. */
function wrapped(longitude: number): number {
  return Math.abs(longitude) <= 180 ? longitude : normaliseLongitude(longitude);
}

function numberOf(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)?.trim();
  if (text === undefined || text === "") return otherwise;
  return /^[+-]?\d{1,6}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
}

/** Hour of the base time; undefined for the newest run; NaN for a text that is neither. */
function cycleOf(text: string): number | undefined {
  if (text === "last" || text === "") return undefined;
  return /^(00|06|12|18)$/.test(text) ? Number(text) : Number.NaN;
}

function partOf(
  kind: OpengribsModel["kind"],
  name: string,
  letters: string,
): OpengribsPart | string | undefined {
  const asked = [...new Set(letters.split(";").map((letter) => letter.trim().slice(0, 8)))].filter(
    (letter) => letter !== "",
  );
  if (name === "none" || name === "" || asked.length === 0) return undefined;
  const found = models.find(({ prefix }) => name.toLowerCase().startsWith(prefix));
  if (!found || found.kind !== kind)
    return `This server does not know the ${kind === "waves" ? "wave model" : "model"} ${name.slice(0, 20)}.`;
  const { prefix: _prefix, ...model } = found;
  const table: Readonly<Record<string, VariableName>> = tables[kind];
  return {
    name,
    model,
    step: stepOf(name),
    parameters: asked.flatMap((letter) =>
      Object.hasOwn(table, letter) ? [{ letter, variable: table[letter]! }] : [],
    ),
    unknown: asked.filter((letter) => !Object.hasOwn(table, letter)),
  };
}

/**
 * Grid step in degrees that a name asks for: `gfs_p25_` 0.25, `gfs_p50_` 0.5, `gfs_1p0_` 1, `icon_eu_p06_` 0.0625,
 * `arome_p025_` 0.025; 0.25 where the name has none.
 */
function stepOf(name: string): number {
  const [, whole = "", part = ""] = /_(\d?)p(\d{1,3})_?$/.exec(name.toLowerCase()) ?? [];
  if (part === "") return 0.25;
  if (part === "06") return 0.0625;
  return Number(`${whole || 0}.${part}`) || 0.25;
}

/** Base time of the newest run at an hour of the day, at or before a time. Unix seconds. */
export function cycleBefore(time: number, hour: number): number {
  const today = Math.floor(time / DAY_S) * DAY_S + hour * HOUR_S;
  return today <= time ? today : today - DAY_S;
}

/** Name of a file: `20230407_180506_GFS_P25_.grb2`. @param made When it was made, Unix seconds. */
export function opengribsFileName(parts: readonly OpengribsPart[], made: number): string {
  const stamp = new Date(made * 1000).toISOString().replace(/[-:]/g, "").replace("T", "_").slice(0, 15);
  const names = parts.map(({ name }) => name.toUpperCase().replace(/[^A-Z0-9_]/g, ""));
  return `${stamp}_${names.join("")}.grb2`;
}
