import type { ByteSource } from "#server/ingest/byte-source.ts";
import { spread } from "./bitmap.ts";
import { unpackCcsds } from "./ccsds.ts";
import { unpackComplex } from "./complex-packing.ts";
import type { Grib2Field } from "./field.ts";
import { GribError, Unreadable } from "./grib-error.ts";
import { unpackIeee } from "./ieee.ts";
import { unpackJpeg2000 } from "./jpeg2000.ts";
import { unpackPng } from "./png.ts";
import { toGridOrder } from "./scan-order.ts";
import { unpackSimple } from "./simple-packing.ts";

/**
 * Reads the values of a field.
 *
 * @returns In the order of `field.grid`, (nLat, nLon) row-major, south to north, west to east; NaN = missing; the unit
 *   is that of the parameter in the WMO tables. The array is the caller's.
 * @throws GribError where the values are damaged.
 */
export function decodeGrib2(source: ByteSource, field: Grib2Field): Float32Array {
  return toGridOrder(decodeInScanOrder(source, field), field.scan);
}

/** As `decodeGrib2`, but in the order in which the message has the points, as other decoders print them. */
export function decodeInScanOrder(source: ByteSource, field: Grib2Field): Float32Array {
  try {
    const values = unpack(readAll(source, field.data), field);
    if (field.bitmap === undefined) return values;
    return spread(values, readAll(source, field.bitmap), field.scan.columns * field.scan.rows);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
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
  if (bytes.length < length) throw new Unreadable("truncated: the file has become shorter than its messages");
  return bytes;
}
