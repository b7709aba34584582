import { z } from "zod";
import { type EnsemblePart, isOfPart, partName } from "#server/ingest/ensemble-part.ts";
import type { WantedMessage } from "./field-feed.ts";
import { UnsuitableDataError } from "./part-store.ts";

/** A wgrib2 index has a line per field, an ECMWF index a JSON object per line. */
type IndexForm = "wgrib2" | "ecmwf";

/** One field of a GRIB2 object, from either form of index. */
export interface IndexLine {
  /** Offset of its message, bytes. */
  offset: number;
  /**
   * Length of the message, bytes; undefined for the last one of a wgrib2 index, which extends to the end of the object.
   */
  length: number | undefined;
  /** NCEP's abbreviation, such as "UGRD", or ECMWF's short name, such as "10u". */
  element: string;
  /** Level as the index writes it: "10 m above ground"; "sfc", "pl 925". */
  level: string;
  /** Start and end of the window, hours since the base time; equal at an instant. */
  from: number;
  to: number;
  time: WantedMessage["time"] | "other";
  /** The part of an ensemble that the field is; undefined for a deterministic forecast. */
  part: EnsemblePart | "other" | undefined;
  /** Base time as written: YYYYMMDDHH or YYYYMMDDHHMM. */
  date: string;
}

/** A message of an object that has wanted fields. */
export interface FoundMessage extends Pick<IndexLine, "offset" | "length"> {
  /** Number of fields that the index lists in it, wanted or not. */
  fields: number;
  wanted: readonly WantedMessage[];
}

interface FoundMessages {
  /** Each message once, ascending by offset. */
  messages: FoundMessage[];
  /** Wanted messages without an entry. */
  lacking: WantedMessage[];
}

/**
 * Finds the messages that have the wanted fields, and substitutes for those that the index lacks.
 *
 * @param cycle Base time that all wanted lines must have, Unix seconds.
 * @param lead Hours from the base time to the valid time. Of several windows that end then, the shortest is taken.
 * @throws UnsuitableDataError, also for a text that is not an index or ends within a line.
 */
export function findMessages(
  text: string,
  form: IndexForm,
  wanted: readonly WantedMessage[],
  { cycle, lead }: { cycle: number; lead: number },
): FoundMessages {
  const lines = readIndex(text, form);
  if (lines.length === 0) throw new UnsuitableDataError("the index is empty");
  const messages = new Map<number, FoundMessage>();
  const lacking: WantedMessage[] = [];
  for (const message of wanted) {
    const rows = message.optional ? [[message]] : [[message], ...(message.instead ?? [])];
    const found = rows
      .map((row) => row.map((each) => ({ message: each, line: findLine(lines, each, lead, form) })))
      .find((row) => row.every(({ line }) => line));
    for (const { message: each, line } of found ?? []) if (line) add(each, line);
    if (!found && !message.optional) lacking.push(message);
  }
  if (messages.size === 0 && lacking.length > 0)
    throw new UnsuitableDataError(
      `of ${lines.length} fields the index lacks ${lacking.map((each) => describeMessage(each)).join(", ")}`,
    );
  return { messages: [...messages.values()].sort((one, other) => one.offset - other.offset), lacking };

  function add(message: WantedMessage, line: IndexLine): void {
    checkDate(line, cycle);
    const { offset, length } = line;
    const { wanted: before = [] } = messages.get(offset) ?? {};
    if (before.includes(message)) return;
    const fields = lines.filter((other) => other.offset === offset).length;
    messages.set(offset, { offset, length, fields, wanted: [...before, message] });
  }
}

/** A message in words for the operator. @param fault What is wrong with it. */
export function describeMessage({ element, level, time, part }: WantedMessage, fault?: string): string {
  const of = part === undefined ? "" : ` of the ${partName(part)}`;
  return `${element}${of} (${level}, ${time}${fault === undefined ? "" : `: ${fault}`})`;
}

function findLine(
  lines: readonly IndexLine[],
  { element, alternatives = [], level, time, part }: WantedMessage,
  lead: number,
  form: IndexForm,
): IndexLine | undefined {
  // ECMWF does not name the statistic over a window, and may write the end of a window like an instant.
  const isOfTime = (line: IndexLine) =>
    form === "wgrib2" ? line.time === time : time !== "instant" || line.from === line.to;
  for (const name of [element, ...alternatives]) {
    const [found] = lines
      .filter((line) => isOfPart(line.part, part) && line.element === name && line.level === level)
      .filter((line) => line.to === lead && isOfTime(line))
      .sort((one, other) => other.from - one.from);
    if (found) return found;
  }
  return undefined;
}

/** Checks the base time of a line, because yesterday's index may still lie where today's is expected. */
function checkDate({ date }: IndexLine, cycle: number): void {
  const expected = new Date(cycle * 1000).toISOString().replace(/\D/g, "").slice(0, 12);
  if (!expected.startsWith(date) && !date.startsWith(expected))
    throw new UnsuitableDataError(`the index is of ${date}, not of ${expected}`);
}

/** @throws UnsuitableDataError */
export function readIndex(text: string, form: IndexForm): IndexLine[] {
  const lines: IndexLine[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      const read = form === "wgrib2" ? lineOfWgrib2(line.trimEnd()) : lineOfEcmwf(line);
      if (form === "wgrib2" && read.offset < (lines.at(-1)?.offset ?? 0))
        throw new RangeError("offsets ascend");
      lines.push(read);
    } catch (cause) {
      const what = `Line ${index + 1} of the index is not one of a field: ${line.slice(0, 120)}`;
      throw new UnsuitableDataError(what, { cause });
    }
  }
  return form === "wgrib2" ? withLengths(lines) : lines;
}

/**
 * Matches `n:offset:d=YYYYMMDDHH:ELEMENT:LEVEL:WINDOW:`. Fields of one message are numbered n.1, n.2. A field of an
 * ensemble has one more word; see `partOfWord`.
 */
const LINE = /^\d+(?:\.\d+)?:(\d+):d=(\d{10,14}):([^:]*):([^:]*):([^:]*):(.*)$/;
/** Matches a window, which is written in days where it consists of whole days. */
const WINDOW = /^(?:(\d+)-)?(\d+) (hour|day) (?:(ave|acc|max) )?fcst$/;
const kinds: Readonly<Record<string, WantedMessage["time"]>> = {
  ave: "average",
  acc: "accumulation",
  max: "maximum",
};

function lineOfWgrib2(text: string): IndexLine {
  const [, digits, date, element, level, window, qualifier] = LINE.exec(text)!;
  const offset = z.int().parse(Number(digits));
  const line = { offset, length: undefined, element: element!, level: level!, date: date! };
  const timed = (from: number, to: number, time: IndexLine["time"]) => ({
    ...line,
    from,
    to,
    time,
    part: partOfWord(qualifier!.replace(/:$/, "")),
  });
  if (window === "anl") return timed(0, 0, "instant");
  const [, start, end, unit, kind] = WINDOW.exec(window!) ?? [];
  if ((start === undefined) !== (kind === undefined) || end === undefined)
    return timed(Number.NaN, Number.NaN, "other");
  const hours = unit === "day" ? 24 : 1;
  return timed(Number(start ?? end) * hours, Number(end) * hours, kind ? kinds[kind]! : "instant");
}

/** The part of an ensemble by the word that ends a line of a wgrib2 index: "ENS=+7", "ENS=low-res ctl", "ens mean". */
function partOfWord(word: string): IndexLine["part"] {
  if (word === "") return undefined;
  const [, perturbation, control] = /^ENS=(?:\+(\d+)|((?:low|hi)-res ctl))$/.exec(word) ?? [];
  if (perturbation !== undefined) return Number(perturbation);
  if (control !== undefined) return 0;
  return word === "ens mean" ? "mean" : word === "ens spread" ? "spread" : "other";
}

/** Adds the lengths: a message ends where the next one begins, and fields of one message share its bytes. */
function withLengths(lines: IndexLine[]): IndexLine[] {
  let next: number | undefined;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index]!;
    const later = lines[index + 1];
    if (later !== undefined && later.offset > line.offset) next = later.offset;
    line.length = next === undefined ? undefined : next - line.offset;
  }
  return lines;
}

const count = z.int().nonnegative();
const ecmwfLine = z.object({
  _offset: count,
  _length: count,
  param: z.string(),
  /** Type of level: sfc, pl or sol. */
  levtype: z.string(),
  levelist: z.coerce.string().optional(),
  /** Hours: "6", or "0-6" for a window. */
  step: z.coerce.string().default(""),
  date: z.unknown().optional(),
  time: z.unknown().optional(),
  /**
   * "fc" and "an" are deterministic; "pf" is a perturbed member, with its number; "cf" the control, whose lines may lack it.
   * Others are statistics of an ensemble.
   */
  type: z.unknown().optional(),
  number: z.coerce.number().optional(),
});

function partOfEntry({ type, number }: z.infer<typeof ecmwfLine>): IndexLine["part"] {
  if (type === "cf") return 0;
  if (type === "pf" && number !== undefined) return number;
  return number === undefined && (type === "fc" || type === "an") ? undefined : "other";
}

function lineOfEcmwf(text: string): IndexLine {
  const entry = ecmwfLine.parse(JSON.parse(text));
  const [from, to = from] = entry.step
    .split("-")
    .map((hours) => (/^\d+$/.test(hours) ? Number(hours) : Number.NaN));
  return {
    offset: entry._offset,
    length: entry._length,
    element: entry.param,
    level: entry.levelist === undefined ? entry.levtype : `${entry.levtype} ${entry.levelist}`,
    from: from!,
    to: to!,
    time: from === to ? "instant" : "other",
    part: partOfEntry(entry),
    date: `${entry.date}${entry.time}`,
  };
}
