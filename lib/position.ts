import type { Words } from "./messages/words.ts";

/**
 * Formats a position in degrees and minutes as on charts: `48°30.0′N 005°10.2′W`.
 *
 * @param latitude Degrees north.
 * @param longitude Degrees east in any convention.
 */
export function positionText(latitude: number, longitude: number): string {
  const within = Math.abs(longitude) > 180 ? longitude - 360 * Math.round(longitude / 360) : longitude;
  return `${angle(latitude, 2, "N", "S")} ${angle(within, 3, "E", "W")}`;
}

/**
 * Letters of the nearest of the eight compass points. @param bearing Degrees clockwise from north, any turn.
 */
export function compassLetters(bearing: number, { catalog }: Words): string {
  return nearestOf(
    catalog.compass.letters.filter((_, index) => index % 2 === 0),
    bearing,
  );
}

/**
 * Letters of the nearest of the sixteen compass points: `WNW`.
 *
 * @param bearing Degrees clockwise from north, any turn.
 * @param form Standalone, or as used in a sentence with `from`.
 */
export function compassAbbreviation(
  bearing: number,
  { catalog }: Words,
  form: "letters" | "lettersFrom" = "letters",
): string {
  return nearestOf(catalog.compass[form], bearing);
}

/** Name of the nearest of the sixteen compass points. */
export function compassPoint(
  bearing: number,
  { catalog }: Words,
  form: "points" | "pointsFrom" | "pointsTowards" = "points",
): string {
  return nearestOf(catalog.compass[form], bearing);
}

/** @param names Names of directions that divide the circle evenly, clockwise from north. */
function nearestOf(names: readonly string[], bearing: number): string {
  const { length } = names;
  return names[((Math.round((bearing * length) / 360) % length) + length) % length]!;
}

function angle(degrees: number, digits: number, positive: string, negative: string): string {
  const tenths = Math.round(Math.abs(degrees) * 600);
  const whole = String(Math.floor(tenths / 600)).padStart(digits, "0");
  const minutes = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  return `${whole}°${minutes}′${degrees < 0 ? negative : positive}`;
}

/** A bearing in three digits: `007°`. */
export function formatBearing(bearing: number): string {
  return `${String(Math.round(bearing) % 360).padStart(3, "0")}°`;
}
