import type { Fix, ForecastFix } from "#server/storms/bulletin.ts";
import { type DeckRow, DeckRowError, deckRow } from "./deck-row.ts";
import { PARTIAL_ROW, tableEnd } from "./ended.ts";
import { TextRefusedError } from "./jtwc-text.ts";
import { stormName } from "./names.ts";
import { emptyReport, type Parsed, type Problem, type Report, seasonOfText } from "./report.ts";

/** Technique of the official forecast of each basin. */
const official: Readonly<Record<string, string>> = {
  AL: "OFCL",
  EP: "OFCL",
  CP: "OFCL",
  WP: "JTWC",
  IO: "JTWC",
  SH: "JTWC",
  SL: "JTWC",
};

/** Rows of a text that count: a storm of a month has some thousands. */
const MAX_ROWS = 100_000;

/** Problems that are reported: a text of another kind has one in each row. */
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

/** One row after the other: a list of millions would take more memory than the deck. */
function* rowsOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    yield text.slice(from, end);
    from = end + 1;
  }
}

/** Whether a report is made of the row; most rows of an a-deck are guidance of models. */
function isUsed({ technique, basin }: DeckRow): boolean {
  return technique === "BEST" || technique === "CARQ" || technique === official[basin];
}

/** @param cutAfter The last whole row, if the text ends in its middle. */
function reportsOf(rows: readonly DeckRow[], fileName: string, cutAfter?: DeckRow): Report[] {
  const { basin, number } = rows[0]!;
  // Numbers of storms begin again with a season, those of invests go round.
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
  const isOfficial = (row: DeckRow) => row.technique === official[basin] && row.tau >= 0;
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
  for (const row of rows.toReversed()) {
    const name = stormName(row.name);
    if (name !== null) return name;
  }
  return null;
}

/** Rows of one time are one fix; each has the radii of another threshold. */
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
