/** Numbers of a field as whole numbers of its last decimal, in the order of the message: rows north to south. */
export interface CodedValues {
  /** value = coded / 10^decimals; only those present. */
  coded: Int32Array;
  decimals: number;
  smallest: number;
  largest: number;
  /** One bit for each point, most significant first; undefined where no value is missing. */
  bitmap?: Uint8Array;
}

/**
 * Rounds numbers to their last decimal.
 *
 * @param values (rows, columns) row-major, south to north, west to east; NaN = missing.
 * @param width Number of columns.
 * @param factor Result = value · factor + offset, before it is rounded.
 */
export function codedValues(
  values: Float64Array,
  width: number,
  decimals: number,
  factor = 1,
  offset = 0,
): CodedValues {
  const scale = 10 ** decimals;
  const [slope, start] = [factor * scale, offset * scale];
  const coded = new Int32Array(values.length);
  let bitmap: Uint8Array | undefined;
  let count = 0;
  let smallest = 2 ** 31 - 1;
  let largest = -(2 ** 31);
  for (let row = values.length - width, point = 0; row >= 0; row -= width)
    for (let i = row; i < row + width; i++, point++) {
      const value = values[i]! * slope + start;
      if (Number.isNaN(value)) {
        bitmap ??= onesUpTo(point, values.length);
        continue;
      }
      if (bitmap) bitmap[point >>> 3]! |= 0x80 >>> (point & 7);
      const whole = Math.floor(value + 0.5) | 0;
      if (whole < smallest) smallest = whole;
      if (whole > largest) largest = whole;
      coded[count++] = whole;
    }
  if (count === 0) smallest = largest = 0;
  return {
    coded: count === coded.length ? coded : coded.subarray(0, count),
    decimals,
    smallest,
    largest,
    bitmap,
  };
}

/** A bitmap of so many points, of which those before `point` are present. */
function onesUpTo(point: number, points: number): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(points / 8)).fill(255, 0, point >>> 3);
  if (point & 7) bitmap[point >>> 3] = (0xff00 >>> (point & 7)) & 255;
  return bitmap;
}
