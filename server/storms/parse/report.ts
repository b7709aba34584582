import { normaliseLongitude } from "#lib/field/grid.ts";
import { DAY_S } from "#lib/time.ts";
import type { Bulletin, Fix, Provider, QuadrantRadii } from "#server/storms/bulletin.ts";

/** What is wrong with a text, for the log: nothing of it is guessed. */
export interface Problem {
  /** Counted from 1; 0 for the text as a whole. */
  line: number;
  reason: string;
}

/** Where fixes come from, the most trusted first: at one time the first of them counts. */
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

/** What one text says of one storm; several of them are folded into a bulletin. */
export interface Report extends Bulletin {
  source: ReportSource;
  /** Ids under which this storm was watched before, such as `AL902018`. */
  formerly: string[];
}

/** What one text says. */
export interface Parsed {
  reports: Report[];
  problems: Problem[];
  /** Keys of all storms that a list names, where the text is one: what it leaves out is over. */
  listed?: { provider: Provider; basins: readonly string[]; keys: string[] };
}

/** A fix without anything but its place. */
export function bareFix(time: number, latitude: number, longitude: number): Fix {
  return { time, latitude, longitude, vmaxKt: null, mslpHpa: null, stage: null, radiiKm: {} };
}

/** A report that says nothing yet of where the storm is. */
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

/** Season year of an instant, Unix seconds: southern seasons run from July and bear the year in which they end. */
export function seasonOf(basin: string, time: number): number {
  const date = new Date(time * 1000);
  const southern = basin === "SH" || basin === "SL";
  return date.getUTCFullYear() + (southern && date.getUTCMonth() >= 6 ? 1 : 0);
}

/** The same radius all round, km. */
export function allRound(km: number): QuadrantRadii {
  return { ne: km, se: km, sw: km, nw: km };
}

/** Longitude of any convention in −180..180. */
export function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  const turned = normaliseLongitude(longitude);
  return Math.round(turned * 1e6) / 1e6;
}

/**
 * Unix seconds of calendar figures in UTC; NaN where there is no such instant.
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

/**
 * The instant that a message means by day of the month and time of day: the nearest to when it was received.
 *
 * @param near Unix seconds.
 */
export function nearestDay(day: number, hour: number, minute: number, near: number): number {
  let nearest = Number.NaN;
  for (const offset of [-1, 0, 1]) {
    const month = new Date(near * 1000);
    month.setUTCDate(1);
    month.setUTCMonth(month.getUTCMonth() + offset);
    const time = instantOf(month.getUTCFullYear(), month.getUTCMonth() + 1, day, hour, minute);
    if (Number.isNaN(time)) continue;
    if (Number.isNaN(nearest) || Math.abs(time - near) < Math.abs(nearest - near)) nearest = time;
  }
  return Math.abs(nearest - near) < 45 * DAY_S ? nearest : Number.NaN;
}
