import { readDecimal } from "#lib/decimal.ts";
import type { Box } from "#lib/geo/box.ts";
import { EdrQueryError } from "./query-error.ts";

/**
 * Reads the parameter `bbox`: west, south, east, north in degrees. A west edge that is east of the east edge crosses the
 * antimeridian; longitudes may be of the convention 0..360. Throws `EdrQueryError`.
 *
 * @param isLatitudeFirst The order is south, west, north, east.
 */
export function readBbox(text: string, isLatitudeFirst = false): Box {
  const parts = text.split(",", 7);
  const numbers = parts.map((part) => readDecimal(part.trim()) + 0);
  if (parts.length === 6) throw new EdrQueryError("bbox: heights are not supported: four numbers");
  if (parts.length !== 4 || numbers.some((number) => Number.isNaN(number)))
    throw new EdrQueryError("bbox: should be four numbers: west,south,east,north");
  const [first, second, third, fourth] = numbers as [number, number, number, number];
  const [west, south, east, north] = isLatitudeFirst
    ? [second, first, fourth, third]
    : [first, second, third, fourth];
  if (Math.min(west, east) < -180 || Math.max(west, east) > 360)
    throw new EdrQueryError("bbox: longitudes should be in −180..180, or in 0..360");
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    throw new EdrQueryError("bbox: latitudes should be in −90..90");
  if (south > north) throw new EdrQueryError("bbox: the south edge should not be north of the north edge");
  return withinGlobe({ west, south, east, north });
}

/** A box whose longitudes may be beyond 180°. */
export function withinGlobe({ west, south, east, north }: Box): Box {
  if (east - west >= 360) return { west: -180, south, east: 180, north };
  return { west: westernOf(west), south, east: westernOf(east), north };
}

/** A longitude of −180..360 in −180..180. */
export const westernOf = (longitude: number) => (longitude > 180 ? longitude - 360 : longitude);
