import { decodeCodeStream } from "./jpeg2000/decode.ts";
import type { Scaling } from "./packing.ts";
import { constant, scale } from "./simple-packing.ts";

/** Numbers coded as the samples of a JPEG 2000 image (template 5.40). */
export function unpackJpeg2000(bytes: Uint8Array, packing: Scaling, count: number): Float32Array {
  if (packing.bits === 0 || count === 0) return constant(packing, count);
  return scale(decodeCodeStream(bytes, count), packing, count);
}
