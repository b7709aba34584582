import type { Token } from "./tokens.ts";
import type { Axis, Hemisphere } from "./words.ts";

export type AngleProblem =
  | "minutes"
  | "latitude-range"
  | "longitude-range"
  | "sign-and-letter"
  | "numbers"
  | "missing-number";

/** One half of a position, before it is known which. */
export interface Half {
  numbers: { text: string; mark: string | undefined }[];
  sign: "-" | "+" | undefined;
  hemisphere: Hemisphere | undefined;
  axis: Axis | undefined;
}

/** Collects one half; a problem for two signs, letters or names of an axis. */
export function halfOf(tokens: readonly Token[]): Half | AngleProblem {
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
 * The angle of a half, degrees north or east: longitudes of 180 to 360 are east and become negative.
 *
 * @param compact Whether digits may follow each other: `4830`, `00510`, `483015`.
 */
export function angleOf(
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
    // Degrees come first; minutes may be left out before seconds that have their mark.
    if (place < index || (index === 0 && place !== 0) || parts[place] !== undefined) return "numbers";
    parts[place] = numbers[index]?.text ?? "";
  }
  return degreesOf([parts[0] ?? "0", parts[1] ?? "0", parts[2] ?? "0"]);
}

/** `4830.5` → 48, 30.5; `0051015` → 005, 10, 15; undefined for a number of degrees alone. */
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
