import type { GivenFix } from "./season.ts";

/** The rows of a best track at one time. */
export interface DeckFix extends GivenFix {
  /** Hectopascals; 0 if missing. */
  pressureHpa: number;
  type: string;
  name: string;
  lines: string[];
}

export interface Deck {
  basin: string;
  number: number;
  /** `S` or `P` for a southern deck; otherwise the basin's letter. */
  letter: string;
  /** Ascending in time. */
  fixes: DeckFix[];
}

const letters: Readonly<Record<string, string>> = { AL: "L", EP: "E", CP: "C", WP: "W", IO: "A", SL: "Q" };

/** Reads a b-deck, independently of the parser under test. */
export function readDeck(text: string): Deck {
  const fixes = new Map<number, DeckFix>();
  let deck: Omit<Deck, "fixes"> | undefined;
  for (const line of text.split("\n")) {
    const fields = line.split(",").map((field) => field.trim());
    if (fields[4] !== "BEST" || fields.length < 10) continue;
    const [basin, number] = [fields[0]!, Number(fields[1])];
    const [latitude, longitude] = [tenthsOf(fields[6]!), tenthsOf(fields[7]!)];
    deck ??= { basin, number, letter: letters[basin] ?? (longitude > 0 && longitude < 135 ? "S" : "P") };
    const time = timeOf(fields[2]!) + 60 * Number(fields[3]);
    const fix = fixes.get(time) ?? {
      time,
      latitude,
      longitude,
      windKt: Number(fields[8]) || null,
      pressureHpa: Number(fields[9]),
      type: fields[10]!,
      name: fields[27] ?? "",
      radii: {},
      lines: [],
    };
    fixes.set(time, fix);
    fix.lines.push(line);
    const threshold = Number(fields[11]);
    if (threshold !== 34 && threshold !== 50 && threshold !== 64) continue;
    const radii = fields.slice(13, 17).map(Number);
    fix.radii[threshold] = fields[12] === "AAA" ? radii.map(() => radii[0]!) : radii;
  }
  if (!deck) throw new Error("no best track");
  return { ...deck, fixes: [...fixes.values()].sort((one, other) => one.time - other.time) };
}

/** Parses `2018083006`. */
function timeOf(stamp: string): number {
  const part = (from: number, to: number) => Number(stamp.slice(from, to));
  return Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(8, 10)) / 1000;
}

/** Parses `128N`. */
function tenthsOf(text: string): number {
  const value = Number(text.slice(0, -1)) / 10;
  return /[SW]$/.test(text) ? -value : value;
}

/** The deck's rows with another storm number and another time; other columns stay unchanged. */
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

export function hourStamp(time: number): string {
  return new Date(time * 1000).toISOString().slice(0, 13).replaceAll(/[-T]/g, "");
}

export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
