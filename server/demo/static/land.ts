import { brotliDecompressSync } from "node:zlib";
import type { Grid } from "#lib/field/grid.ts";
import { landMaskBase64 } from "./land-mask.data.ts";

/** Grid of the static world: the centres of quarter-degree cells. */
export const worldGrid: Grid = {
  latitude: { start: -89.875, step: 0.25, count: 720 },
  longitude: { start: -179.875, step: 0.25, count: 1440 },
};

/** 1 on land, 0 at sea, at the cells of `worldGrid`, (latitude, longitude) row-major, south to north. */
export type LandMask = Uint8Array;

/** Unpacks the mask that `scripts/build-land-mask.ts` made from the Natural Earth coastline. */
export function landMask(): LandMask {
  return unpackMask(brotliDecompressSync(Buffer.from(landMaskBase64, "base64")));
}

/** Index into arrays over `worldGrid` of the cell around a place. */
export function cellAt(latitude: number, longitude: number): number {
  const { latitude: rows, longitude: columns } = worldGrid;
  const row = Math.min(rows.count - 1, Math.max(0, Math.floor((latitude + 90) / rows.step)));
  const column = Math.floor((longitude + 180) / columns.step) % columns.count;
  return row * columns.count + (column < 0 ? column + columns.count : column);
}

/** Packs a mask to bits, each row as its difference from the row south of it, which compresses better. */
export function packMask(mask: LandMask): Uint8Array {
  const width = worldGrid.longitude.count;
  const bits = new Uint8Array(mask.length / 8);
  for (let cell = 0; cell < mask.length; cell++) {
    const south = cell < width ? 0 : mask[cell - width]!;
    bits[cell >> 3]! |= (mask[cell]! ^ south) << (cell & 7);
  }
  return bits;
}

function unpackMask(bits: Uint8Array): LandMask {
  const width = worldGrid.longitude.count;
  const mask = new Uint8Array(bits.length * 8);
  for (let cell = 0; cell < mask.length; cell++) {
    const south = cell < width ? 0 : mask[cell - width]!;
    mask[cell] = south ^ ((bits[cell >> 3]! >> (cell & 7)) & 1);
  }
  return mask;
}
