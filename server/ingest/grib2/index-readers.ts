/** One field of a GRIB2 file, from the accompanying `.idx` file. */
export interface IndexEntry {
  /** Number of the message, from 1, and of the field in it. */
  message: number;
  part: number;
  /** Offset of the message in the file, bytes. */
  offset: number;
  /** Bytes; undefined for the last message, which extends to the end of the file. */
  length: number | undefined;
  /** Start of the forecast as written, YYYYMMDDHH. */
  date: string;
  /** NCEP's abbreviation: UGRD. */
  element: string;
  /** "10 m above ground". */
  level: string;
  /** "7 hour fcst", "6-7 hour ave fcst", "anl". */
  window: string;
  /** What follows: "ens mean", "ENS=+1"; empty for a deterministic forecast. */
  qualifier: string;
}

export class IndexError extends Error {
  override readonly name = "IndexError";
  /** Number of the line, from 1. */
  readonly line: number;

  constructor(line: number, text: string, options?: ErrorOptions) {
    super(`Line ${line} of the index is not one of a field: ${text.slice(0, 120)}`, options);
    this.line = line;
  }
}

const LINE = /^(\d+)(?:\.(\d+))?:(\d+):d=(\d{10,14}):([^:]*):([^:]*):([^:]*):(.*)$/;

/**
 * Reads the lines `n:offset:d=YYYYMMDDHH:ELEMENT:LEVEL:WINDOW:` of wgrib2; fields of one message are numbered n.1, n.2.
 *
 * @throws IndexError
 */
export function readWgrib2Index(text: string): IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parts = LINE.exec(line.trimEnd());
    if (parts === null) throw new IndexError(index + 1, line);
    const offset = Number(parts[3]);
    const before = entries.at(-1);
    if (!Number.isSafeInteger(offset) || (before !== undefined && offset < before.offset)) {
      throw new IndexError(index + 1, line);
    }
    entries.push({
      message: Number(parts[1]),
      part: Number(parts[2] ?? 1),
      offset,
      length: undefined,
      date: parts[4]!,
      element: parts[5]!,
      level: parts[6]!,
      window: parts[7]!,
      qualifier: parts[8]!,
    });
  }
  return withLengths(entries);
}

/** A message ends at the start of the next one; fields of one message share its bytes. */
function withLengths(entries: IndexEntry[]): IndexEntry[] {
  let next: number | undefined;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]!;
    const later = entries[index + 1];
    if (later !== undefined && later.offset > entry.offset) next = later.offset;
    entry.length = next === undefined ? undefined : next - entry.offset;
  }
  return entries;
}

/** One message of an ECMWF open-data file, from the accompanying `.index` file. */
export interface EcmwfIndexEntry {
  /** Bytes. */
  offset: number;
  length: number;
  /** ECMWF's short name: 10u. */
  param: string;
  /** sfc, pl, sol. */
  levtype: string;
  /** Level of its type, hPa for pl; undefined at the surface. */
  levelist: string | undefined;
  /** Hours since the start of the forecast: "6", or "0-6" for a window. */
  step: string;
  /** Start of the forecast, YYYYMMDDHHMM. */
  date: string;
  /** "fc" for the deterministic forecast; members and statistics of an ensemble have others. */
  type: string;
}

/**
 * Reads one JSON object per line.
 *
 * @throws IndexError
 */
export function readEcmwfIndex(text: string): EcmwfIndexEntry[] {
  const entries: EcmwfIndexEntry[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    entries.push(readLine(line, index + 1));
  }
  return entries;
}

function readLine(line: string, number: number): EcmwfIndexEntry {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw new IndexError(number, line, { cause: error });
  }
  const fields = new Map(Object.entries(parsed ?? {}));
  const [offset, length] = [fields.get("_offset"), fields.get("_length")];
  const [param, levtype] = [fields.get("param"), fields.get("levtype")];
  const valid =
    isCount(offset) && isCount(length) && typeof param === "string" && typeof levtype === "string";
  if (!valid) throw new IndexError(number, line);
  const levelist = fields.get("levelist");
  return {
    offset,
    length,
    param,
    levtype,
    levelist: levelist === undefined ? undefined : String(levelist),
    step: String(fields.get("step") ?? ""),
    date: `${fields.get("date")}${fields.get("time")}`,
    type: fields.has("number") ? "pf" : String(fields.get("type")),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
