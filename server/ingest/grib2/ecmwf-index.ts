import { IndexError } from "./wgrib2-index.ts";

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
