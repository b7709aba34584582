import { MILE_KM } from "#lib/geo/sphere.ts";
import type { QuadrantRadii } from "#server/storms/bulletin.ts";
import { nearestDay, wrapped } from "./report.ts";

/** Why a whole text is not read. The message is for the operator. */
export class TextRefusedError extends Error {
  override readonly name = "TextRefusedError";
}

const letters: Readonly<Record<string, { basin: string; subregion: string }>> = {
  W: { basin: "WP", subregion: "W" },
  A: { basin: "IO", subregion: "A" },
  B: { basin: "IO", subregion: "B" },
  S: { basin: "SH", subregion: "S" },
  P: { basin: "SH", subregion: "P" },
  E: { basin: "EP", subregion: "E" },
  C: { basin: "CP", subregion: "C" },
  L: { basin: "AL", subregion: "L" },
  Q: { basin: "SL", subregion: "Q" },
};

/** ATCF basin and subregion of the letter behind a storm's number: `25W`. */
export function basinOfLetter(letter: string): { basin: string; subregion: string } | undefined {
  return letters[letter.toUpperCase()];
}

/** What the heading of a bulletin says: `WTPN31 PGTW 202100`. */
export interface Heading {
  /** `WTPN31`. */
  slot: string;
  /** When it was issued, Unix seconds. */
  issued: number;
}

/**
 * Reads the heading of a WMO bulletin.
 *
 * @param near When the text was received, Unix seconds: a heading says the day of the month alone.
 * @throws TextRefusedError
 */
export function headingOf(text: string, near: number): Heading {
  const match = /^\s*([A-Z]{4}\d\d) ([A-Z]{4}) (\d\d)(\d\d)(\d\d)\b/.exec(text);
  if (!match) throw new TextRefusedError("no heading of a bulletin such as WTPN31 PGTW 202100");
  const issued = nearestDay(Number(match[3]), Number(match[4]), Number(match[5]), near);
  if (Number.isNaN(issued)) throw new TextRefusedError("the heading names no instant");
  return { slot: match[1]!, issued };
}

/** @throws TextRefusedError for the second and later parts of a text that was split: what they belong to is in the first. */
export function refuseLaterPart(text: string): void {
  const match = /END PART (\d{1,2})\s*\/\s*(\d{1,2})/.exec(text);
  if (match && Number(match[1]) > 1) {
    throw new TextRefusedError(
      `part ${Number(match[1])} of ${Number(match[2])} of a split text: it names no storm and no position of its own`,
    );
  }
}

/** A warning is worth nothing after this time, and its slot keeps it until the next storm. */
const OLDEST_BASE_S = 18 * 3600;

/** A clock that is a little slow must not refuse the newest warning. */
const AHEAD_S = 3600;

/** @throws TextRefusedError for a warning that was left in its slot, or that comes from the future. */
export function refuseStale(base: number, now: number): void {
  const instant = `${new Date(base * 1000).toISOString().slice(0, 16)}Z`;
  if (now - base > OLDEST_BASE_S) {
    throw new TextRefusedError(`stale: its base time ${instant} is more than 18 h old`);
  }
  if (base - now > AHEAD_S) throw new TextRefusedError(`its base time ${instant} is in the future`);
}

/** `21.4N 128.2E`, or `214N 1282E` in tenths; undefined where there is no such place. */
export function placeOf(
  lat: string,
  ns: string,
  lon: string,
  ew: string,
): { latitude: number; longitude: number } | undefined {
  const degrees = (text: string) => (text.includes(".") ? Number(text) : Number(text) / 10);
  const latitude = degrees(lat) * (ns === "S" ? -1 : 1);
  const longitude = degrees(lon) * (ew === "W" ? -1 : 1);
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360)) return undefined;
  return { latitude: latitude === 0 ? 0 : latitude, longitude: wrapped(longitude === 0 ? 0 : longitude) };
}

/** Radii in nautical miles as km; undefined where all are zero: there is no such wind. */
export function radiiFromMiles(miles: readonly (number | null)[]): QuadrantRadii | undefined {
  if (miles.every((radius) => !radius)) return undefined;
  const [ne = null, se = null, sw = null, nw = null] = miles.map((radius) =>
    radius === null ? null : radius * MILE_KM,
  );
  return { ne, se, sw, nw };
}

/** The text on one line: warnings break sentences wherever a line ends, also within `FINAL WARNING`. */
export function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, " ").toUpperCase();
}

/** Every final warning says so; «signs of regeneration» alone is the sentence that follows. */
export function isFinalWarning(oneLine: string): boolean {
  return /\bFINAL WARNING\b/.test(oneLine);
}

const classes: readonly [RegExp, string][] = [
  [/^SUPER TYPHOON/, "ST"],
  [/^TYPHOON/, "TY"],
  [/^HURRICANE/, "HU"],
  [/^SUBTROPICAL STORM/, "SS"],
  [/^SUBTROPICAL DEPRESSION/, "SD"],
  [/^TROPICAL STORM/, "TS"],
  [/^TROPICAL DEPRESSION/, "TD"],
  [/^TROPICAL CYCLONE/, "TC"],
];

/** ATCF's two letters of what a warning calls a storm. */
export function stageOfClass(words: string): string | null {
  return classes.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** ATCF's two letters of a remark on a forecast hour; `becoming …` is not yet so. */
export function stageOfRemark(remark: string): string | null {
  if (/BECOMING/.test(remark)) return null;
  if (/EXTRA-?TROPICAL/.test(remark)) return "EX";
  if (/DISSIPAT/.test(remark)) return "DS";
  if (/SUBTROPICAL/.test(remark)) return "SS";
  return null;
}

/** `MINIMUM CENTRAL PRESSURE AT 251200Z IS 998 MB`. @returns hPa, and the day and hour it holds for. */
export function centralPressure(oneLine: string): number | null {
  const match = /MINIMUM CENTRAL PRESSURE (?:AT \d{6}Z )?IS (\d{3,4}) MB/.exec(oneLine);
  const pressure = Number(match?.[1]);
  return pressure >= 800 && pressure <= 1100 ? pressure : null;
}

/** `WARNING POSITION: …` and others name storms so: `TROPICAL STORM 25W (SURIGAE) WARNING NR 010`. */
export const NAMED_STORM =
  /\b((?:SUPER )?TYPHOON|HURRICANE|(?:SUB)?TROPICAL (?:STORM|DEPRESSION|CYCLONE)) (\d\d)([A-Z]) \(([^)]{1,30})\) WARNING NR/;
