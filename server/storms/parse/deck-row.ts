import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Fix, QuadrantRadii } from "#server/storms/bulletin.ts";
import { bareFix, instantOf, wrapped } from "./report.ts";

/** A row of an ATCF deck: one wind threshold of one storm at one time, by one technique. */
export interface DeckRow {
  basin: string;
  /** 1..99. */
  number: number;
  technique: string;
  /** Unix seconds; minutes included. */
  base: number;
  /** Hours after the base; negative for history. */
  tau: number;
  fix: Fix;
  subregion: string | null;
  /** As written; empty if there is none. */
  name: string;
  /** Earlier ids of this storm that the trailing remarks name. */
  formerly: string[];
}

/** A row that cannot be used, and the reason. */
export class DeckRowError extends Error {
  override readonly name = "DeckRowError";
}

/** Valid subregions of each basin; decks contain others by mistake. */
const subregions: Readonly<Record<string, string>> = {
  AL: "L",
  EP: "E",
  CP: "C",
  WP: "W",
  IO: "AB",
  SH: "SP",
  SL: "Q",
};

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
  const letters = subregions[basin];
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
  const part = (from: number, to: number) => Number(text.slice(from, to));
  const extra = /^\d{1,2}$/.test(minutes) ? Number(minutes) : 0;
  const minute = text.length === 12 ? part(10, 12) : extra;
  const base = instantOf(part(0, 4), part(4, 6), part(6, 8), part(8, 10), minute);
  if (Number.isNaN(base)) throw new DeckRowError(`no such instant: ${text}, minute ${minute}`);
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

/** A number; null for 0, blanks, −99 and 9999, which mean missing. */
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
  const km = miles.map((radius) => (radius === null ? null : radius * MILE_KM));
  if (windcode === "AAA") {
    const all = km[0]!;
    return { ne: all, se: all, sw: all, nw: all };
  }
  const first = order.indexOf(windcode.slice(0, 2).toLowerCase() as (typeof order)[number]);
  if (first < 0 || windcode.length !== 3 || windcode[2] !== "Q") {
    throw new DeckRowError(`no order of quadrants: "${quoted(windcode)}"`);
  }
  const at = (quadrant: number) => km[(quadrant - first + 4) % 4]!;
  return { ne: at(0), se: at(1), sw: at(2), nw: at(3) };
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
