import { MILE_KM } from "@open-metocean/geo/sphere";
import {
  allRound,
  bareFix,
  basins,
  emptyReport,
  type Fix,
  type ForecastFix,
  type Parsed,
  type Problem,
  type QuadrantRadii,
  type Report,
} from "../bulletin.ts";
import {
  instantOfDigits,
  PARTIAL_ROW,
  radiiFromMiles,
  seasonOfText,
  stormName,
  TextRefusedError,
  tableEnd,
  wrapped,
} from "./message.ts";

/** Maximum number of rows of a text that are read: a storm of a month has some thousands. */
const MAX_ROWS = 100_000;

/** Maximum number of problems that are reported: a text of another kind has one in each row. */
const MAX_PROBLEMS = 1000;

/**
 * Reads an ATCF deck: best tracks (b-deck), official forecasts (a-deck, `.fst`) and analyses (CARQ). Guidance of models
 * is left out.
 *
 * A deck has no end mark. What tells a cut is a last row without its line end: it is left out, and so is the newest
 * official forecast if the text stops within it. A deck cut between two rows cannot be told from a whole one: its newest fix
 * may lack the rows of higher thresholds, and its newest forecast the later hours, until the deck is read again.
 *
 * @param name File name: `bal062018.dat` gives the season, which rows lack. Otherwise it is taken from the rows.
 * @param until Rows of a later base are left out, Unix seconds, so that the deck of a season can replay any day.
 */
export function parseDeck(text: string, name = "", until = Number.POSITIVE_INFINITY): Parsed {
  const problems: Problem[] = [];
  const storms = new Map<string, DeckRow[]>();
  let line = 0;
  let count = 0;
  let last: DeckRow | undefined;
  const reject = (reason: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ line, reason });
  };
  const { end, isCut } = tableEnd(text);
  for (const row of rowsOf(text.slice(0, end))) {
    line++;
    if (row.trim() === "" || row.startsWith("#")) continue;
    try {
      const read = deckRow(row, reject);
      last = read;
      if (read.base > until || !isUsed(read)) continue;
      if (++count > MAX_ROWS) throw new TextRefusedError(`a deck of more than ${MAX_ROWS} rows`);
      const key = `${read.basin}${read.number}`;
      const rows = storms.get(key);
      if (rows) rows.push(read);
      else storms.set(key, [read]);
    } catch (error) {
      if (!(error instanceof DeckRowError)) throw error;
      reject(error.message);
    }
  }
  const reports = [...storms.values()].flatMap((rows) => reportsOf(rows, name, isCut ? last : undefined));
  if (!isCut) return { reports, problems };
  return { reports, problems: [...problems, { line, reason: PARTIAL_ROW }], isCut };
}

/** Yields one row after the other: a list of millions would take more memory than the deck. */
function* rowsOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    yield text.slice(from, end);
    from = end + 1;
  }
}

/** Whether a report is made from the row; most rows of an a-deck are guidance of models. */
function isUsed({ technique, basin }: DeckRow): boolean {
  return technique === "BEST" || technique === "CARQ" || technique === basins[basin]!.official;
}

/** @param cutAfter The last whole row, if the text ends in its middle. */
function reportsOf(rows: readonly DeckRow[], fileName: string, cutAfter?: DeckRow): Report[] {
  const { basin, number } = rows[0]!;
  // Numbers of storms begin again with a season; those of invests are reused in a cycle.
  const season = seasonOfText(fileName, basin, number, number < 90 ? newest(rows) : oldest(rows));
  const common = {
    name: lastName(rows),
    subregion: rows.findLast((row) => row.subregion !== null)?.subregion ?? null,
    formerly: [...new Set(rows.flatMap((row) => row.formerly))],
  };
  const report = (source: Report["source"], of: readonly DeckRow[]): Report => ({
    ...emptyReport(source, { provider: "jtwc", basin, number, season, issued: newest(of) }),
    ...common,
  });
  const reports: Report[] = [];
  const best = rows.filter((row) => row.technique === "BEST" && row.tau === 0);
  if (best.length > 0) reports.push({ ...report("best track", best), observed: fixesOf(best) });
  const analysed = rows.filter((row) => row.technique === "CARQ" && row.tau <= 0);
  if (analysed.length > 0) {
    // A later analysis of the same time is better.
    const sorted = analysed.toSorted((one, other) => one.base - other.base || one.tau - other.tau);
    reports.push({ ...report("analysis", analysed), observed: fixesOf(sorted) });
  }
  const isOfficial = (row: DeckRow) => row.technique === basins[basin]!.official && row.tau >= 0;
  const cutBase = cutAfter && cutAfter === rows.at(-1) && isOfficial(cutAfter) ? cutAfter.base : undefined;
  const forecasts = rows.filter((row) => isOfficial(row) && row.base !== cutBase);
  if (forecasts.length > 0) {
    const base = newest(forecasts);
    const points = pointsOf(forecasts.filter((row) => row.base === base));
    reports.push({ ...report("warning", forecasts), forecast: { base, points } });
  }
  return reports;
}

function newest(rows: readonly DeckRow[]): number {
  return rows.reduce((latest, { base }) => Math.max(latest, base), Number.NEGATIVE_INFINITY);
}

function oldest(rows: readonly DeckRow[]): number {
  return rows.reduce((earliest, { base }) => Math.min(earliest, base), Number.POSITIVE_INFINITY);
}

/** Names change within a file, from INVEST to a number word to a name: the last one counts. */
function lastName(rows: readonly DeckRow[]): string | null {
  return stormName(rows.findLast((row) => stormName(row.name) !== null)?.name);
}

/** Merges a row into the fix of its time: each row has the radii of another threshold. */
function merge(into: Fix, row: Fix): void {
  into.vmaxKt ??= row.vmaxKt;
  into.mslpHpa ??= row.mslpHpa;
  into.stage ??= row.stage;
  into.radiiKm = { ...into.radiiKm, ...row.radiiKm };
  if (!into.seas12ftKm && row.seas12ftKm) into.seas12ftKm = row.seas12ftKm;
}

/** One fix per time, ascending. Rows of one base and technique are merged; another base replaces the fix. */
function fixesOf(rows: readonly DeckRow[]): Fix[] {
  const byTime = new Map<number, { base: number; fix: Fix }>();
  for (const { base, fix } of rows) {
    const known = byTime.get(fix.time);
    if (known?.base === base) merge(known.fix, fix);
    else byTime.set(fix.time, { base, fix: { ...fix } });
  }
  return [...byTime.values()].map(({ fix }) => fix).sort((one, other) => one.time - other.time);
}

function pointsOf(rows: readonly DeckRow[]): ForecastFix[] {
  return fixesOf(rows).map((fix) => ({ ...fix, fhr: (fix.time - rows[0]!.base) / 3600 }));
}

/** A row of an ATCF deck: one wind threshold of one storm at one time, by one technique. */
interface DeckRow {
  basin: string;
  /** 1..99. */
  number: number;
  technique: string;
  /** Base time with minutes, Unix seconds. */
  base: number;
  /** Hours after the base; negative for history. */
  tau: number;
  fix: Fix;
  subregion: string | null;
  /** The name as written; empty if there is none. */
  name: string;
  /** Earlier ids of this storm that the trailing remarks name. */
  formerly: string[];
}

/** A row that cannot be used, and the reason. */
class DeckRowError extends Error {
  override readonly name = "DeckRowError";
}

/**
 * Reads a row of an ATCF deck (NRL, "ATCF database format"): positions in tenths of a degree, knots, hPa, nautical miles.
 *
 * @param reject Told of values that cannot be read and are left out.
 * @throws DeckRowError for a row without storm, time or position.
 */
export function deckRow(line: string, reject: (reason: string) => void = () => {}): DeckRow {
  const fields = line
    .toUpperCase()
    .split(",", 60)
    .map((field) => field.trim());
  const field = (index: number) => fields[index] ?? "";
  const basin = field(0) === "LS" ? "SL" : field(0);
  const letters = basins[basin]?.letters;
  if (letters === undefined) throw new DeckRowError(`no basin of the ATCF: "${quoted(field(0))}"`);
  if (!/^\d\d$/.test(field(1)) || Number(field(1)) === 0) {
    throw new DeckRowError(`no storm number: "${quoted(field(1))}"`);
  }
  const technique = field(4);
  if (!/^[A-Z0-9_-]{2,8}$/.test(technique)) throw new DeckRowError(`no technique: "${quoted(technique)}"`);
  const base = baseOf(field(2), technique === "BEST" ? field(3) : "");
  const tau = field(5) === "" ? 0 : whole(field(5), "forecast hour", -240, 384);
  const latitude = degrees(field(6), "NS", 90);
  const longitude = degrees(field(7), "EW", 360);
  if (latitude === 0 && longitude === 0) throw new DeckRowError("the position is missing");
  /** A value that cannot be read is missing; the rest of the row counts. */
  const ifReadable = <Value>(read: () => Value): Value | null => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DeckRowError)) throw error;
      reject(error.message);
      return null;
    }
  };
  const fix: Fix = {
    ...bareFix(base + tau * 3600, latitude, wrapped(longitude)),
    vmaxKt: ifReadable(() => optional(field(8), "wind", 0, 250)),
    mslpHpa: ifReadable(() => optional(field(9), "pressure", 800, 1100)),
    stage: /^[A-Z]{2}$/.test(field(10)) ? field(10) : null,
  };
  const threshold = ifReadable(() => optional(field(11), "threshold of radii", 0, 200));
  if (threshold === 34 || threshold === 50 || threshold === 64) {
    const radii = ifReadable(() => quadrants(field(12), [field(13), field(14), field(15), field(16)]));
    if (radii) fix.radiiKm[threshold] = radii;
  }
  // Rows of one fix repeat the seas.
  if (field(29) === "12") {
    const seas = ifReadable(() => quadrants(field(30), [field(31), field(32), field(33), field(34)]));
    if (seas) fix.seas12ftKm = seas;
  }
  const subregion = field(22);
  return {
    basin,
    number: Number(field(1)),
    technique,
    base,
    tau,
    fix,
    subregion: subregion.length === 1 && letters.includes(subregion) ? subregion : null,
    name: field(27),
    formerly: earlierIds(line),
  };
}

/** Base time, Unix seconds. The minutes of a best track are in a separate column. */
function baseOf(text: string, minutes: string): number {
  if (!/^(?:\d{10}|\d{12})$/.test(text)) throw new DeckRowError(`no date: "${quoted(text)}"`);
  const minute = /^\d{1,2}$/.test(minutes) ? minutes.padStart(2, "0") : "00";
  const digits = text.length === 12 ? text : text + minute;
  const base = instantOfDigits(digits);
  if (Number.isNaN(base))
    throw new DeckRowError(`no such instant: ${text}, minute ${Number(digits.slice(10))}`);
  return base;
}

function degrees(text: string, sides: "NS" | "EW", max: number): number {
  if (text === "" || /^0+$/.test(text)) throw new DeckRowError("the position is missing");
  const match = /^(\d{1,4}) ?([NSEW])$/.exec(text);
  const side = match?.[2] ?? "";
  const value = Number(match?.[1]) / 10;
  if (!match || !sides.includes(side) || value > max) {
    throw new DeckRowError(`no position: "${quoted(text)}"`);
  }
  return (side === "S" || side === "W") && value !== 0 ? -value : value;
}

function whole(text: string, what: string, min: number, max: number): number {
  if (!/^-?\d{1,5}$/.test(text)) throw new DeckRowError(`no ${what}: "${quoted(text)}"`);
  const value = Number(text);
  return value < min || value > max ? outOfRange(what, text) : value;
}

/** Reads a number; null for 0, blanks, −99 and 9999, which mean missing. */
function optional(text: string, what: string, min: number, max: number): number | null {
  if (text === "" || /^(?:0+|-9+|9999)$/.test(text)) return null;
  return whole(text, what, min, max);
}

function outOfRange(what: string, text: string): never {
  throw new DeckRowError(`${what} out of range: ${quoted(text)}`);
}

const order = ["ne", "se", "sw", "nw"] as const;

/**
 * Radii by geographic quadrant, km. The windcode names the quadrant of the first radius; the others follow clockwise. Four
 * zeros are missing radii; a zero among others is a radius.
 */
function quadrants(windcode: string, texts: readonly string[]): QuadrantRadii | undefined {
  const miles = texts.map((text) =>
    text === "" || /^(?:-9+|9999)$/.test(text) ? null : whole(text, "radius", 0, 2000),
  );
  if (miles.every((radius) => !radius)) return undefined;
  if (windcode === "AAA") return allRound(miles[0]! && miles[0]! * MILE_KM);
  const first = order.indexOf(windcode.slice(0, 2).toLowerCase() as (typeof order)[number]);
  if (first < 0 || windcode.length !== 3 || windcode[2] !== "Q") {
    throw new DeckRowError(`no order of quadrants: "${quoted(windcode)}"`);
  }
  return radiiFromMiles(order.map((_, quadrant) => miles[(quadrant - first + 4) % 4]!));
}

const SPAWNED = /(?:TRANSITIONED|SPAWNINVEST),\s*([A-Z]{2})([0-9A-Z]\d)(\d{4}) to ([A-Z]{2})(\d\d)(\d{4})/gi;

/** Invest ids on either side of a remark: `SPAWNINVEST, al722018 to al902018`. */
function earlierIds(line: string): string[] {
  return [...line.matchAll(SPAWNED)].flatMap((match) =>
    [`${match[1]}${match[2]}${match[3]}`, `${match[4]}${match[5]}${match[6]}`]
      .map((id) => id.toUpperCase())
      .filter((id) => /^[A-Z]{2}9\d/.test(id)),
  );
}

/** Text to quote in a message: shortened, without control characters. */
export function quoted(text: string): string {
  return text.slice(0, 24).replaceAll(/[^\x20-\x7e]/g, "?");
}
