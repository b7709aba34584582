import { readDecimal } from "#lib/decimal.ts";
import type { Place } from "#lib/geo/sphere.ts";

/** `48.5,-5.17` → place; null for anything else. */
export function parsePlace(text: string): Place | null {
  const [latitude = Number.NaN, longitude = Number.NaN, ...rest] = text.split(",").map(readDecimal);
  const valid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && rest.length === 0;
  return valid ? { latitude, longitude } : null;
}
