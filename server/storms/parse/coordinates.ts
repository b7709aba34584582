import { wrapped } from "./report.ts";

/** Positions as the agencies write them. The patterns have four groups for `placeOf` and expect upper case. */

/** Degrees in words, whole or with decimals: `21.4N 128.2E`, `23N 126.7 E`, `9.5N, 144E`. */
export const DEGREES = String.raw`(?<!\d)(?<!\d\.)(\d{1,2}(?:\.\d{1,2})?) ?([NS])[, ]*(\d{1,3}(?:\.\d{1,2})?) ?([EW])\b`;

/** Tenths of a degree in coded rows, with leading zeros, blanks or neither: `214N 1282E`, ` 95N1325W`, `5S 804E`. */
export const TENTHS = String.raw`(\d{1,3}) ?([NS]) *(\d{1,4}) ?([EW])\b`;

/**
 * A position from the four groups of a pattern; undefined if it is impossible.
 *
 * @param perDegree Units in one degree: 10 for `TENTHS`.
 */
export function placeOf(
  [latitude, ns, longitude, ew]: readonly (string | undefined)[],
  perDegree = 1,
): { latitude: number; longitude: number } | undefined {
  const north = (ns === "S" ? -1 : 1) * (Number(latitude) / perDegree);
  const east = (ew === "W" ? -1 : 1) * (Number(longitude) / perDegree);
  if (!(Math.abs(north) <= 90 && Math.abs(east) <= 360)) return undefined;
  return { latitude: north || 0, longitude: wrapped(east || 0) };
}
