import { type EcmwfIndexEntry, readEcmwfIndex } from "#server/ingest/grib2/ecmwf-index.ts";
import { type IndexEntry, readWgrib2Index } from "#server/ingest/grib2/wgrib2-index.ts";
import type { WantedMessage } from "./field-feed.ts";

/** A message of an object that has wanted fields. */
export interface FoundMessage {
  offset: number;
  /** undefined for the last one of a wgrib2 index: it extends to the end of the object. */
  length: number | undefined;
  /** Fields that the index lists in it, wanted or not. */
  fields: number;
  wanted: readonly WantedMessage[];
}

/** What an index has of the wanted messages. */
export interface FoundMessages {
  /** Ascending by offset, each message once. */
  messages: FoundMessage[];
  /** What it has nothing for, in words. */
  lacking: string[];
}

/** An index has nothing that is wanted, or is of another forecast. */
export class UnsuitableIndexError extends Error {
  override readonly name = "UnsuitableIndexError";
}

/** A line of either form of index. */
interface Line {
  offset: number;
  length: number | undefined;
  element: string;
  level: string;
  /** Hours since the base time: equal at an instant. */
  from: number;
  to: number;
  time: WantedMessage["time"] | "other";
  deterministic: boolean;
  /** Start of the forecast as written. */
  date: string;
}

/**
 * Finds the messages that have the wanted fields, and in place of those that lack what the fields can be made of instead.
 *
 * @param form Of the index: lines of wgrib2, or one JSON object a line.
 * @param cycle Base time that all wanted lines must have, Unix seconds.
 * @param lead Hours from the base time to the valid time. Of several windows that end then, the shortest is taken.
 * @throws IndexError for a text that is not an index, or ends within a line.
 * @throws UnsuitableIndexError
 */
export function findMessages(
  text: string,
  form: "wgrib2" | "ecmwf",
  wanted: readonly WantedMessage[],
  { cycle, lead }: { cycle: number; lead: number },
): FoundMessages {
  const lines =
    form === "wgrib2" ? readWgrib2Index(text).map(lineOfWgrib2) : readEcmwfIndex(text).map(lineOfEcmwf);
  if (lines.length === 0) throw new UnsuitableIndexError("the index is empty");
  const messages = new Map<number, FoundMessage>();
  const lacking: string[] = [];
  for (const message of wanted) {
    const rows = message.optional ? [[message]] : [[message], ...(message.instead ?? [])];
    const found = rows
      .map((row) => row.map((each) => ({ message: each, line: findLine(lines, each, lead, form) })))
      .find((row) => row.every(({ line }) => line));
    for (const { message: each, line } of found ?? []) if (line) add(each, line);
    if (!found && !message.optional) lacking.push(`${message.element} (${message.level}, ${message.time})`);
  }
  if (messages.size === 0 && lacking.length > 0)
    throw new UnsuitableIndexError(`of ${lines.length} fields the index lacks ${lacking.join(", ")}`);
  return { messages: [...messages.values()].sort((one, other) => one.offset - other.offset), lacking };

  function add(message: WantedMessage, line: Line): void {
    checkDate(line, cycle);
    const { offset, length } = line;
    const { wanted: before = [] } = messages.get(offset) ?? {};
    if (before.includes(message)) return;
    const fields = lines.filter((other) => other.offset === offset).length;
    messages.set(offset, { offset, length, fields, wanted: [...before, message] });
  }
}

function findLine(
  lines: readonly Line[],
  { element, alternatives = [], level, time }: WantedMessage,
  lead: number,
  form: "wgrib2" | "ecmwf",
): Line | undefined {
  for (const name of [element, ...alternatives]) {
    const found = lines
      .filter((line) => line.deterministic && line.element === name && line.level === level)
      .filter((line) => line.to === lead && isOfTime(line, time, form))
      .sort((one, other) => other.from - one.from);
    if (found[0]) return found[0];
  }
  return undefined;
}

/** ECMWF does not say what is done over a window, and may write the end of a window as it writes an instant. */
function isOfTime(line: Line, time: WantedMessage["time"], form: "wgrib2" | "ecmwf"): boolean {
  if (form === "wgrib2") return line.time === time;
  return time !== "instant" || line.from === line.to;
}

/** Yesterday's index may still lie where today's is expected. */
function checkDate({ date }: Line, cycle: number): void {
  const expected = new Date(cycle * 1000).toISOString().replace(/\D/g, "").slice(0, 12);
  if (!expected.startsWith(date) && !date.startsWith(expected))
    throw new UnsuitableIndexError(`the index is of ${date}, not of ${expected}`);
}

const INSTANT = /^(\d+) (hour|day) fcst$/;
const WINDOW = /^(\d+)-(\d+) (hour|day) (ave|acc|max) fcst$/;
const kinds: Readonly<Record<string, WantedMessage["time"]>> = {
  ave: "average",
  acc: "accumulation",
  max: "maximum",
};

function lineOfWgrib2({ offset, length, element, level, window, qualifier, date }: IndexEntry): Line {
  const line = { offset, length, element, level, date, deterministic: qualifier === "" };
  if (window === "anl") return { ...line, from: 0, to: 0, time: "instant" };
  const instant = INSTANT.exec(window);
  if (instant) {
    const hours = Number(instant[1]) * (instant[2] === "day" ? 24 : 1);
    return { ...line, from: hours, to: hours, time: "instant" };
  }
  const parts = WINDOW.exec(window);
  if (!parts) return { ...line, from: Number.NaN, to: Number.NaN, time: "other" };
  // Windows of whole days are written in days.
  const hours = parts[3] === "day" ? 24 : 1;
  return {
    ...line,
    from: Number(parts[1]) * hours,
    to: Number(parts[2]) * hours,
    time: kinds[parts[4]!]!,
  };
}

function lineOfEcmwf(entry: EcmwfIndexEntry): Line {
  const { offset, length, param, levtype, levelist, step, date, type } = entry;
  const [start, end = start] = step
    .split("-")
    .map((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN));
  return {
    offset,
    length,
    element: param,
    level: levelist === undefined ? levtype : `${levtype} ${levelist}`,
    from: start!,
    to: end!,
    time: start === end ? "instant" : "other",
    deterministic: type === "fc" || type === "an",
    date,
  };
}
