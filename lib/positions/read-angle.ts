import { angleOf, halfOf } from "./angle.ts";
import { plainSigns, tokensOf } from "./tokens.ts";
import { type Axis, meaningOfO } from "./words.ts";

const MAX_LENGTH = 60;

/**
 * One angle of a table, whose column says which: `48.5`, `48,5`, `48°30.5′N`, `48-30-15 N`, `W 005 10`, `4830N`. A comma is
 * decimal.
 *
 * @param letter Of a column of its own.
 * @param languages Of the reader: whether O is west or east.
 * @returns Degrees north or east, longitudes beyond 180 as negative ones; NaN for anything else, and for an O of unknown
 *   meaning.
 */
export function readAngle(text: string, axis: Axis, letter = "", languages: readonly string[] = []): number {
  const limit = axis === "latitude" ? 90 : 180;
  if (letter === "" && /^-?\d+(?:\.\d+)?$/.test(text)) {
    const degrees = Number(text);
    if (Math.abs(degrees) <= limit) return degrees + 0;
    return axis === "longitude" && degrees > 180 && degrees <= 360 ? degrees - 360 : Number.NaN;
  }
  if (text.length > MAX_LENGTH || !/\p{Nd}/u.test(text)) return Number.NaN;
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
