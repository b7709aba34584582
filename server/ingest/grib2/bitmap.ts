import { Unreadable } from "./grib-error.ts";

/**
 * Spreads coded values over the points whose bit is set; the others are NaN.
 *
 * @param bitmap One bit a point, first bit first, in the message's order.
 */
export function spread(values: Float32Array, bitmap: Uint8Array, points: number): Float32Array {
  const out = new Float32Array(points);
  let used = 0;
  for (let point = 0; point < points; point++) {
    const present = (bitmap[point >>> 3]! & (0x80 >>> (point & 7))) !== 0;
    // Past the last value this writes NaN, and the count below tells.
    out[point] = present ? values[used++]! : Number.NaN;
  }
  if (used !== values.length) {
    throw new Unreadable(`damaged: its bitmap has ${used} points, but ${values.length} values are coded`);
  }
  return out;
}
