import { UnreadableError } from "./grib-error.ts";
import { decodeCodeStream } from "./openjpeg.ts";
import type { Scaling } from "./packing.ts";
import { constant, scale } from "./simple-packing.ts";

/** Decoding takes about eight times the memory of the samples: larger images are rejected. */
const MAX_SAMPLES = 16 * 1024 * 1024;
const MAX_TILES = 1024;
/** SOC and SIZ, the first two markers of every code stream. */
const START = 0xff4fff51;

/** Numbers coded as the samples of a JPEG 2000 image (template 5.40). */
export function unpackJpeg2000(bytes: Uint8Array, packing: Scaling, count: number): Float32Array {
  if (packing.bits === 0 || count === 0) return constant(packing, count);
  const bits = checkHeader(bytes, count);
  const samples = decodeCodeStream(bytes);
  const size = bits <= 8 ? 1 : 2;
  if (samples.length !== count * size)
    throw new UnreadableError("damaged: its JPEG 2000 picture lacks samples");
  return scale(size === 1 ? samples : new Uint16Array(samples.buffer, 0, count), packing, count);
}

/** Checks the header of the image before decoding. Returns the bits of a sample. */
function checkHeader(bytes: Uint8Array, count: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 45 || view.getUint32(0) !== START) {
    throw new UnreadableError("damaged: its values do not begin with a JPEG 2000 code stream");
  }
  const [right, bottom, left, top] = [8, 12, 16, 20].map((at) => view.getUint32(at)) as Four;
  const [tileWidth, tileHeight, tileLeft, tileTop] = [24, 28, 32, 36].map((at) => view.getUint32(at)) as Four;
  const components = view.getUint16(40);
  const precision = view.getUint8(42);
  const subsampled = view.getUint8(43) !== 1 || view.getUint8(44) !== 1;
  const [width, height] = [right - left, bottom - top];
  const tiles = Math.ceil((right - tileLeft) / tileWidth) * Math.ceil((bottom - tileTop) / tileHeight);
  if (width <= 0 || height <= 0 || width * height !== count || components !== 1 || subsampled) {
    throw new UnreadableError(
      `damaged: its JPEG 2000 picture of ${width} × ${height} does not hold ${count} values`,
    );
  }
  if (count > MAX_SAMPLES || !(tiles <= MAX_TILES)) {
    throw new UnreadableError(
      `a JPEG 2000 picture of ${count} samples in ${tiles} tiles is too large to be read`,
    );
  }
  const bits = (precision & 0x7f) + 1;
  if (bits > 16 || precision >= 0x80) {
    throw new UnreadableError(
      `JPEG 2000 samples of ${bits} bits${precision >= 0x80 ? " with a sign" : ""} are not read`,
    );
  }
  return bits;
}

type Four = [number, number, number, number];
