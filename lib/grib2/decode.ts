import type { ByteSource } from "./byte-source.ts";
import { unpackCcsds } from "./ccsds.ts";
import { constant, unpackComplex } from "./complex-packing.ts";
import { decodeCodeStream } from "./jpeg2000/decode.ts";
import { Bits, GribError, readBits, UnreadableError } from "./octets.ts";
import { unpackPng } from "./png.ts";
import type { Grib2Field, Scaling, Scan } from "./sections.ts";

/**
 * Reads the values of a field.
 *
 * @returns In the order of `field.grid`, (nLat, nLon) row-major, south to north, west to east; NaN = missing; the unit
 *   is that of the parameter in the WMO tables. The caller owns the array.
 * @throws GribError if the values are damaged.
 */
export function decodeGrib2(source: ByteSource, field: Grib2Field): Float32Array {
  return toGridOrder(decodeInScanOrder(source, field), field.scan);
}

/** Reads the values in the message's own order of points, as other decoders print them. */
export function decodeInScanOrder(source: ByteSource, field: Grib2Field): Float32Array {
  try {
    const values = unpack(readAll(source, field.data), field);
    if (field.bitmap === undefined) return values;
    return applyBitmap(values, readAll(source, field.bitmap), field.scan.columns * field.scan.rows);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new GribError(source.name, field.message, error.message, { cause: error });
  }
}

function unpack(bytes: Uint8Array, { packing, coded }: Grib2Field): Float32Array {
  switch (packing.kind) {
    case "simple":
      return unpackSimple(bytes, packing, coded);
    case "complex":
      return unpackComplex(bytes, packing, coded);
    case "ieee":
      return unpackIeee(bytes, packing.bytes, coded);
    case "jpeg2000":
      return unpackJpeg2000(bytes, packing, coded);
    case "png":
      return unpackPng(bytes, packing, coded);
    case "ccsds":
      return unpackCcsds(bytes, packing, coded);
  }
}

function readAll(source: ByteSource, { offset, length }: { offset: number; length: number }): Uint8Array {
  const bytes = source.read(offset, length);
  if (bytes.length < length)
    throw new UnreadableError("truncated: the file has become shorter than its messages");
  return bytes;
}

/**
 * Assigns the coded values to the points whose bit is set; the others are NaN.
 *
 * @param bitmap One bit per point, most significant bit first, in the message's order.
 */
function applyBitmap(values: Float32Array, bitmap: Uint8Array, points: number): Float32Array {
  const out = new Float32Array(points);
  let used = 0;
  for (let point = 0; point < points; point++) {
    const present = (bitmap[point >>> 3]! & (0x80 >>> (point & 7))) !== 0;
    // Past the last value this writes NaN, and the check below fails.
    out[point] = present ? values[used++]! : Number.NaN;
  }
  if (used !== values.length) {
    throw new UnreadableError(
      `damaged: its bitmap has ${used} points, but ${values.length} values are coded`,
    );
  }
  return out;
}

/** Unpacks IEEE numbers (template 5.4), big-endian. */
function unpackIeee(bytes: Uint8Array, size: 4 | 8, count: number): Float32Array {
  if (count * size > bytes.length) {
    throw new UnreadableError(`damaged: ${count} numbers of ${size} octets do not fit into ${bytes.length}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Float32Array(count);
  if (size === 4) for (let index = 0; index < count; index++) out[index] = view.getFloat32(index * 4);
  else for (let index = 0; index < count; index++) out[index] = view.getFloat64(index * 8);
  return out;
}

/** Unpacks numbers coded as the samples of a JPEG 2000 image (template 5.40). */
function unpackJpeg2000(bytes: Uint8Array, packing: Scaling, count: number): Float32Array {
  if (packing.bits === 0 || count === 0) return constant(packing, count);
  return scale(decodeCodeStream(bytes, count), packing, count);
}

/** Unpacks simple packing (template 5.0), where all values have the same number of bits. */
function unpackSimple(bytes: Uint8Array, packing: Scaling, count: number): Float32Array {
  const { bits: width } = packing;
  if (width === 0) return constant(packing, count);
  const bits = new Bits(bytes);
  if (count * width > bits.length) {
    throw new UnreadableError(
      `damaged: ${count} values of ${width} bits do not fit into ${bytes.length} octets`,
    );
  }
  const out = new Float32Array(count);
  const { reference, binaryFactor, decimalFactor } = packing;
  const { view } = bits;
  if (width <= 25) {
    const unused = 32 - width;
    for (let index = 0, position = 0; index < count; index++, position += width) {
      out[index] =
        (reference + ((view.getInt32(position >>> 3) << (position & 7)) >>> unused) * binaryFactor) *
        decimalFactor;
    }
  } else {
    for (let index = 0, position = 0; index < count; index++, position += width) {
      out[index] = (reference + readBits(view, position, width) * binaryFactor) * decimalFactor;
    }
  }
  return out;
}

function scale(coded: ArrayLike<number>, packing: Scaling, count: number): Float32Array {
  const out = new Float32Array(count);
  const { reference, binaryFactor, decimalFactor } = packing;
  for (let index = 0; index < count; index++)
    out[index] = (reference + coded[index]! * binaryFactor) * decimalFactor;
  return out;
}

/**
 * Reorders values from the order of the message to that of `Grid`: rows south to north, columns west to east from the
 * grid's first column.
 *
 * @param values In the message's order, one per point. They are moved in place where whole rows can be.
 */
function toGridOrder(values: Float32Array, scan: Scan): Float32Array {
  const { columns, rows, firstColumn, northward } = scan;
  if (scan.byColumn || scan.westward || scan.serpentine) {
    const out = new Float32Array(values.length);
    for (let index = 0; index < values.length; index++) out[gridIndex(scan, index)] = values[index]!;
    return out;
  }
  if (northward && firstColumn === 0) return values;
  const spare = new Float32Array(columns);
  for (let row = 0; row < rows; row++) {
    const other = northward ? row : rows - 1 - row;
    if (other < row) break;
    const [to, from] = [row * columns, other * columns];
    spare.set(values.subarray(to, to + columns));
    values.copyWithin(to, from + firstColumn, from + columns);
    values.copyWithin(to + columns - firstColumn, from, from + firstColumn);
    values.set(firstColumn === 0 ? spare : spare.subarray(firstColumn), from);
    if (firstColumn > 0) values.set(spare.subarray(0, firstColumn), from + columns - firstColumn);
  }
  return values;
}

function gridIndex(scan: Scan, index: number): number {
  const { columns, rows } = scan;
  const lineLength = scan.byColumn ? rows : columns;
  const line = Math.floor(index / lineLength);
  let place = index % lineLength;
  if (scan.serpentine && line % 2 === 1) place = lineLength - 1 - place;
  let column = scan.byColumn ? line : place;
  let row = scan.byColumn ? place : line;
  if (scan.westward) column = columns - 1 - column;
  if (!scan.northward) row = rows - 1 - row;
  column -= scan.firstColumn;
  if (column < 0) column += columns;
  return row * columns + column;
}
