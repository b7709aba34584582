import type { GivenFix } from "./season.ts";

/** The rows of a best track at one time. */
export interface DeckFix extends GivenFix {
  /** Hectopascals; 0 if missing. */
  pressureHpa: number;
  type: string;
  name: string;
  lines: string[];
}

/** The best track of one storm. */
export interface Deck {
  basin: string;
  number: number;
  /** `S` or `P` of a southern deck; otherwise the basin's letter. */
  letter: string;
  /** Ascending in time. */
  fixes: DeckFix[];
}

const letters: Readonly<Record<string, string>> = {
  AL: "L",
  EP: "E",
  CP: "C",
  WP: "W",
  IO: "A",
  SH: "P",
  SL: "Q",
};

/** Reads a b-deck, independently of the parser under test. The first storm of the text counts. */
export function readDeck(text: string): Deck {
  return read(text, (technique, hour) => technique === "BEST" && hour === 0);
}

/** The analyses in rows of an a-deck: of CARQ also those of the hours before, and hour 0 of the forecasts. */
export function analysesOf(rows: readonly string[]): DeckFix[] {
  return read(rows.join("\n"), (_, hour) => hour <= 0).fixes;
}

/** The points in rows of an official forecast, at the times for which they are valid. */
export function forecastsOf(rows: readonly string[]): DeckFix[] {
  return read(rows.join("\n"), (technique) => technique === "OFCL").fixes;
}

function read(text: string, isUsed: (technique: string, hour: number) => boolean): Deck {
  const fixes = new Map<number, DeckFix>();
  let deck: Deck | undefined;
  for (const line of text.split("\n")) {
    const fields = line.split(",").map((field) => field.trim());
    const hour = Number(fields[5]);
    if (!isUsed(fields[4] ?? "", hour) || fields.length < 10) continue;
    const basin = fields[0]!;
    deck ??= { basin, number: Number(fields[1]), letter: letterOf(basin, fields[7]!), fixes: [] };
    if (Number(fields[1]) !== deck.number) continue;
    const minutes = fields[4] === "BEST" ? Number(fields[3]) : 0;
    const time = timeOf(fields[2]!) + 60 * minutes + 3600 * hour;
    let fix = fixes.get(time);
    if (!fix) {
      fix = {
        time,
        latitude: tenthsOf(fields[6]!),
        longitude: tenthsOf(fields[7]!),
        windKt: Number(fields[8]) || null,
        pressureHpa: Number(fields[9]),
        type: fields[10]!,
        name: fields[27] ?? "",
        radii: {},
        lines: [],
      };
      fixes.set(time, fix);
    }
    fix.lines.push(line);
    const threshold = Number(fields[11]);
    if (threshold !== 34 && threshold !== 50 && threshold !== 64) continue;
    const radii = fields.slice(13, 17).map(Number);
    fix.radii[threshold] = fields[12] === "AAA" ? radii.map(() => radii[0]!) : radii;
  }
  if (!deck) throw new Error("no best track");
  return { ...deck, fixes: [...fixes.values()].sort((one, other) => one.time - other.time) };
}

function letterOf(basin: string, longitude: string): string {
  if (basin !== "SH") return letters[basin]!;
  const east = tenthsOf(longitude);
  return east > 0 && east < 135 ? "S" : "P";
}

/** `2018083006`. */
function timeOf(stamp: string): number {
  const part = (from: number, to: number) => Number(stamp.slice(from, to));
  return Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10)) / 1000;
}

/** `128N`. */
function tenthsOf(text: string): number {
  const value = Number(text.slice(0, -1)) / 10;
  return /[SW]$/.test(text) ? -value : value;
}

/** The deck's rows with another storm's number and another time: other columns stay as they are. */
export function moved(deck: Deck, number: number, shiftS: number): Deck {
  const fixes = deck.fixes.map((fix) => {
    const stamp = hourStamp(fix.time + shiftS);
    const lines = fix.lines.map((line) =>
      line
        .replace(/^(..), *\d\d, *\d{10}/, `$1, ${twoDigits(number)}, ${stamp}`)
        // Remarks name ids of the season in which the deck was written.
        .replace(/(?:TRANSITIONED|SPAWNINVEST),.*$/, ""),
    );
    return { ...fix, time: fix.time + shiftS, lines };
  });
  return { ...deck, number, fixes };
}

/** Closest to the equator that a deck is moved, degrees: a row then has a latitude of two figures. */
const LOWEST = 3;

/** The deck as if its storm had lived close to the equator. */
export function nearEquator(deck: Deck): Deck {
  const least = Math.min(...deck.fixes.map(({ latitude }) => Math.abs(latitude)));
  const by = Math.max(0, Math.floor(least) - LOWEST) * (deck.fixes[0]!.latitude < 0 ? -1 : 1);
  const fixes = deck.fixes.map((fix) => {
    const latitude = Math.round((fix.latitude - by) * 10) / 10;
    return { ...fix, latitude, lines: fix.lines.map((line) => placedAnew(line, latitude)) };
  });
  return { ...deck, fixes };
}

/** Rows with another latitude. */
export function placedAnew(rows: string, latitude: number): string {
  const written = `${Math.round(Math.abs(latitude) * 10)}${latitude < 0 ? "S" : "N"}`;
  return rows.replaceAll(/^((?:[^,]*,){6} *)\d+[NS]/gm, `$1${written}`);
}

export function hourStamp(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 13).replaceAll(/[-T]/g, "");
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Season of a storm by the time of its first fix: southern seasons run from July, named by the second year. */
export function seasonYear(basin: string, time: number): number {
  const date = new Date(time * 1000);
  return date.getUTCFullYear() + ((basin === "SH" || basin === "SL") && date.getUTCMonth() >= 6 ? 1 : 0);
}
