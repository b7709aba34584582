import { crc32 } from "node:zlib";
import { FrameError } from "#lib/field/frame.ts";
import { DamagedChunkError } from "./errors.ts";
import { ObjectMissingError } from "./store.ts";

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

export const isWholeFrame = (sealed: Uint8Array) => unsealFrame(sealed) !== undefined;

/**
 * Whether an error of reading stored frames says that they are damaged or gone. The points have the same numbers: they are
 * read instead. If the whole run is gone, reading those fails too.
 */
export function isUnreadableFrame(error: unknown): boolean {
  return (
    error instanceof DamagedChunkError || error instanceof ObjectMissingError || error instanceof FrameError
  );
}
