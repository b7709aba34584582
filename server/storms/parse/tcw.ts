import type { Fix, ForecastFix, RadiiThreshold } from "#server/storms/bulletin.ts";
import { placeOf, TENTHS } from "./coordinates.ts";
import { refuseCut } from "./ended.ts";
import {
  basinOfLetter,
  centralPressure,
  collapsed,
  headingOf,
  isFinalWarning,
  NAMED_STORM,
  obsolete,
  radiiFromMiles,
  stageOfClass,
  stageOfRemark,
  TextRefusedError,
} from "./jtwc-text.ts";
import { stormName } from "./names.ts";
import { bareFix, emptyReport, instantOf, type Parsed, type Problem, seasonOfText } from "./report.ts";

const STORM = /^(\d{4})(\d\d)(\d\d)(\d\d) +(\d\d)([A-Z]) +(\S+) +(\d{1,3}) +\d/m;
const POINT = new RegExp(String.raw`^T(\d{1,3}) +${TENTHS} +(\d{1,3})\b(.*)$`);
const RADII = /R(\d{2,3}) +(\d{1,3}) +NE +QD +(\d{1,3}) +SE +QD +(\d{1,3}) +SW +QD +(\d{1,3}) +NW +QD/g;
const PAST_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d) /;
const PAST_FIX = new RegExp(String.raw`^\d{10} +${TENTHS} +(\d{1,3})\s*$`);

/**
 * Reads a JTWC warning in its coded form (`.tcw`): official forecast, radii and the track so far, in knots and nautical
 * miles. Pressure is given only in the prose, for the base time.
 *
 * @param now Weather clock, Unix seconds: a stale slot is refused or marked.
 * @param name File name: `wp2526.tcw` gives the season.
 * @throws TextRefusedError
 */
export function parseTcw(text: string, now: number, name = ""): Parsed {
  const problems: Problem[] = [];
  const { issued: heading } = headingOf(text, now);
  const storm = STORM.exec(text);
  if (!storm) {
    refuseCut(text, () => false, "past track that reaches the base time");
    throw new TextRefusedError("no line that names base time and storm");
  }
  const base = instantOf(Number(storm[1]), Number(storm[2]), Number(storm[3]), Number(storm[4]));
  const place = basinOfLetter(storm[6]!);
  const number = Number(storm[5]);
  if (Number.isNaN(base) || !place || number === 0) throw new TextRefusedError("no such storm or base time");
  const age = obsolete(base, now);
  refuseCut(text, (all) => endsWithPast(all, number, base), "past track that reaches the base time");

  const oneLine = collapsed(text);
  const report = emptyReport("warning", {
    provider: "jtwc",
    basin: place.basin,
    number,
    season: seasonOfText(name, place.basin, number, base),
    // The month of the heading is inferred from now. If base and heading disagree, the base is reliable.
    issued: heading >= base && heading - base <= 24 * 3600 ? heading : base,
  });
  report.name = stormName(storm[7]);
  report.subregion = place.subregion;
  report.isFinal = isFinalWarning(oneLine);
  Object.assign(report, age);

  const remarks = remarksOf(text);
  const points: ForecastFix[] = [];
  const past = new Map<number, Fix>();
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    if (/^T\d{1,3} /.test(row)) {
      const point = pointOf(row, base);
      if (!point) problems.push({ line, reason: "a forecast line that cannot be read" });
      else if (points.some(({ fhr }) => fhr === point.fhr)) {
        problems.push({ line, reason: `a second line for ${point.fhr} h` });
      } else points.push({ ...point, stage: remarks.get(point.fhr) ?? null });
    } else if (/^\d{10} /.test(row) && !STORM.test(row)) {
      const fix = pastFix(row, number, base);
      if (!fix) problems.push({ line, reason: "a line of the past track that cannot be read" });
      // A corrected row follows the one that it replaces.
      else past.set(fix.time, fix);
    }
  }
  points.sort((one, other) => one.fhr - other.fhr);
  const analysis = points.find(({ fhr }) => fhr === 0);
  if (analysis) {
    analysis.mslpHpa = centralPressure(oneLine);
    const named = NAMED_STORM.exec(oneLine);
    analysis.stage = named ? stageOfClass(named[1]!) : null;
    const { fhr: _, ...fix } = analysis;
    past.set(base, fix);
  } else if (!report.isFinal) {
    problems.push({ line: 0, reason: "no position at the base time" });
  }
  report.observed = [...past.values()].sort((one, other) => one.time - other.time);
  if (points.length > 1) report.forecast = { base, points };
  return { reports: [report], problems };
}

function pointOf(row: string, base: number): ForecastFix | undefined {
  const match = POINT.exec(row);
  if (!match) return undefined;
  const place = placeOf(match.slice(2, 6), 10);
  const fhr = Number(match[1]);
  const wind = Number(match[6]);
  if (!place || wind > 250 || fhr > 240) return undefined;
  const point: ForecastFix = {
    ...bareFix(base + fhr * 3600, place.latitude, place.longitude),
    vmaxKt: wind || null,
    fhr,
  };
  for (const radii of match[7]!.matchAll(RADII)) {
    const threshold = Number(radii[1]);
    const read = radiiFromMiles(radii.slice(2, 6).map(Number));
    if (read && isThreshold(threshold)) point.radiiKm[threshold] = read;
  }
  return point;
}

export function isThreshold(knots: number): knots is RadiiThreshold {
  return knots === 34 || knots === 50 || knots === 64;
}

/** Whether the text ends with the last row that its form has, line end included. */
function endsWithPast(text: string, number: number, base: number): boolean {
  const rows = text.trimEnd().split("\n");
  const isEnded = text.trimEnd().length < text.length && /\n\s*$/.test(text.slice(text.trimEnd().length));
  return isEnded && pastTime(rows.at(-1)!, number) === base;
}

/** Number and two digits of the year, month, day and hour; NaN for another row. */
function pastTime(row: string, number: number): number {
  const match = PAST_TIME.exec(row);
  if (!match || Number(match[1]) !== number) return Number.NaN;
  return instantOf(2000 + Number(match[2]), Number(match[3]), Number(match[4]), Number(match[5]));
}

/** History: the time, place and wind. */
function pastFix(row: string, number: number, base: number): Fix | undefined {
  const match = PAST_FIX.exec(row);
  if (!match) return undefined;
  const time = pastTime(row, number);
  const place = placeOf(match.slice(1, 5), 10);
  const wind = Number(match[5]);
  if (!place || !(time <= base) || wind > 250) return undefined;
  return { ...bareFix(time, place.latitude, place.longitude), vmaxKt: wind || null };
}

/** What stands below AMP: forecast hour → stage. */
function remarksOf(text: string): Map<number, string | null> {
  const remarks = new Map<number, string | null>();
  // Not \s before the hour: each of many blank lines would be read to the end of all of them.
  for (const match of text.matchAll(/^[ \t]*(\d{1,3})\s?HR\s+([A-Z -]{4,80})/gm)) {
    remarks.set(Number(match[1]), stageOfRemark(match[2]!));
  }
  return remarks;
}
