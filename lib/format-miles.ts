import { MILE_KM } from "@open-metocean/geo/sphere";
import { formatNumber, inUnit } from "./messages/number.ts";
import type { Words } from "./messages/words.ts";

/**
 * A distance in nautical miles: `76 n mi`, below ten `7.6 n mi`. @param decimals Fixed number of decimals, if
 * set.
 */
export function formatMiles(km: number, words: Words, decimals?: number): string {
  const miles = km / MILE_KM;
  const digits = decimals ?? (Math.abs(miles) < 10 ? 1 : 0);
  return inUnit(formatNumber(miles, digits, words.language), words.catalog.nauticalMile, words);
}
