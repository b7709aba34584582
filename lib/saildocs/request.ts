import type { Box } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import type { VariableName } from "#lib/catalog/variables.ts";
import { stepHours } from "#lib/contract/files.ts";
import type { OpengribsModel, OpengribsPart, OpengribsRequest } from "#lib/opengribs/request.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { HOUR_S } from "#lib/time.ts";

/** A request in one line of an e-mail, or in words why the line cannot be answered. */
export type MailRequest = FileRequestLine | SpotRequestLine | { kind: "problem"; text: string };

/** A line such as `send gfs:40N,50N,60W,45W|0.5,0.5|0,3..96|WIND,PRMSL`. */
export interface FileRequestLine {
  kind: "file";
  /** The letters of its parameters are their words. */
  request: OpengribsRequest;
}

/** A line such as `send spot:47N,5W|3,6|WIND,WAVES`. */
export interface SpotRequestLine {
  kind: "spot";
  place: Place;
  days: number;
  /** Hours between two rows, a divisor of 24. */
  hours: number;
  variables: readonly VariableName[];
  unknown: readonly string[];
}

/** The requests of an e-mail. */
export interface MailRequests {
  requests: readonly MailRequest[];
  /** Largest answer that the person wants, bytes; undefined if the e-mail does not say. */
  maxBytes: number | undefined;
}

interface Source extends OpengribsModel {
  waves?: OpengribsModel;
}

const gfsWave: OpengribsModel = { title: "GFS waves", kind: "waves", sources: ["gfswave"] };
const gfs: Source = { title: "GFS", kind: "atmosphere", sources: ["gfs"], waves: gfsWave };

/** Models by the names that lines have for them. A model of the atmosphere names the one that has its waves. */
const models: Readonly<Record<string, Source>> = {
  gfs,
  grib: gfs,
  ecmwf: {
    title: "ECMWF",
    kind: "atmosphere",
    sources: ["ecmwf"],
    waves: { title: "ECMWF waves", kind: "waves", sources: ["ecmwfwave"] },
  },
  aifs: {
    title: "ECMWF AIFS",
    kind: "atmosphere",
    sources: ["ecmwfaifs"],
    waves: { title: "ECMWF AIFS waves", kind: "waves", sources: ["ecmwfaifswave"] },
  },
  ukmo: { title: "UKMO global", kind: "atmosphere", sources: ["ukmo"] },
  arpege: { title: "ARPEGE", kind: "atmosphere", sources: ["arpege"] },
  ww3: gfsWave,
  waves: gfsWave,
  gfswave: gfsWave,
  gwam: { title: "GWAM", kind: "waves", sources: ["dwdgwam"] },
  ewam: { title: "EWAM", kind: "waves", sources: ["dwdewam"] },
};

const atmosphere: Readonly<Record<string, VariableName>> = {
  WIND: "wind",
  PRMSL: "pressure",
  PRESS: "pressure",
  PRES: "pressure",
  MSLP: "pressure",
  GUST: "gust",
  RAIN: "rain",
  APCP: "rain",
  PRECIP: "rain",
  CLOUD: "cloud",
  CLOUDS: "cloud",
  TCDC: "cloud",
  TEMP: "temp",
  AIRTMP: "temp",
  CAPE: "mucape",
};

const waves: Readonly<Record<string, VariableName>> = {
  WAVES: "wave",
  HTSGW: "wave",
  WVPER: "wave",
  WVDIR: "wave",
  SWELL: "extra_wave",
};

/** Parameters that only a spot has. */
const sea: Readonly<Record<string, VariableName>> = {
  SEATMP: "sst",
  SFCTMP: "sst",
  WTMP: "sst",
  SST: "sst",
  CUR: "current",
  CURRENT: "current",
};

/** Longest text that is read, characters, and most requests in it. */
const MAX_TEXT = 16_384;
const MAX_REQUESTS = 5;

/** Defaults of Saildocs for a line that does not say: grid step in degrees, hours, days and hours of a spot. */
const DEFAULT_STEP = 2;
const DEFAULT_HOURS = "24,48,72";
const DEFAULT_SPOT = "5,6";
const MAX_HOURS = 384;

/** How to write a request. It does not begin with the word that begins a line, so that a reply to it is no request. */
export const howTo =
  'Write "send" and gfs:40N,50N,60W,45W|1,1|0,6..72|WIND,PRMSL on one line, or "send" and spot:47N,5W.';

const SIZE = /(?:^|\s)max[\s:=]*(\d{1,6}(?:\.\d{1,3})?)\s*k(?:i?b)?\s*$/i;

/**
 * Reads the lines of an e-mail that begin with `send`, as Saildocs documents them and OpenCPN writes them. All other lines
 * are ignored, except `max 30k`. Reading ends at a signature or a quoted e-mail.
 *
 * @param text Plain text. A line that ends with `=`, `,` or `|` continues on the next one.
 */
export function readMailRequests(text: string): MailRequests {
  const requests: MailRequest[] = [];
  let maxBytes: number | undefined;
  for (const line of linesOf(text)) {
    const size = SIZE.exec(line);
    if (size) maxBytes = Math.min(maxBytes ?? Number.POSITIVE_INFINITY, Number(size[1]) * 1000);
    const [, target] = /^send\s+(\S.*)$/i.exec(line.replace(SIZE, "").trim()) ?? [];
    if (target !== undefined) requests.push(readTarget(target));
    else if (/^(sub|subscribe)\s/i.test(line))
      requests.push({ kind: "problem", text: "Subscriptions are not available: send a request each time." });
  }
  if (requests.length <= MAX_REQUESTS) return { requests, maxBytes };
  const more = `Only the first ${MAX_REQUESTS} requests of an e-mail are answered.`;
  return { requests: [...requests.slice(0, MAX_REQUESTS), { kind: "problem", text: more }], maxBytes };
}

function linesOf(text: string): string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const raw of text.slice(0, MAX_TEXT).split(/\r\n?|\n/)) {
    const line = raw.replace(/[\s\u00a0]+/g, " ").trim();
    if (/^(--$|-{3,}|_{5,}|quit$)/i.test(line)) break;
    if (isOpen) lines[lines.length - 1] += line.replace(/=$/, "");
    else lines.push(line.replace(/=$/, ""));
    isOpen = /^send\s/i.test(lines.at(-1)!) && /[=,|¦]$/.test(line);
  }
  return lines;
}

function readTarget(target: string): MailRequest {
  const [, name = "", rest = ""] = /^([a-z0-9]{1,12})\s*:\s*(.*)$/i.exec(target) ?? [];
  const model = name.toLowerCase();
  const fields = rest.split(/[|¦]/.test(rest) ? /[|¦]/ : "/").map((field) => field.replace(/\s/g, ""));
  try {
    if (model === "spot") return readSpot(fields);
    if (Object.hasOwn(models, model)) return readFile(model, fields);
  } catch (error) {
    if (error instanceof RequestProblem) return { kind: "problem", text: error.message };
    throw error;
  }
  return {
    kind: "problem",
    text: `There are gfs, ecmwf, aifs, ukmo, arpege, ww3, gwam, ewam and spot. ${howTo}`,
  };
}

/** The line is not a request. The message is for the person who wrote it. */
class RequestProblem extends Error {
  override readonly name = "RequestProblem";
}

function readFile(name: string, [area = "", grid = "", times = "", parameters = ""]: string[]): MailRequest {
  const model = models[name]!;
  const isWaves = model.kind === "waves";
  const words = wordsOf(parameters || (isWaves ? "WAVES" : "PRMSL,WIND"));
  const step = stepOf(grid);
  const box = boxOf(area);
  const hours = hoursOf(times || DEFAULT_HOURS);
  const part = (of: OpengribsModel, table: typeof waves): OpengribsPart[] => {
    const parameters = words.flatMap((letter) =>
      Object.hasOwn(table, letter) ? [{ letter, variable: table[letter]! }] : [],
    );
    return parameters.length === 0
      ? []
      : [{ name: of.sources[0]!, model: of, step, parameters, unknown: [] }];
  };
  const wavesOf = isWaves ? model : model.waves;
  const parts = [...(isWaves ? [] : part(model, atmosphere)), ...(wavesOf ? part(wavesOf, waves) : [])];
  const known = parts.flatMap(({ parameters }) => parameters.map(({ letter }) => letter));
  const unknown = words.filter((word) => !known.includes(word));
  const [first, ...others] = parts;
  if (!first) throw new RequestProblem(unknownText(unknown, { ...(isWaves ? {} : atmosphere), ...waves }));
  const seconds = Math.max(...hours) * HOUR_S;
  return {
    kind: "file",
    request: {
      box,
      hours: 1,
      offsets: hours,
      seconds,
      cycle: undefined,
      parts: [{ ...first, unknown }, ...others],
    },
  };
}

function readSpot([at = "", times = "", parameters = ""]: string[]): MailRequest {
  const place = placeOf(at);
  const [days = Number.NaN, hours = 6] = (times || DEFAULT_SPOT).split(",").map(numberOf);
  if (!(days > 0 && days <= 16)) throw new RequestProblem("A spot has from 1 to 16 days: spot:47N,5W|3,6");
  if (!stepHours.some((one) => one === hours))
    throw new RequestProblem(`The hours between rows are ${stepHours.join(", ")}: spot:47N,5W|3,6`);
  const table = { ...atmosphere, ...waves, ...sea };
  const words = wordsOf(parameters || "WIND,GUST,PRMSL,WAVES");
  const variables = [...new Set(words.flatMap((word) => table[word] ?? []))];
  const unknown = words.filter((word) => !Object.hasOwn(table, word));
  if (variables.length === 0) throw new RequestProblem(unknownText(unknown, table));
  return { kind: "spot", place, days, hours, variables, unknown };
}

/** The first word that lines have for a variable. */
export function wordOf(name: VariableName): string | undefined {
  return Object.entries({ ...atmosphere, ...waves, ...sea }).find(([, variable]) => variable === name)?.[0];
}

function unknownText(unknown: readonly string[], table: Readonly<Record<string, VariableName>>): string {
  // One word for each variable.
  const names = Object.keys(table).filter(
    (word, at, all) => all.findIndex((each) => table[each] === table[word]) === at,
  );
  return `There is no ${unknown.join(", ")}. Parameters: ${names.join(", ")}.`;
}

/** Words of parameters, in capitals: letters and digits only, because answers repeat those that are unknown. */
function wordsOf(text: string): string[] {
  const words = text.toUpperCase().split(/[,; ]+/);
  return [...new Set(words.filter((word) => /^[A-Z0-9]{1,10}$/.test(word)))].slice(0, 20);
}

function boxOf(text: string): Box {
  const [one, two, three, four, more] = text.split(",");
  if (four === undefined || more !== undefined)
    throw new RequestProblem("The area has two latitudes and two longitudes: gfs:40N,50N,60W,45W");
  const [first, second] = [placeOf(`${one} ${three}`), placeOf(`${two} ${four}`)];
  const [south, north] = [first.latitude, second.latitude].sort((a, b) => a - b) as [number, number];
  // Programs write the longitudes in either order, and no area is wider than half of the earth.
  const width = (second.longitude - first.longitude + 360) % 360;
  const [west, east] = width <= 180 ? [first, second] : [second, first];
  return { south, north, west: west.longitude, east: east.longitude };
}

function placeOf(text: string): Place {
  const read = readPosition(text);
  if (read.kind === "place") return read.place;
  throw new RequestProblem("The position is not clear. Write degrees with letters, such as 47.5N,5.25W");
}

function stepOf(text: string): number {
  const steps = text === "" ? [DEFAULT_STEP] : text.split(",").map(numberOf);
  const step = Math.max(...steps);
  if (!(step > 0 && step <= 30)) throw new RequestProblem("The grid step is in degrees, such as 0.5,0.5");
  return step;
}

/** Hours after the base time: `0,3..96` is 0, 3, 6 and so on to 96. */
function hoursOf(text: string): number[] {
  const hours: number[] = [];
  for (const term of text.split(",")) {
    const [first, last] = term.split("..").map(numberOf);
    const before = hours.at(-1);
    hours.push(first!);
    if (last === undefined) continue;
    const step = before === undefined ? Number.NaN : first! - before;
    if (!(step >= 1)) throw new RequestProblem("Two hours stand before the dots, such as 0,3..96");
    for (let hour = first! + step; hour <= Math.min(last, MAX_HOURS); hour += step) hours.push(hour);
  }
  if (!hours.every((hour) => Number.isInteger(hour) && hour >= 0 && hour <= MAX_HOURS))
    throw new RequestProblem(`The times are whole hours from 0 to ${MAX_HOURS}, such as 0,3..96`);
  return [...new Set(hours)].sort((a, b) => a - b);
}

function numberOf(text: string): number {
  return /^\d{1,4}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
}
