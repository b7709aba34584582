import { normaliseLongitude } from "@open-metocean/geo/grid";
import { MILE_KM } from "@open-metocean/geo/sphere";
import type { QuadrantRadii, Report } from "../bulletin.ts";
import { type Likelihood, likelihoods } from "../providers.ts";
import { MAX_PARAGRAPH } from "../schema.ts";
import { DAY_S, HOUR_S } from "../time.ts";

/** A whole text cannot be read. The message is for the operator. */
export class TextRefusedError extends Error {
  override readonly name: string = "TextRefusedError";
}

/** The text is whole, and on a storm that is long over. */
export class TextObsoleteError extends TextRefusedError {
  override readonly name = "TextObsoleteError";
}

/** The text is whole, and an exercise or a test: it says nothing of any storm. */
export class TextExerciseError extends TextRefusedError {
  override readonly name = "TextExerciseError";

  constructor(words: string) {
    super(`an exercise or a test, no bulletin ("${words}")`);
  }
}

const EXERCISE =
  /\b(?:THIS IS (?:ONLY )?AN? (?:TEST|EXERCISE|DRILL)|(TEST|EXERCISE|DRILL)[ .]+\1|FOR EXERCISE (?:PURPOSES )?ONLY|EXERCISE MESSAGE)\b/;

/** @throws TextExerciseError for a message that says that it is one. @param text In upper case. */
export function refuseExercise(text: string): void {
  const [words] = EXERCISE.exec(text) ?? [];
  if (words) throw new TextExerciseError(words);
}

/**
 * A text that ends in its middle: a mirror was interrupted, or is still writing. A forecast that stops at the cut looks like
 * a shorter forecast, so nothing of it is read.
 */
export class TextCutError extends TextRefusedError {
  override readonly name = "TextCutError";

  constructor(what: string) {
    super(`cut: ${what}`);
  }
}

/** The heading of a bulletin: `WTPN31 PGTW 202100`. */
interface Heading {
  /** `WTPN31`. */
  slot: string;
  /** When it was issued, Unix seconds. */
  issued: number;
}

/**
 * Reads the heading of a WMO bulletin.
 *
 * @param near When the text was received, Unix seconds: a heading gives only the day of the month.
 * @param dayOf `newestDay` for a text that states no other time. That of a warning is checked by its base time.
 * @throws TextRefusedError
 */
export function headingOf(text: string, near: number, dayOf = nearestDay): Heading {
  const [, slot, digits] = /^\s*([A-Z]{4}\d\d) +[A-Z]{4} +(\d{6})Z?\b/.exec(text) ?? [];
  if (!slot || !digits) throw new TextRefusedError("no heading of a bulletin such as WTPN31 PGTW 202100");
  const issued = dayOf(digits, near);
  if (Number.isNaN(issued)) throw new TextRefusedError("the heading names no instant");
  return { slot, issued };
}

const REVISED = /^[A-Z]{4}\d\d +[A-Z]{4} +\d{6}Z? +(?:COR|(?:CC|AA)([A-X]))\b/m;

/**
 * How often a WMO bulletin was corrected or amended so far, by the group behind the time in its heading (WMO-No. 386): CCA and
 * AAA are the first time, CCB the second. US offices write COR too. undefined for a bulletin that corrects none.
 *
 * @param text In upper case.
 */
export function revisionOf(text: string): number | undefined {
  const revised = REVISED.exec(text);
  return revised ? (revised[1] ?? "A").charCodeAt(0) - 64 : undefined;
}

/** @throws TextRefusedError for the second and later parts of a split text: only the first part names the storm. */
export function refuseLaterPart(text: string): void {
  const [, part, count] = /END PART (\d{1,2})\s*\/\s*(\d{1,2})/.exec(text) ?? [];
  if (Number(part) > 1)
    throw new TextRefusedError(
      `part ${Number(part)} of ${Number(count)} of a split text: it names no storm and no position of its own`,
    );
}

/** Older warnings are obsolete. They stay in their slot until the next storm. */
const OBSOLETE_S = 18 * HOUR_S;

/** An older text is of no use even for a storm that is still published: 24 h of silence, and 24 h after its end. */
const OLDEST_BASE_S = 48 * HOUR_S;

/**
 * Marks an obsolete warning, which may come late from a mirror that stood still.
 *
 * @throws TextObsoleteError for one that is two days old; TextRefusedError for one from the future.
 */
export function obsolete(base: number, now: number): Pick<Report, "obsolete"> {
  const instant = `${new Date(base * 1000).toISOString().slice(0, 16)}Z`;
  if (base - now > MAX_AHEAD_S) throw new TextRefusedError(`its base time ${instant} is in the future`);
  if (now - base <= OBSOLETE_S) return {};
  const reason = `stale: its base time ${instant} is more than 18 h old`;
  if (now - base > OLDEST_BASE_S) throw new TextObsoleteError(reason);
  return { obsolete: reason };
}

/** Radii in nautical miles as km; undefined if all are zero. */
export function radiiFromMiles(miles: readonly (number | null)[]): QuadrantRadii | undefined {
  if (miles.every((radius) => !radius)) return undefined;
  const [ne = null, se = null, sw = null, nw = null] = miles.map((radius) => radius && radius * MILE_KM);
  return { ne, se, sw, nw };
}

/** The text on one line: warnings wrap sentences anywhere, even within `FINAL WARNING`. */
export function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, " ").toUpperCase();
}

const classes: Readonly<Record<string, string>> = {
  "SUPER TYPHOON": "ST",
  TYPHOON: "TY",
  HURRICANE: "HU",
  "SUBTROPICAL STORM": "SS",
  "SUBTROPICAL DEPRESSION": "SD",
  "TROPICAL STORM": "TS",
  "TROPICAL DEPRESSION": "TD",
  "TROPICAL CYCLONE": "TC",
};

/** ATCF code of the class of a storm in a warning. */
export function stageOfClass(words: string): string | null {
  return Object.entries(classes).find(([phrase]) => words.startsWith(phrase))?.[1] ?? null;
}

/** ATCF code of a remark on a forecast hour; `becoming …` does not count. */
export function stageOfRemark(remark: string): string | null {
  if (/BECOMING/.test(remark)) return null;
  if (/EXTRA-?TROPICAL/.test(remark)) return "EX";
  if (/DISSIPAT/.test(remark)) return "DS";
  return /SUBTROPICAL/.test(remark) ? "SS" : null;
}

/** The phrase that names a storm: `TROPICAL STORM 25W (SURIGAE) WARNING NR 010`. */
export const NAMED_STORM =
  /\b((?:SUPER )?TYPHOON|HURRICANE|(?:SUB)?TROPICAL (?:STORM|DEPRESSION|CYCLONE)) (\d\d)([A-Z]) \(([^)]{1,30})\) WARNING NR/;

/** The end of a message of the US Navy and of the WMO's network, on a line of its own. */
const END = /^[ \t]*NNNN[ \t]*\r?$/m;

/**
 * Refuses a bulletin without its end. Some mirrors leave out the NNNN: then the last element that its form has must be
 * there, whole.
 *
 * @param lastOfForm Whether the text, without NNNN, ends with the last element of its form.
 * @param last The last element, for the operator.
 * @throws TextCutError
 */
export function refuseCut(text: string, lastOfForm: (text: string) => boolean, last: string): void {
  if (!END.test(text) && !lastOfForm(text)) throw new TextCutError(`no NNNN, and no ${last}`);
}

/**
 * Whether the remarks of a message end: the last set is closed with `//`. Sets of the heading also end with it. Copies of
 * an alert continue with whole rows of the past track.
 */
export function endsWithRemarks(text: string): boolean {
  if (!/^(?:RMKS\/|1\. )/m.test(text)) return false;
  const rows = text.trimEnd().split("\n");
  const last = rows.findLastIndex((row) => !/^\d{10} /.test(row));
  const isWhole = last === rows.length - 1 || text.endsWith("\n");
  return isWhole && rows[last]!.trimEnd().endsWith("//");
}

/**
 * The position at which the whole rows of a table end. A last row without its line end does not count: its last number may
 * lack digits.
 */
export function tableEnd(text: string): { end: number; isCut?: true } {
  const end = text.lastIndexOf("\n") + 1;
  return text.slice(end).trim() === "" ? { end } : { end, isCut: true };
}

/** The problem of a partial row. */
export const PARTIAL_ROW = "cut: the last row has no line end, and is left out";

/**
 * Replaces comments, blank lines and the marks of transmission (SOH, `ZCZC …`, a sequence number) before a text by blank
 * lines, so that the line numbers stay.
 */
export function withoutPreamble(text: string): string {
  let from = text.startsWith("\uFEFF") ? 1 : 0;
  let lines = 0;
  for (; from < text.length; lines++) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    if (!PREAMBLE.test(text.slice(from, Math.min(end, from + MAX_PREAMBLE_LINE)).trim())) break;
    from = end + 1;
  }
  return "\n".repeat(lines) + text.slice(from);
}

const MAX_PREAMBLE_LINE = 200;

// biome-ignore lint/suspicious/noControlCharactersInRegex: SOH begins a message of the WMO's network
const PREAMBLE = /^(?:\u0001?|\u0001?\d{3,5}|ZCZC\b.*|#.*)$/;

/**
 * Clocks of agencies and of this machine differ a little: a time ahead by at most this much is not in the future, seconds.
 */
export const CLOCK_TOLERANCE_S = HOUR_S;

/**
 * A text stamped ahead by at most this much is read and marked, seconds: this machine's clock is wrong, or the agency's.
 * Texts come every 6 h, so that one further ahead is of the future, as in a replay of the past.
 */
export const MAX_AHEAD_S = 6 * HOUR_S;

/** No basin numbers storms faster than this at the beginning of a season: one, and then another in each such period. */
const DAYS_PER_NUMBER = 4;

/**
 * Season year of a storm, whose time is in Unix seconds. Southern seasons run from July and are named by the year in which
 * they end. A storm keeps the season in which it was numbered: 36W on the 1st of January is of the year before, because a
 * season so young has no 36 storms. Numbers of invests are reused in a cycle, and say nothing about the season.
 */
export function seasonOf(basin: string, time: number, number = 0): number {
  const date = new Date(time * 1000);
  const southern = basin === "SH" || basin === "SL";
  const season = date.getUTCFullYear() + (southern && date.getUTCMonth() >= 6 ? 1 : 0);
  const start = southern ? Date.UTC(season - 1, 6) : Date.UTC(season, 0);
  const days = time / DAY_S - start / 1000 / DAY_S;
  return number < 90 && number > 1 + days / DAYS_PER_NUMBER ? season - 1 : season;
}

/** File name of a storm: two letters, two digits, and the season with two or four digits. */
const STORM_FILE = /(?:^|[/\\ab])(al|ep|cp|wp|io|sh|sl)(\d\d)(\d{4}|\d\d)(?:web)?\.\w+$/i;

/** ATCF basin, number and season that the name of a file states. */
export function stormOfFile(name: string): { basin: string; number: number; season: number } | undefined {
  const [, basin, number, year] = STORM_FILE.exec(name) ?? [];
  if (!basin || !year) return undefined;
  const season = Number(year) + (year.length === 2 ? 2000 : 0);
  return { basin: basin.toUpperCase(), number: Number(number), season };
}

/**
 * The season of a text: that in the name of its file (`bal062018.dat`, `wp2526.tcw`, `wp2526web.txt`), or else that of its
 * base time. It never depends on when the text is read.
 *
 * @param time Unix seconds. A name that is more than a season from it is of another storm.
 */
export function seasonOfText(name: string, basin: string, number: number, time: number): number {
  const season = seasonOf(basin, time, number);
  const named = stormOfFile(name);
  if (named?.basin !== basin || named.number !== number) return season;
  return Math.abs(named.season - season) > 1 ? season : named.season;
}

/** The largest of any number of values; null for none. Math.max takes an argument for each, and the stack is finite. */
export function largestOf(values: readonly number[]): number | null {
  return values.reduce<number | null>((largest, value) => Math.max(largest ?? value, value), null);
}

/** Normalises a longitude of any convention to −180..180. */
export function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return Math.round(normaliseLongitude(longitude) * 1e6) / 1e6;
}

/**
 * Unix seconds of calendar figures in UTC; NaN if the date does not exist.
 *
 * @param month 1..12.
 */
export function instantOf(year: number, month: number, day: number, hour: number, minute = 0): number {
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute));
  const same =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute;
  return same ? date.getTime() / 1000 : Number.NaN;
}

/** Converts digits in the same way: four of the year, two each of month, day, hour and optionally minute. */
export function instantOfDigits(digits: string): number {
  const [year, month, day, hour, minute] = digits.match(/^\d{4}|\d\d/g)!.map(Number);
  return instantOf(year!, month!, day!, hour!, minute);
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** Number of a month by its first three letters, in upper or lower case: 1..12; 0 for anything else. */
export function monthOf(letters: string | undefined): number {
  return months.indexOf(letters?.toUpperCase() ?? "") + 1;
}

/** Noon of a day in UTC, Unix seconds: a day of the month is sought near it. Undefined if the month does not exist. */
export function noonOf(year: unknown, month: string | undefined, day: unknown): number | undefined {
  const number = monthOf(month);
  return number > 0 ? Date.UTC(Number(year), number - 1, Number(day), 12) / 1000 : undefined;
}

/** If the nearest such day is further away, the message means another one. */
const MAX_DISTANCE_S = 45 * DAY_S;

/**
 * The time given by day of the month and time of day: the one nearest to when the message was received.
 *
 * @param digits Day, hour and minute, two digits each.
 * @param near Unix seconds.
 * @param until Latest possible time, Unix seconds.
 */
export function nearestDay(digits: string, near: number, until = Number.POSITIVE_INFINITY): number {
  const [day, hour, minute] = digits.match(/\d\d/g)!.map(Number);
  const distance = (time: number) => Math.abs(time - near);
  const [nearest = Number.NaN] = [-2, -1, 0, 1]
    .map((offset) => {
      const month = new Date(near * 1000);
      month.setUTCDate(1);
      month.setUTCMonth(month.getUTCMonth() + offset);
      return instantOf(month.getUTCFullYear(), month.getUTCMonth() + 1, day!, hour!, minute);
    })
    .filter((time) => time <= until)
    .sort((one, other) => distance(one) - distance(other));
  return distance(nearest) < MAX_DISTANCE_S ? nearest : Number.NaN;
}

/**
 * Resolves the same digits for a time that has passed when the message is received: a message that is two weeks and more
 * old is not one of the next month.
 *
 * @param received Unix seconds; a day later is still possible, because clocks and dates of remarks are inexact.
 */
export function newestDay(digits: string, received: number): number {
  return nearestDay(digits, received, received + DAY_S);
}

/** Positions as the agencies write them. The patterns have four groups for `placeOf` and expect upper case. */

/** Degrees in words, whole or with decimals: `21.4N 128.2E`, `23N 126.7 E`, `9.5N, 144E`. */
export const DEGREES = String.raw`(?<!\d)(?<!\d\.)(\d{1,2}(?:\.\d{1,2})?) ?([NS])[, ]*(\d{1,3}(?:\.\d{1,2})?) ?([EW])\b`;

/** Tenths of a degree in coded rows, with leading zeros, blanks or neither: `214N 1282E`, ` 95N1325W`, `5S 804E`. */
export const TENTHS = String.raw`(\d{1,3}) ?([NS]) *(\d{1,4}) ?([EW])\b`;

/**
 * A position from the four groups of a pattern; undefined if it is impossible.
 *
 * @param perDegree Units in one degree: 10 for `TENTHS`.
 */
export function placeOf(
  [latitude, ns, longitude, ew]: readonly (string | undefined)[],
  perDegree = 1,
): { latitude: number; longitude: number } | undefined {
  const north = (ns === "S" ? -1 : 1) * (Number(latitude) / perDegree);
  const east = (ew === "W" ? -1 : 1) * (Number(longitude) / perDegree);
  if (!(Math.abs(north) <= 90 && Math.abs(east) <= 360)) return undefined;
  return { latitude: north || 0, longitude: wrapped(east || 0) };
}

const UNITS = "ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE".split(" ");
const TEENS = "TEN ELEVEN TWELVE THIRTEEN FOURTEEN FIFTEEN SIXTEEN SEVENTEEN EIGHTEEN NINETEEN".split(" ");

/** Number words that feeds write for unnamed storms: with or without hyphen, cut at the ten letters of a deck. */
const numberWords = new Set(
  ["TWENTY", "THIRTY", "FORTY"]
    .flatMap((ten) => [ten, ...UNITS.flatMap((unit) => [`${ten}-${unit}`, `${ten}${unit}`])])
    .concat(UNITS, TEENS)
    .flatMap((word) => [word, word.slice(0, 10), word.slice(0, 9)]),
);

const PLACEHOLDER = /^(?:INVEST|GENESIS\d*|UNNAMED|NONAME|NAMELESS|NOT|LOW|DISTURB\w*|PTC\d*|XX+|[\d.-]+)$/;

/** `TWO-C` is the second depression of the central Pacific; decks cut `SEVENTEEN-E` behind the hyphen. */
const BASIN_LETTER = /[- ][WABSPECLQ]?$/;

/** A storm's name in upper case; null for a number word, INVEST or another placeholder. */
export function stormName(text: string | undefined): string | null {
  const name = (text ?? "").trim().toUpperCase();
  if (!/^[A-Z][A-Z'. -]{1,29}$/.test(name)) return null;
  return PLACEHOLDER.test(name) || isNumberWord(name) ? null : name;
}

/** Whether a storm is named by its number, as `Two`: it has no name. */
export function isNumberWord(text: string): boolean {
  return numberWords.has(text.trim().toUpperCase().replace(BASIN_LETTER, ""));
}

/** Phrases that JTWC's outlooks and formation alerts share. All of them expect a text on one line, in upper case. */

const LOCATED = new RegExp(
  `(PREVIOUSLY )?(?:LOCATED|PERSISTED|DEVELOPED|FORMED|CENTERED|REMAINED|STATIONARY) (?:NEAR|AT) ${DEGREES}`,
  "g",
);

/** Reads the present position of a paragraph's system. Earlier positions and those of other systems do not count. */
export function placeNow(words: string): { latitude: number; longitude: number } | undefined {
  for (const [, previously, ...position] of words.matchAll(LOCATED))
    if (previously === undefined) return placeOf(position);
  return undefined;
}

/** `THE POTENTIAL FOR THE DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS IS MEDIUM.` */
export function potentialOf(words: string): Likelihood | null {
  const sentence = /POTENTIAL FOR (?:THE )?(?:DEVELOPMENT|TRANSITION|FORMATION)[^.]{0,300}/.exec(words)?.[0];
  // The final state counts, and of several the highest: `UPGRADED FROM LOW TO MEDIUM`, `HIGH DUE TO LOW SHEAR`.
  const stated = sentence?.match(/\b(?:IS|ARE|REMAINS|NOW|BE|(?<!DUE )TO) (?:LOW|MEDIUM|HIGH)\b/g);
  const found = (stated ?? sentence?.match(/(?<!FROM )\b(?:LOW|MEDIUM|HIGH)\b/g) ?? []).join(" ");
  return likelihoods.findLast((likelihood) => found.includes(likelihood.toUpperCase())) ?? null;
}

const WINDS =
  /WINDS? (?:IN THE AREA )?(?:ARE|IS|WERE) ESTIMATED (?:AT|TO BE) (?:(\d{1,3}) TO )?(\d{1,3}) (?:KNOTS|KTS?)/;

/** `WINDS ARE ESTIMATED AT 20 TO 25 KNOTS`, kt. */
export function windsOf(words: string): { min: number; max: number } | null {
  const [, low, high] = WINDS.exec(words) ?? [];
  const [min, max] = [Number(low ?? high), Number(high)];
  return max > 0 && max <= 250 && min <= max ? { min, max } : null;
}

/** `MINIMUM SEA LEVEL PRESSURE IS ESTIMATED TO BE NEAR 1004 MB`, hPa. */
export function pressureOf(words: string): number | null {
  return pressure(/PRESSURE IS ESTIMATED (?:TO BE )?(?:NEAR|AT) (\d{3,4}) MB/.exec(words)?.[1]);
}

/** `MINIMUM CENTRAL PRESSURE AT 251200Z IS 998 MB`. @returns hPa. */
export function centralPressure(oneLine: string): number | null {
  return pressure(/MINIMUM CENTRAL PRESSURE (?:AT \d{6}Z )?IS (\d{3,4}) MB/.exec(oneLine)?.[1]);
}

/** A number, or a string with one, within bounds; null for anything else. */
export function decimal(value: unknown, min: number, max: number): number | null {
  if (typeof value === "string" && !/^\s*-?\d{1,7}(?:\.\d{1,6})?\s*$/.test(value)) return null;
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = Number(value);
  return number >= min && number <= max ? number : null;
}

/** A pressure that a storm can have, hPa; null for anything else. */
export function pressure(value: unknown): number | null {
  return decimal(value, 800, 1100);
}

/** A paragraph for readers, at most as long as the contract allows. */
export function paragraphOf(words: string): string {
  return words.trim().slice(0, MAX_PARAGRAPH);
}
