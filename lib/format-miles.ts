import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Words } from "./words/en.ts";
import { formatNumber } from "./words/number.ts";

/** A distance in nautical miles: `76 n mi`, below ten `7.6 n mi`. @param decimals In place of those. */
export function formatMiles(km: number, { catalog, language }: Words, decimals?: number): string {
  const miles = km / MILE_KM;
  const digits = decimals ?? (Math.abs(miles) < 10 ? 1 : 0);
  return catalog.inUnit(formatNumber(miles, digits, language), catalog.nauticalMile);
}
