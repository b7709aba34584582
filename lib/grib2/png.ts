import { constant } from "./complex-packing.ts";
import { UnreadableError } from "./octets.ts";
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
  const filtered = pixels(data, (rowBytes + 1) * height);
  const out = new Float32Array(count);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let row = 0; row < height; row++) {
    const from = row * (rowBytes + 1) + 1;
    const line = filtered.subarray(from, from + rowBytes);
    unfilter(filtered[from - 1]!, line, above, Math.max(1, bits >> 3));
    scaleRow(line, bits, packing, out, row * width, width);
    above = line;
  }
  return out;
}

/** Scales the numbers of a row, big-endian; those of fewer bits than eight do not extend over octets. */
function scaleRow(
  line: Uint8Array,
  bits: number,
  { reference, binaryFactor, decimalFactor }: Scaling,
  out: Float32Array,
  from: number,
  width: number,
): void {
  if (bits === 16) {
    for (let index = 0; index < width; index++) {
      const number = (line[2 * index]! << 8) | line[2 * index + 1]!;
      out[from + index] = (reference + number * binaryFactor) * decimalFactor;
    }
    return;
  }
  const octets = bits >> 3;
  const mask = 2 ** bits - 1;
  for (let index = 0; index < width; index++) {
    let number = 0;
    for (let octet = 0; octet < octets; octet++) number = 256 * number + line[octets * index + octet]!;
    if (octets === 0) {
      const end = (index + 1) * bits;
      number = (line[(end - 1) >> 3]! >> (-end & 7)) & mask;
    }
    out[from + index] = (reference + number * binaryFactor) * decimalFactor;
  }
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

/**
 * Reverses a filter of PNG in place.
 *
 * @param above The row before, with its filter reversed, or zeros. @param pixel Octets of a pixel.
 */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, pixel: number): void {
  if (filter > 4) throw damaged();
  const { length } = line;
  // The first pixel has zeros on its left.
  if (filter === 2 || filter === 4) for (let i = 0; i < pixel; i++) line[i]! += above[i]!;
  else if (filter === 3) for (let i = 0; i < pixel; i++) line[i]! += above[i]! >> 1;
  if (filter === 1) for (let i = pixel; i < length; i++) line[i]! += line[i - pixel]!;
  else if (filter === 2) for (let i = pixel; i < length; i++) line[i]! += above[i]!;
  else if (filter === 3) for (let i = pixel; i < length; i++) line[i]! += (line[i - pixel]! + above[i]!) >> 1;
  else if (filter === 4)
    for (let i = pixel; i < length; i++) line[i]! += nearest(line[i - pixel]!, above[i]!, above[i - pixel]!);
}

/**
 * The one of three octets that is nearest to left + above − corner; of equally near ones the first.
 *
 * It has no branches, because a processor cannot predict them. `x >> 31` is −1 where x is negative, otherwise 0.
 */
function nearest(left: number, above: number, corner: number): number {
  const toLeft = magnitude(above - corner);
  const toAbove = magnitude(left - corner);
  const toCorner = magnitude(left + above - 2 * corner);
  const isAbove = (toAbove - toLeft) >> 31;
  const straight = left ^ ((left ^ above) & isAbove);
  const toStraight = toLeft + ((toAbove - toLeft) & isAbove);
  return straight ^ ((straight ^ corner) & ((toCorner - toStraight) >> 31));
}

function magnitude(x: number): number {
  return (x ^ (x >> 31)) - (x >> 31);
}

const damaged = () => new UnreadableError("damaged: its PNG picture cannot be read");
