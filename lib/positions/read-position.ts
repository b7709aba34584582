import type { Place } from "#lib/geo/sphere.ts";
import { type AngleProblem, angleOf, type Half, halfOf } from "./angle.ts";
import { maidenheadCentre } from "./maidenhead.ts";
import { splitHalves } from "./split-halves.ts";
import { plainSigns, type Tokens, tokensOf } from "./tokens.ts";
import { type Axis, type Hemisphere, meaningOfO } from "./words.ts";

/** Why a text may mean one of several places. */
export type UnclearReason = "letter-o" | "no-letter" | "comma" | "hyphen" | "order";

/** Why a text is no position. */
export type InvalidReason = AngleProblem | "empty" | "name" | "words" | "half" | "twice";

export type PositionReading =
  | { kind: "place"; place: Place }
  /** The caller asks which: at least one place, the likelier first. */
  | { kind: "unclear"; reason: UnclearReason; places: readonly Place[] }
  | { kind: "invalid"; reason: InvalidReason };

/** Longest text that is looked at. */
const MAX_LENGTH = 200;

/**
 * Reads a position as people write it: `48 30N 005 10W`, `4830N 00510W`, `48°30.5′N 5°10′W`, `48,5; -5,17`,
 * `lon=-5.17, lat=48.5`, `北緯48度30分 西経5度10分`, `+4830-00510/`, `IN78rl`. Without letters latitude is first.
 *
 * @param languages Of the reader, BCP 47: they say whether O is west or east.
 * @returns A place in −90..90 and −180..180; several where the text does not say which.
 */
export function readPosition(text: string, languages: readonly string[] = []): PositionReading {
  const trimmed = text.trim();
  if (trimmed === "") return invalid("empty");
  if (!/\p{Nd}/u.test(trimmed)) return invalid("name");
  if (trimmed.length > MAX_LENGTH) return invalid("words");
  const square = maidenheadCentre(trimmed);
  if (square) return { kind: "place", place: square };
  return readCommas(plainSigns(trimmed), languages);
}

/** A comma between digits is a decimal comma or separates; where both give a place, the rest of the text decides. */
function readCommas(plain: string, languages: readonly string[]): PositionReading {
  const separating = readHyphens(plain, false, languages);
  if (!/\d,\d/.test(plain) || /\d\.\d/.test(plain)) return separating;
  const decimal = readHyphens(plain, true, languages);
  if (decimal.kind === "invalid") {
    // 48,5 is also half of a position.
    const isHalf = decimal.reason === "half" && separating.kind === "place";
    return isHalf ? unclear("comma", [separating.place]) : separating;
  }
  if (separating.kind === "invalid") return decimal;
  const separatesLetters = /[a-z\u4e00-\u9fff]\s?,|,[a-z\u4e00-\u9fff]/u.test(plain);
  const isSeparatedOtherwise = /[a-z;/|\n\t\u4e00-\u9fff]|\d\s+[-−+]?\d/u.test(plain);
  if (!separatesLetters && isSeparatedOtherwise) return decimal;
  return unclear("comma", [...placesOf(decimal), ...placesOf(separating)]);
}

/** A hyphen that is neither clearly a sign nor clearly a separator. */
const JOINED = /([\d.°'"])(?:-| - )(?=\d)/g;

/** A hyphen after a number separates degrees from minutes, or it is the sign of the longitude. */
function readHyphens(plain: string, decimalComma: boolean, languages: readonly string[]): PositionReading {
  const separated = plain.replace(/([\d.°'"])-(?=\d)/g, "$1 ");
  const read = (text: string) => {
    const tokens = tokensOf(text, decimalComma);
    return tokens ? readTokens(tokens, languages) : invalid("words");
  };
  const lettered = /[a-zφλ\u4e00-\u9fff]/u.test(plain);
  if (lettered) return read(separated.replace(/ - /g, " "));
  if (/^[-−+][\d.]+-[\d.]+\/?$/.test(plain)) return read(plain.replace(JOINED, "$1; -").replace(/\/$/, ""));
  if (/^[-−+][\d.]+\+[\d.]+\/?$/.test(plain)) return read(plain.replace("+", "; +").replace(/\/$/, ""));
  const numbers = plain.match(decimalComma ? /\d+(?:[.,]\d+)?/g : /\d+(?:\.\d+)?/g) ?? [];
  if (plain.match(JOINED)?.length !== 1 || numbers.length !== 2) return read(separated);
  const [west, east] = [read(plain.replace(JOINED, "$1; -")), read(plain.replace(JOINED, "$1; "))];
  const places = [...placesOf(west), ...placesOf(east)];
  return places.length > 0 ? unclear("hyphen", places) : west;
}

function readTokens({ tokens, words }: Tokens, languages: readonly string[]): PositionReading {
  const parts = splitHalves(tokens);
  if (typeof parts === "string") return invalid(parts);
  const halves: Half[] = [];
  for (const part of parts) {
    const half = halfOf(part);
    if (typeof half === "string") return invalid(half);
    halves.push(half);
  }
  const [one, other] = halves as [Half, Half];
  const oneAxis = axisOf(one);
  const otherAxis = axisOf(other);
  if (oneAxis === "both" || otherAxis === "both") return invalid("twice");
  if (oneAxis && oneAxis === otherAxis) return invalid("twice");
  const isLatitudeFirst = oneAxis ? oneAxis === "latitude" : otherAxis !== "latitude";
  const [latitude, longitude] = isLatitudeFirst ? [one, other] : [other, one];
  const lettered = Boolean(one.hemisphere || other.hemisphere);
  // A letter at one half only: the other needs a sign.
  const north = hemispheresOf(latitude, lettered, ["N", "S"], words, languages);
  const east = hemispheresOf(longitude, lettered, ["E", "W"], words, languages);
  const places: Place[] = [];
  let problem: AngleProblem | undefined;
  for (const ns of north) {
    for (const ew of east) {
      const degreesNorth = angleOf(latitude, "latitude", ns, true);
      const degreesEast = angleOf(longitude, "longitude", ew, true);
      if (typeof degreesNorth === "string") problem ??= degreesNorth;
      else if (typeof degreesEast === "string") problem ??= degreesEast;
      else places.push({ latitude: degreesNorth, longitude: degreesEast });
    }
  }
  const [place] = places;
  if (!place) return swapped(one, other, oneAxis ?? otherAxis) ?? invalid(problem ?? "numbers");
  if (places.length === 1 && north.length * east.length === 1) return { kind: "place", place };
  return unclear(longitude.hemisphere === "O" ? "letter-o" : "no-letter", places);
}

/** Without letters, a first number beyond 90 can only be a longitude. */
function swapped(one: Half, other: Half, axis: Axis | undefined): PositionReading | undefined {
  if (axis) return undefined;
  const longitude = angleOf(one, "longitude", undefined, false);
  const latitude = angleOf(other, "latitude", undefined, false);
  if (typeof longitude === "string" || typeof latitude === "string") return undefined;
  return unclear("order", [{ latitude, longitude }]);
}

function axisOf({ axis, hemisphere }: Half): Axis | "both" | undefined {
  const lettered = hemisphere && (hemisphere === "N" || hemisphere === "S" ? "latitude" : "longitude");
  return axis && lettered && axis !== lettered ? "both" : (lettered ?? axis);
}

type Known = Exclude<Hemisphere, "O">;

/** The hemispheres that a half may be in; undefined: it has a sign, or no half has a letter. */
function hemispheresOf(
  half: Half,
  lettered: boolean,
  both: readonly Known[],
  words: readonly string[],
  languages: readonly string[],
): readonly (Known | undefined)[] {
  if (half.hemisphere === "O") {
    const meaning = meaningOfO(words, languages);
    return meaning ? [meaning] : ["W", "E"];
  }
  if (half.hemisphere) return [half.hemisphere];
  return lettered && !half.sign && half.numbers.some(({ text }) => Number(text) !== 0) ? both : [undefined];
}

function placesOf(reading: PositionReading): readonly Place[] {
  if (reading.kind === "place") return [reading.place];
  return reading.kind === "unclear" ? reading.places : [];
}

function invalid(reason: InvalidReason): PositionReading {
  return { kind: "invalid", reason };
}

function unclear(reason: UnclearReason, places: readonly Place[]): PositionReading {
  return { kind: "unclear", reason, places };
}
