import { constant } from "./complex-packing.ts";
import { readBits, UnreadableError } from "./octets.ts";
import type { Scaling } from "./sections.ts";
import { crc32, inflate } from "./zlib.ts";

interface Header {
  width: number;
  height: number;
  /** Bits per pixel, all channels together. */
  bits: number;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 0x49484452;
const DATA = 0x49444154;
const END = 0x49454e44;

/** Number of channels by colour type: grey, RGB, RGBA. The channels are the octets of one number, big-endian. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 6: 4 };

/** Unpacks numbers coded as the pixels of a PNG image (template 5.41). */
export function unpackPng(bytes: Uint8Array, packing: Scaling, count: number): Float32Array {
  if (packing.bits === 0 || count === 0) return constant(packing, count);
  const { header, data } = readChunks(bytes);
  const { width, height, bits } = header;
  if (width * height !== count) {
    throw new UnreadableError(`damaged: its picture of ${width} × ${height} does not hold ${count} values`);
  }
  const rowBytes = Math.ceil((width * bits) / 8);
  const rows = unfilter(pixels(data, (rowBytes + 1) * height), rowBytes, height, Math.max(1, bits >> 3));
  const view = new DataView(rows.buffer);
  const out = new Float32Array(count);
  const { reference, binaryFactor, decimalFactor } = packing;
  for (let row = 0, index = 0; row < height; row++) {
    let position = row * rowBytes * 8;
    for (let column = 0; column < width; column++, index++, position += bits) {
      out[index] = (reference + readBits(view, position, bits) * binaryFactor) * decimalFactor;
    }
  }
  return out;
}

function readChunks(bytes: Uint8Array): { header: Header; data: Uint8Array[] } {
  if (SIGNATURE.some((octet, index) => bytes[index] !== octet)) throw damaged();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  const data: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    if (at + 12 + length > bytes.length) break;
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) throw damaged();
    if (type === HEADER && length === 13) header = readHeader(view, at + 8);
    else if (type === DATA) data.push(bytes.subarray(at + 8, at + 8 + length));
    else if (type === END && header !== undefined) return { header, data };
    at += 12 + length;
  }
  throw damaged();
}

function readHeader(view: DataView, at: number): Header {
  const depth = view.getUint8(at + 8);
  const colour = view.getUint8(at + 9);
  const bits = depth * (channels[colour] ?? 0);
  const interlaced = view.getUint8(at + 12) !== 0;
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits) || interlaced) {
    throw new UnreadableError(`a PNG picture of colour type ${colour} with ${depth} bits is not read`);
  }
  return { width: view.getUint32(at), height: view.getUint32(at + 4), bits };
}

/** The filtered pixels. @param parts Parts of one zlib stream. @param expected Length of the pixels, bytes. */
function pixels(parts: Uint8Array[], expected: number): Uint8Array {
  const stream = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    stream.set(part, at);
    at += part.length;
  }
  let inflated: Uint8Array | undefined;
  try {
    inflated = inflate(stream, expected);
  } catch (error) {
    throw new UnreadableError("damaged: its PNG picture does not inflate", { cause: error });
  }
  if (!inflated) throw damaged();
  return inflated;
}

/** Reverses the filters of PNG, row by row. Zeros follow the last row, so that a reader may read a word ahead. */
function unfilter(
  filtered: Uint8Array,
  rowBytes: number,
  height: number,
  pixel: number,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(rowBytes * height + 8);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (rowBytes + 1)]!;
    if (filter > 4) throw damaged();
    const from = row * (rowBytes + 1) + 1;
    const to = row * rowBytes;
    for (let index = 0; index < rowBytes; index++) {
      const left = index >= pixel ? out[to + index - pixel]! : 0;
      const above = row > 0 ? out[to + index - rowBytes]! : 0;
      const corner = row > 0 && index >= pixel ? out[to + index - rowBytes - pixel]! : 0;
      out[to + index] = filtered[from + index]! + predict(filter, left, above, corner);
    }
  }
  return out;
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

const damaged = () => new UnreadableError("damaged: its PNG picture cannot be read");
