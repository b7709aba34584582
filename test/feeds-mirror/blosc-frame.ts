const HEADER = 16;
/** Version of the format, and of a codec that is not used. */
const VERSION = 2;
const CODEC_VERSION = 1;
/** Bit 1 means that the bytes follow uncompressed, as the library stores incompressible data. */
const STORED = 0b10;

/** Length of a frame with the given number of bytes. */
export function bloscLength(bytes: number): number {
  return HEADER + bytes;
}

/** A Blosc 1 frame with uncompressed bytes. Every reader of Blosc can read it, and writing it needs no library. */
export function bloscFrame(bytes: Uint8Array, typeSize: number): Uint8Array {
  const out = new Uint8Array(HEADER + bytes.length);
  out.set([VERSION, CODEC_VERSION, STORED, typeSize]);
  const view = new DataView(out.buffer);
  view.setUint32(4, bytes.length, true);
  view.setUint32(8, bytes.length, true);
  view.setUint32(12, out.length, true);
  out.set(bytes, HEADER);
  return out;
}
