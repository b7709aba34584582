import type { ByteSource } from "#server/ingest/byte-source.ts";
import { unpackCcsds } from "./ccsds.ts";
import { unpackComplex } from "./complex-packing.ts";
import type { Grib2Field } from "./field.ts";
import { GribError, UnreadableError } from "./grib-error.ts";
import { unpackJpeg2000 } from "./jpeg2000.ts";
import { unpackPng } from "./png.ts";
import { toGridOrder } from "./scan-order.ts";
import { unpackSimple } from "./simple-packing.ts";

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

/** Like `decodeGrib2`, but in the message's own order of points, as other decoders print them. */
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

/** IEEE numbers (template 5.4), big-endian. */
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
