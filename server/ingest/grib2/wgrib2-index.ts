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
