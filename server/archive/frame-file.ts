import { crc32 } from "node:zlib";

/**
 * In a run's folder, the frames of one level, as brotli: one file with the index of a shard.
 *
 * @param name Of a drawn variable, or of a field that is stored like one: see `storedSteps`.
 */
export function framesFile(name: string, stride: number): string {
  return `frames/${stride}/${name}.br`;
}

const CRC_BYTES = 4;

/** A frame as it is stored: followed by its CRC-32, little-endian. (Node's own: crc32c takes us half a millisecond a frame.) */
export function sealFrame(frame: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(frame.length + CRC_BYTES);
  sealed.set(frame);
  new DataView(sealed.buffer).setUint32(frame.length, crc32(frame), true);
  return sealed;
}

/** A frame that was sealed; undefined if the checksum is wrong. */
export function unsealFrame(sealed: Uint8Array): Uint8Array | undefined {
  const end = sealed.length - CRC_BYTES;
  if (end < 0) return undefined;
  const frame = sealed.subarray(0, end);
  const sum = new DataView(sealed.buffer, sealed.byteOffset, sealed.length).getUint32(end, true);
  return crc32(frame) === sum ? frame : undefined;
}
