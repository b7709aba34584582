import type { Place } from "#lib/geo/sphere.ts";

/**
 * Formats a position in degrees and minutes as on charts: `48°30.0′N 005°10.2′W`.
 *
 * @param latitude Degrees north.
 * @param longitude Degrees east in any convention, also beyond ±180.
 */
export function positionText(latitude: number, longitude: number): string {
  const within = Math.abs(longitude) > 180 ? longitude - 360 * Math.round(longitude / 360) : longitude;
  return `${angle(latitude, 2, "N", "S")} ${angle(within, 3, "E", "W")}`;
}

/**
 * Parses a position as people write it: `48 30N 005 10W`, `48°30.5'N 5°10'W`, `48-30-15N 005-10W`, `N48.5 W5.17`,
 * `48.5, -5.17`. With letters either half may come first; without them latitude does.
 *
 * @returns Degrees north and east, −180..180; undefined for an invalid position.
 */
export function parsePosition(text: string): Place | undefined {
  const plain = text.trim().toUpperCase().replaceAll("−", "-");
  return /[NSEW]/.test(plain) ? lettered(plain) : signed(plain);
}

function signed(text: string): Place | undefined {
  const match = /^([-+]?\d+(?:\.\d+)?)°?[\s,;/]+([-+]?\d+(?:\.\d+)?)°?$/.exec(text);
  return match ? within(Number(match[1]), Number(match[2])) : undefined;
}

function lettered(text: string): Place | undefined {
  if (!/^[NSEW\d\s.,;:°'’′"”″-]+$/.test(text)) return undefined;
  const tokens: string[] = text.match(/[NSEW]|\d+(?:\.\d+)?/g) ?? [];
  const letters = tokens.filter((token) => /[NSEW]/.test(token));
  const [first, second] = letters;
  if (letters.length !== 2 || !first || !second) return undefined;
  // The letter comes before its numbers, or after them.
  const leads = tokens[0] === first;
  const cut = leads ? tokens.indexOf(second, 1) : tokens.indexOf(first) + 1;
  const halves = [tokens.slice(0, cut), tokens.slice(cut)];
  const angles = halves.map((half) => degreesOf(half.filter((token) => !/[NSEW]/.test(token))));
  const [one = Number.NaN, other = Number.NaN] = angles;
  const towards = (letter: string, degrees: number) => (/[SW]/.test(letter) ? -degrees : degrees);
  if (/[NS]/.test(first) && /[EW]/.test(second)) return within(towards(first, one), towards(second, other));
  if (/[EW]/.test(first) && /[NS]/.test(second)) return within(towards(second, other), towards(first, one));
  return undefined;
}

/** Degrees from degrees, minutes and seconds; NaN for an invalid angle. */
function degreesOf(numbers: readonly string[]): number {
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = numbers.map(Number);
  const whole = numbers.slice(0, -1).every((number) => !number.includes("."));
  return numbers.length <= 3 && whole && minutes < 60 && seconds < 60
    ? degrees + minutes / 60 + seconds / 3600
    : Number.NaN;
}

function within(latitude: number, longitude: number): Place | undefined {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

const points = [
  "north",
  "north-northeast",
  "northeast",
  "east-northeast",
  "east",
  "east-southeast",
  "southeast",
  "south-southeast",
  "south",
  "south-southwest",
  "southwest",
  "west-southwest",
  "west",
  "west-northwest",
  "northwest",
  "north-northwest",
];

const letters = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/** Nearest of the eight compass points, in letters. @param bearing Degrees clockwise from north, any turn. */
export function compassLetters(bearing: number): string {
  return nearestOf(letters, bearing);
}

/** Nearest of the sixteen compass points, in letters: `WNW`. @param bearing Degrees clockwise from north, any turn. */
export function compassAbbreviation(bearing: number): string {
  const names = compassPoint(bearing).match(/north|east|south|west/g) ?? [];
  return names.map((name) => name.charAt(0).toUpperCase()).join("");
}

/** Nearest of the sixteen compass points, in words. @param bearing Degrees clockwise from north, any turn. */
export function compassPoint(bearing: number): string {
  return nearestOf(points, bearing);
}

/** @param names Of directions that divide the circle evenly, clockwise from north. */
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

/** `007°`: a bearing in three digits. */
export function formatBearing(bearing: number): string {
  return `${String(Math.round(bearing) % 360).padStart(3, "0")}°`;
}
