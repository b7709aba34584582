import type { FormationAlert, StormOutlook } from "#lib/contract/storm-outlook.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Bulletin, Fix, Provider, QuadrantRadii } from "#server/storms/bulletin.ts";

/** What could not be read in a text, for the operator. */
export interface Problem {
  /** Counted from 1; 0 for the text as a whole. */
  line: number;
  reason: string;
  /** The text was read all the same. */
  isRead?: true;
}

/** Sources of fixes, most trusted first: of several fixes at one time the first counts. */
export const reportSources = [
  "best track",
  "warning",
  "analysis",
  "advisory list",
  "vital statistics",
  "formation alert",
  "outlook",
  "drawn track",
] as const;

export type ReportSource = (typeof reportSources)[number];

/** What one text reports about one storm. Reports are merged into a bulletin. */
export interface Report extends Bulletin {
  source: ReportSource;
  /** Earlier ids of this storm, such as `AL902018`. */
  formerly: string[];
  /** Why it is refused, unless its storm is published or in another text: a slot keeps the last warning of a storm that is over. */
  obsolete?: string;
}

/** The content of one text. */
export interface Parsed {
  reports: Report[];
  problems: Problem[];
  /** If the text is a list of active storms: their keys. Storms that it leaves out have ended. */
  listed?: ActiveList;
  /** If the text is an outlook: the areas of interest. */
  outlook?: StormOutlook;
  /** If the text is a formation alert. */
  alert?: InvestAlert;
  /**
   * The text ends in its middle. Of a bulletin and of a list nothing is read then, of a deck its whole rows: what the text
   * lacks proves nothing, and what was read of it before stays valid.
   */
  isCut?: true;
  /** The text is of a storm that is long over: nothing of it is read, and nothing is wrong with it. */
  isObsolete?: true;
}

/** A list of active storms. */
export interface ActiveList {
  provider: Provider;
  basins: readonly string[];
  keys: string[];
  /**
   * Newest time that the list states, Unix seconds; if it states none, as when it is empty, when this content was first
   * seen. Undefined if unknown.
   */
  updated?: number;
  /** The list states no time: it may be older than when it was first seen. */
  isUndated?: true;
}

/** A formation alert of an invest, or its cancellation. */
export interface InvestAlert {
  /** Id of the invest. */
  storm: string;
  /** Unix seconds. */
  issued: number;
  /** null for a cancellation. */
  alert: FormationAlert | null;
}

/** An alert stays for so long after its end: its successor is issued at that time and received later. */
export const ALERT_LAPSED_S = 6 * HOUR_S;

/** A fix with nothing but its position. */
export function bareFix(time: number, latitude: number, longitude: number): Fix {
  return { time, latitude, longitude, vmaxKt: null, mslpHpa: null, stage: null, radiiKm: {} };
}

/** A report without positions. */
export function emptyReport(
  source: ReportSource,
  of: Pick<Report, "provider" | "basin" | "number" | "season" | "issued">,
): Report {
  return {
    source,
    ...of,
    name: null,
    isInvest: of.number >= 90,
    subregion: null,
    isFinal: false,
    observed: [],
    formerly: [],
  };
}

/** Clocks of agencies and of this machine differ a little: what is so little ahead is not of the future, seconds. */
export const CLOCK_TOLERANCE_S = 3600;

/**
 * What is stamped at most so far ahead is read, and marked, seconds: this machine's clock is wrong, or the agency's. Texts
 * come every 6 h, so that one that is further ahead is of the future, as in a replay of the past.
 */
export const MAX_AHEAD_S = 6 * HOUR_S;

/** No basin has numbered more storms at the beginning of a season than one, and another in each such time. */
const DAYS_PER_NUMBER = 4;

/**
 * Season year of a storm, Unix seconds: southern seasons run from July and are named by the year in which they end. A storm
 * keeps the season in which it was numbered: 36W on the 1st of January is of the year before, because a season so young has
 * no 36 storms. Numbers of invests go round, and tell nothing.
 */
export function seasonOf(basin: string, time: number, number = 0): number {
  const date = new Date(time * 1000);
  const southern = basin === "SH" || basin === "SL";
  const season = date.getUTCFullYear() + (southern && date.getUTCMonth() >= 6 ? 1 : 0);
  const start = southern ? Date.UTC(season - 1, 6) : Date.UTC(season, 0);
  const days = time / DAY_S - start / 1000 / DAY_S;
  return number < 90 && number > 1 + days / DAYS_PER_NUMBER ? season - 1 : season;
}

/** Two letters, two digits, and the season with two or four. */
const STORM_FILE = /(?:^|[/\\ab])(al|ep|cp|wp|io|sh|sl)(\d\d)(\d{4}|\d\d)(?:web)?\.\w+$/i;

/** ATCF basin, number and season that the name of a file states. */
export function stormOfFile(name: string): { basin: string; number: number; season: number } | undefined {
  const match = STORM_FILE.exec(name);
  if (!match) return undefined;
  const season = Number(match[3]) + (match[3]!.length === 2 ? 2000 : 0);
  return { basin: match[1]!.toUpperCase(), number: Number(match[2]), season };
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

/** The same radius in all quadrants, km. */
export function allRound(km: number): QuadrantRadii {
  return { ne: km, se: km, sw: km, nw: km };
}

/** The largest of any number of values; null for none. Math.max has an argument for each, and the stack is finite. */
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
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute);
  const date = new Date(milliseconds);
  const same =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute;
  return same ? milliseconds / 1000 : Number.NaN;
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** Number of a month by its first three letters, in upper or lower case: 1..12; 0 for anything else. */
export function monthOf(letters: string | undefined): number {
  return months.indexOf(letters?.toUpperCase() ?? "") + 1;
}

/** Unix seconds of noon of a day, UTC, near which a day of the month is sought. @param month 1..12. */
export function noonOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day, 12) / 1000;
}

/** Further away the nearest such day is not what the message means. */
const MAX_DISTANCE_S = 45 * DAY_S;

/**
 * The time given by day of the month and time of day: the one nearest to when the message was received.
 *
 * @param near Unix seconds.
 */
export function nearestDay(day: number, hour: number, minute: number, near: number): number {
  return nearestOf(suchDays(day, hour, minute, near), near);
}

/**
 * The same for a time that has passed when the message is received: a message that is two weeks and more old is not one of
 * the next month.
 *
 * @param received Unix seconds; a day later is still possible, because clocks and dates of remarks are inexact.
 */
export function newestDay(day: number, hour: number, minute: number, received: number): number {
  const passed = suchDays(day, hour, minute, received).filter((time) => time - received <= DAY_S);
  return nearestOf(passed, received);
}

/** Such days of the months around a time. */
function suchDays(day: number, hour: number, minute: number, near: number): number[] {
  return [-2, -1, 0, 1].flatMap((offset) => {
    const month = new Date(near * 1000);
    month.setUTCDate(1);
    month.setUTCMonth(month.getUTCMonth() + offset);
    const time = instantOf(month.getUTCFullYear(), month.getUTCMonth() + 1, day, hour, minute);
    return Number.isNaN(time) ? [] : [time];
  });
}

function nearestOf(times: readonly number[], near: number): number {
  const distance = (time: number) => Math.abs(time - near);
  const [nearest = Number.NaN] = times.toSorted((one, other) => distance(one) - distance(other));
  return distance(nearest) < MAX_DISTANCE_S ? nearest : Number.NaN;
}
