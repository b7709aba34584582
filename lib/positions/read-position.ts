import type { Place } from "@open-metocean/geo/sphere";
import {
  type Axis,
  type Hemisphere,
  meaningOfO,
  plainSigns,
  type Token,
  type Tokens,
  tokensOf,
} from "./tokens.ts";

/** Why a text may stand for several places. */
type UnclearReason = "letter-o" | "no-letter" | "comma" | "hyphen" | "order";

/** Why a text is not a position. */
type InvalidReason = AngleProblem | "empty" | "name" | "words" | "half" | "twice";

export type PositionReading =
  | { kind: "place"; place: Place }
  /** The caller has to ask which place is meant; there is at least one, the most likely first. */
  | { kind: "unclear"; reason: UnclearReason; places: readonly Place[] }
  | { kind: "invalid"; reason: InvalidReason };

/** Longest text that is read. */
const MAX_LENGTH = 200;

/**
 * Reads a position as people write it: `48 30N 005 10W`, `4830N 00510W`, `48°30.5′N 5°10′W`, `48,5; -5,17`,
 * `lon=-5.17, lat=48.5`, `北緯48度30分 西経5度10分`, `+4830-00510/`, `IN78rl`. Without letters, latitude comes first.
 *
 * @param languages Languages of the reader, BCP 47; they decide whether O is west or east.
 * @returns A place in −90..90 and −180..180; several if the text is ambiguous.
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

/**
 * A comma between digits is a decimal comma or a separator. If both readings give a place, the rest of the
 * text decides.
 */
function readCommas(plain: string, languages: readonly string[]): PositionReading {
  const separating = readHyphens(plain, false, languages);
  if (!/\d,\d/.test(plain) || /\d\.\d/.test(plain)) return separating;
  const decimal = readHyphens(plain, true, languages);
  if (decimal.kind === "invalid") {
    // 48,5 alone may also be half of a position.
    const isHalf = decimal.reason === "half" && separating.kind === "place";
    return isHalf ? unclear("comma", [separating.place]) : separating;
  }
  if (separating.kind === "invalid") return decimal;
  const separatesLetters = /[a-z\u4e00-\u9fff]\s?,|,[a-z\u4e00-\u9fff]/u.test(plain);
  const isSeparatedOtherwise = /[a-z;/|\n\t\u4e00-\u9fff]|\d\s+[-−+]?\d/u.test(plain);
  if (!separatesLetters && isSeparatedOtherwise) return decimal;
  return unclear("comma", [...placesOf(decimal), ...placesOf(separating)]);
}

/** A hyphen that may be a sign or a separator. */
const JOINED = /([\d.°'"])(?:-| - )(?=\d)/g;

/** A hyphen after a number either separates degrees from minutes or is the sign of the longitude. */
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
  // If only one half has a letter, the other one needs a sign.
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

/** Without letters, a first number above 90 can only be a longitude. */
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

/** The hemispheres that a half may be in; undefined if it has a sign or no half has a letter. */
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

type Halves = readonly [readonly Token[], readonly Token[]];

/**
 * Splits the tokens of a position into its two halves: by names of the axes, by letters, by separators, by
 * degree signs, by the sign of the second number, or in the middle.
 *
 * @returns "half" if there is only one; "twice" or "numbers" if the halves cannot be separated.
 */
function splitHalves(tokens: readonly Token[]): Halves | "half" | "twice" | "numbers" {
  const count = (kind: Token["kind"]) => tokens.filter((token) => token.kind === kind).length;
  const [axes, letters] = [count("axis"), count("hemisphere")];
  if (count("number") < 2) return "half";
  if (axes > 2 || letters > 2) return "twice";
  if (axes === 2) return byKind(tokens, "axis");
  if (letters === 2) return byKind(tokens, "hemisphere");
  const halves = bySeparator(tokens) ?? (letters === 1 ? byLetter(tokens) : undefined) ?? bare(tokens);
  // 48 30N is one angle in degrees and minutes.
  const isOneAngle = letters === 1 && count("number") <= 3 && count("separator") + count("sign") === 0;
  return isOneAngle && !byLetter(tokens) ? "half" : halves;
}

/** Splits by names or letters, which come either before or after their numbers. */
function byKind(tokens: readonly Token[], kind: "axis" | "hemisphere"): Halves {
  const meant = tokens.filter((token) => token.kind !== "separator");
  const leads = leadsNumbers(meant, kind);
  const [first = 0, second = 0] = meant.flatMap((token, index) => (token.kind === kind ? [index] : []));
  const cut = leads ? second : first + 1;
  return [meant.slice(0, cut), meant.slice(cut)];
}

function leadsNumbers(tokens: readonly Token[], kind: Token["kind"]): boolean {
  const first = tokens.findIndex((token) => token.kind === kind);
  return first < tokens.findIndex((token) => token.kind === "number");
}

/** Splits by a single line end or semicolon, or else by a single comma. */
function bySeparator(tokens: readonly Token[]): Halves | undefined {
  for (const hard of [true, false]) {
    const found = tokens.flatMap((token, index) =>
      token.kind === "separator" && token.hard === hard ? [index] : [],
    );
    const [at] = found;
    if (found.length !== 1 || at === undefined) continue;
    const halves = [tokens.slice(0, at), tokens.slice(at + 1)] as const;
    if (halves.every((half) => half.some(({ kind }) => kind === "number"))) return halves;
  }
  return undefined;
}

/**
 * Splits by a single letter. Between the numbers it belongs to those before it, unless it directly precedes
 * the others.
 */
function byLetter(tokens: readonly Token[]): Halves | undefined {
  const at = tokens.findIndex(({ kind }) => kind === "hemisphere");
  const letter = tokens[at];
  const isNumber = ({ kind }: Token) => kind === "number";
  if (
    letter?.kind !== "hemisphere" ||
    !tokens.slice(0, at).some(isNumber) ||
    !tokens.slice(at).some(isNumber)
  ) {
    return undefined;
  }
  const cut = letter.spaceBefore ? at : at + 1;
  return [tokens.slice(0, cut), tokens.slice(cut)];
}

function bare(tokens: readonly Token[]): Halves | "numbers" {
  const meant = tokens.filter(({ kind }) => kind !== "separator");
  const at = (wanted: (token: Token) => boolean) =>
    meant.flatMap((token, index) => (wanted(token) ? [index] : []));
  const numbers = at(({ kind }) => kind === "number");
  const cutAt = (index: number): Halves => {
    // A sign before a number stays with it.
    const cut = meant[index - 1]?.kind === "sign" ? index - 1 : index;
    return [meant.slice(0, cut), meant.slice(cut)];
  };
  const degrees = at((token) => token.kind === "mark" && token.mark === "°");
  if (degrees.length === 2) return cutAt(degrees[1]! - 1);
  const [firstNumber = 0] = numbers;
  const signs = at(({ kind }) => kind === "sign").filter((index) => index > firstNumber);
  if (signs.length === 1) return cutAt(signs[0]! + 1);
  return numbers.length % 2 === 0 && signs.length === 0 ? cutAt(numbers[numbers.length / 2]!) : "numbers";
}

/** Centre of a Maidenhead locator of six or eight characters, `IN78rl`; undefined for any other text. */
function maidenheadCentre(text: string): Place | undefined {
  const match = /^([A-R])([A-R])(\d)(\d)([A-X])([A-X])(?:(\d)(\d))?$/i.exec(text);
  if (!match) return undefined;
  const [fieldX, fieldY, x, y, subX, subY, fineX, fineY] = match.slice(1).map(ordinal);
  const fine = fineX !== undefined && fineY !== undefined;
  const [east, north] = fine ? [(fineX + 0.5) / 10, (fineY + 0.5) / 10] : [0.5, 0.5];
  return {
    longitude: -180 + 20 * fieldX! + 2 * x! + (subX! + east) / 12,
    latitude: -90 + 10 * fieldY! + y! + (subY! + north) / 24,
  };
}

/** Converts A to 0, and 7 to 7. */
function ordinal(sign: string | undefined): number | undefined {
  if (sign === undefined) return undefined;
  return /\d/.test(sign) ? Number(sign) : sign.toUpperCase().charCodeAt(0) - 65;
}

type AngleProblem =
  | "minutes"
  | "latitude-range"
  | "longitude-range"
  | "sign-and-letter"
  | "numbers"
  | "missing-number";

/** One half of a position, before it is known whether it is the latitude. */
interface Half {
  numbers: { text: string; mark: string | undefined }[];
  sign: "-" | "+" | undefined;
  hemisphere: Hemisphere | undefined;
  axis: Axis | undefined;
}

/** Collects the parts of one half; a problem if it has two signs, letters or names of an axis. */
function halfOf(tokens: readonly Token[]): Half | AngleProblem {
  const half: Half = { numbers: [], sign: undefined, hemisphere: undefined, axis: undefined };
  for (const token of tokens) {
    if (token.kind === "number") half.numbers.push({ text: token.text, mark: undefined });
    else if (token.kind === "mark") {
      const last = half.numbers.at(-1);
      if (!last || last.mark !== undefined) return "numbers";
      last.mark = token.mark;
    } else if (token.kind === "sign") {
      if (half.sign || half.numbers.length > 0) return "numbers";
      half.sign = token.sign;
    } else if (token.kind === "hemisphere") {
      if (half.hemisphere) return "numbers";
      half.hemisphere = token.hemisphere;
    } else if (token.kind === "axis") {
      if (half.axis) return "numbers";
      half.axis = token.axis;
    }
  }
  return half.numbers.length > 0 ? half : "missing-number";
}

/**
 * The angle of a half, degrees north or east. Longitudes of 180 to 360 count as east and become negative.
 *
 * @param compact Whether digits may be joined: `4830`, `00510`, `483015`.
 */
function angleOf(
  half: Half,
  axis: Axis,
  hemisphere: Exclude<Hemisphere, "O"> | undefined,
  compact: boolean,
): number | AngleProblem {
  const size = magnitude(half.numbers, axis, compact);
  if (typeof size === "string") return size;
  if (hemisphere && half.sign === "-") return "sign-and-letter";
  const negative = half.sign === "-" || hemisphere === "S" || hemisphere === "W";
  if (axis === "latitude") return size <= 90 ? signed(size, negative) : "latitude-range";
  if (size <= 180) return signed(size, negative);
  return size <= 360 && !negative ? size - 360 : "longitude-range";
}

function signed(size: number, negative: boolean): number {
  return negative && size !== 0 ? -size : size;
}

function magnitude(numbers: Half["numbers"], axis: Axis, compact: boolean): number | AngleProblem {
  if (numbers.length > 3) return "numbers";
  const [first] = numbers;
  if (numbers.length === 1 && first && compact && first.mark === undefined) {
    const spread = spreadDigits(first.text, axis);
    if (spread) return degreesOf(spread);
  }
  const places = numbers.map(({ mark }, index) => (mark ? "°'\"".indexOf(mark) : index));
  const parts: string[] = [];
  for (const [index, place] of places.entries()) {
    // Degrees come first; minutes may be left out before seconds that are marked as such.
    if (place < index || (index === 0 && place !== 0) || parts[place] !== undefined) return "numbers";
    parts[place] = numbers[index]?.text ?? "";
  }
  return degreesOf([parts[0] ?? "0", parts[1] ?? "0", parts[2] ?? "0"]);
}

/**
 * Splits joined digits: `4830.5` into 48 and 30.5; `0051015` into 005, 10 and 15; undefined for degrees
 * alone.
 */
function spreadDigits(text: string, axis: Axis): string[] | undefined {
  const [whole = "", fraction] = text.split(".");
  const decimals = fraction === undefined ? "" : `.${fraction}`;
  const degrees = axis === "latitude" ? 2 : 3;
  if (whole.length <= degrees) return undefined;
  if (whole.length === degrees + 2 || (axis === "longitude" && whole.length === 4)) {
    return [whole.slice(0, -2), whole.slice(-2) + decimals];
  }
  if (whole.length === degrees + 4 || (axis === "longitude" && whole.length === 6)) {
    return [whole.slice(0, -4), whole.slice(-4, -2), whole.slice(-2) + decimals];
  }
  return undefined;
}

function degreesOf(parts: readonly string[]): number | AngleProblem {
  const last = parts.findLastIndex((part) => Number(part) !== 0);
  if (parts.some((part, index) => index < last && part.includes("."))) return "numbers";
  const [degrees = 0, minutes = 0, seconds = 0] = parts.map(Number);
  if (minutes >= 60 || seconds >= 60) return "minutes";
  return degrees + minutes / 60 + seconds / 3600;
}

const MAX_ANGLE_LENGTH = 60;

/**
 * Reads one angle of a table, whose column defines the axis: `48.5`, `48,5`, `48°30.5′N`, `48-30-15 N`, `W
 * 005 10`, `4830N`. A comma is decimal.
 *
 * @param letter Letter in a column of its own.
 * @param languages Languages of the reader; they decide whether O is west or east.
 * @returns Degrees north or east, longitudes beyond 180 as negative ones; NaN for anything else, and for an O
 * of unknown meaning.
 */
export function readAngle(text: string, axis: Axis, letter = "", languages: readonly string[] = []): number {
  const limit = axis === "latitude" ? 90 : 180;
  if (letter === "" && /^-?\d+(?:\.\d+)?$/.test(text)) {
    const degrees = Number(text);
    if (Math.abs(degrees) <= limit) return degrees + 0;
    return axis === "longitude" && degrees > 180 && degrees <= 360 ? degrees - 360 : Number.NaN;
  }
  if (text.length > MAX_ANGLE_LENGTH || !/\p{Nd}/u.test(text)) return Number.NaN;
  const plain = plainSigns(`${text} ${letter}`.trim()).replace(/([\d.°'"])-(?=\d)/g, "$1 ");
  const tokens = tokensOf(plain, true);
  const half = tokens && halfOf(tokens.tokens.filter(({ kind }) => kind !== "separator"));
  if (!half || typeof half === "string") return Number.NaN;
  const hemisphere = half.hemisphere === "O" ? meaningOfO(tokens.words, languages) : half.hemisphere;
  const isOther = axis === "latitude" ? /[EW]/ : /[NS]/;
  if ((half.axis && half.axis !== axis) || (hemisphere && isOther.test(hemisphere))) return Number.NaN;
  if (half.hemisphere === "O" && !hemisphere) return Number.NaN;
  const degrees = angleOf(half, axis, hemisphere, hemisphere !== undefined);
  return typeof degrees === "string" ? Number.NaN : degrees;
}
