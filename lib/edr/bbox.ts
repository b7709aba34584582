import { readDecimal } from "#lib/decimal.ts";
import type { Box } from "#lib/geo/box.ts";
import { EdrQueryError } from "./query-error.ts";

/**
 * Reads the parameter `bbox`: west, south, east, north in degrees. A west edge that is east of the east edge crosses the
 * antimeridian. Throws `EdrQueryError`.
 */
export function readBbox(text: string): Box {
  const parts = text.split(",", 7);
  const numbers = parts.map((part) => readDecimal(part.trim()) + 0);
  if (parts.length === 6) throw new EdrQueryError("bbox: heights are not supported: four numbers");
  if (parts.length !== 4 || numbers.some((number) => Number.isNaN(number)))
    throw new EdrQueryError("bbox: should be four numbers: west,south,east,north");
  const [west, south, east, north] = numbers as [number, number, number, number];
  if (Math.abs(west) > 180 || Math.abs(east) > 180)
    throw new EdrQueryError("bbox: longitudes, the first and the third number, should be in −180..180");
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    throw new EdrQueryError("bbox: latitudes, the second and the fourth number, should be in −90..90");
  if (south > north) throw new EdrQueryError("bbox: the south edge should not be north of the north edge");
  return { west, south, east, north };
}
