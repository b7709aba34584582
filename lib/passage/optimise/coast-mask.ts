import { COLUMNS } from "./raster.ts";

const WIDTH = COLUMNS / 8;

/** Both masks as one: bits of each row as their difference from the row south of it, which compresses better. */
export function packMasks(closed: Uint8Array, coastal: Uint8Array): Uint8Array {
  const packed = new Uint8Array(closed.length + coastal.length);
  for (const [index, bits] of [closed, coastal].entries())
    packed.set(
      bits.map((byte, at) => byte ^ (at < WIDTH ? 0 : bits[at - WIDTH]!)),
      index * closed.length,
    );
  return packed;
}

/** @param packed As from `packMasks`; changed in place, and what is returned lies in it. */
export function unpackMasks(packed: Uint8Array): { closed: Uint8Array; coastal: Uint8Array } {
  const half = packed.length / 2;
  const [closed, coastal] = [packed.subarray(0, half), packed.subarray(half)];
  for (const bits of [closed, coastal])
    for (let at = WIDTH; at < bits.length; at++) bits[at]! ^= bits[at - WIDTH]!;
  return { closed, coastal };
}
