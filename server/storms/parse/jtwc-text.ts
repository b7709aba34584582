import { MILE_KM } from "#lib/geo/sphere.ts";
import type { QuadrantRadii } from "#server/storms/bulletin.ts";
import { MAX_AHEAD_S, nearestDay, type Report } from "./report.ts";

/** A whole text cannot be read. The message is for the operator. */
export class TextRefusedError extends Error {
  override readonly name: string = "TextRefusedError";
}

/** The text is whole, and of a storm that is long over. */
export class TextObsoleteError extends TextRefusedError {
  override readonly name = "TextObsoleteError";
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

/** West of it is the Arabian Sea, degrees east. */
const BENGAL_WEST = 78;

/** Between Greenwich and here is the south Indian Ocean, degrees east. */
const SOUTH_PACIFIC_WEST = 135;

/** Subregion of a place in an ATCF basin. @param longitude −180..180. */
export function subregionOf(basin: string, longitude: number): string {
  if (basin === "IO") return longitude >= BENGAL_WEST ? "B" : "A";
  if (basin === "SH") return longitude < 0 || longitude >= SOUTH_PACIFIC_WEST ? "P" : "S";
  return Object.values(letters).find((each) => each.basin === basin)!.subregion;
}

/** The heading of a bulletin: `WTPN31 PGTW 202100`. */
export interface Heading {
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
  const match = /^\s*([A-Z]{4}\d\d) +([A-Z]{4}) +(\d\d)(\d\d)(\d\d)Z?\b/.exec(text);
  if (!match) throw new TextRefusedError("no heading of a bulletin such as WTPN31 PGTW 202100");
  const issued = dayOf(Number(match[3]), Number(match[4]), Number(match[5]), near);
  if (Number.isNaN(issued)) throw new TextRefusedError("the heading names no instant");
  return { slot: match[1]!, issued };
}

/** @throws TextRefusedError for the second and later parts of a split text: only the first part names the storm. */
export function refuseLaterPart(text: string): void {
  const match = /END PART (\d{1,2})\s*\/\s*(\d{1,2})/.exec(text);
  if (match && Number(match[1]) > 1) {
    throw new TextRefusedError(
      `part ${Number(match[1])} of ${Number(match[2])} of a split text: it names no storm and no position of its own`,
    );
  }
}

/** Older warnings are obsolete. They stay in their slot until the next storm. */
const OBSOLETE_S = 18 * 3600;

/** What is older is of no use for a storm that is still published either: 24 h of silence, and 24 h after its end. */
const OLDEST_BASE_S = 48 * 3600;

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
  const [ne = null, se = null, sw = null, nw = null] = miles.map((radius) =>
    radius === null ? null : radius * MILE_KM,
  );
  return { ne, se, sw, nw };
}

/** The text on one line: warnings wrap sentences anywhere, also within `FINAL WARNING`. */
export function collapsed(text: string): string {
  return text.replaceAll(/\s+/g, " ").toUpperCase();
}

/** Every final warning contains this phrase. */
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

/** ATCF code of the class of a storm in a warning. */
export function stageOfClass(words: string): string | null {
  return classes.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** ATCF code of a remark on a forecast hour; `becoming …` does not count. */
export function stageOfRemark(remark: string): string | null {
  if (/BECOMING/.test(remark)) return null;
  if (/EXTRA-?TROPICAL/.test(remark)) return "EX";
  if (/DISSIPAT/.test(remark)) return "DS";
  if (/SUBTROPICAL/.test(remark)) return "SS";
  return null;
}

/** `MINIMUM CENTRAL PRESSURE AT 251200Z IS 998 MB`. @returns hPa. */
export function centralPressure(oneLine: string): number | null {
  const match = /MINIMUM CENTRAL PRESSURE (?:AT \d{6}Z )?IS (\d{3,4}) MB/.exec(oneLine);
  const pressure = Number(match?.[1]);
  return pressure >= 800 && pressure <= 1100 ? pressure : null;
}

/** The phrase that names a storm: `TROPICAL STORM 25W (SURIGAE) WARNING NR 010`. */
export const NAMED_STORM =
  /\b((?:SUPER )?TYPHOON|HURRICANE|(?:SUB)?TROPICAL (?:STORM|DEPRESSION|CYCLONE)) (\d\d)([A-Z]) \(([^)]{1,30})\) WARNING NR/;
