import { unzlibSync } from "fflate";

/** The two functions of Node's zlib that are used here. */
interface NodeZlib {
  inflateSync(data: Uint8Array, options: { maxOutputLength: number; chunkSize: number }): Uint8Array;
  crc32(data: Uint8Array): number;
}

/** Node's zlib is three times as fast as the fallback. Browsers have no synchronous one. */
const zlib = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => NodeZlib | undefined } }
).process?.getBuiltinModule?.("node:zlib");

/** Room after the expected length, so that zlib ends in its first piece of memory; also the smallest that it takes. */
const SPARE = 64;

/**
 * Inflates a zlib stream.
 *
 * @param expected Length of the result, bytes. A longer result takes no more memory than this.
 * @returns undefined if the result has another length.
 * @throws Error if the stream is damaged.
 */
export function inflate(data: Uint8Array, expected: number): Uint8Array | undefined {
  const inflated = zlib
    ? zlib.inflateSync(data, { maxOutputLength: expected, chunkSize: expected + SPARE })
    : unzlibSync(data, { out: new Uint8Array(expected + 1) });
  return inflated.length === expected ? inflated : undefined;
}

export function crc32(bytes: Uint8Array): number {
  if (zlib) return zlib.crc32(bytes);
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
