import { COLUMNS, ROWS, wrapped } from "./raster.ts";

/** Cells of a block, which tells how far the next land is. */
export const BLOCK = 20;
const [BLOCK_ROWS, BLOCK_COLUMNS] = [ROWS / BLOCK, COLUMNS / BLOCK];
/** Bytes of a row of a mask. */
const WIDTH = COLUMNS / 8;
/** Blocks that are looked at around each. */
const FARTHEST = 12;

/** For each block of the raster the number of blocks in all directions that have no land or coast, itself included. */
export function openBlocks(...masks: readonly Uint8Array[]): Uint8Array {
  const hasLand = new Uint8Array(BLOCK_ROWS * BLOCK_COLUMNS);
  for (const bits of masks)
    for (let row = 0; row < ROWS; row++) {
      const blocks = Math.floor(row / BLOCK) * BLOCK_COLUMNS;
      for (let at = 0; at < WIDTH; at++) {
        if (bits[row * WIDTH + at] === 0) continue;
        // Eight cells lie in two blocks at most.
        hasLand[blocks + Math.floor((at * 8) / BLOCK)] = 1;
        hasLand[blocks + Math.floor((at * 8 + 7) / BLOCK)] = 1;
      }
    }
  const open = new Uint8Array(hasLand.length);
  let free: Uint8Array = hasLand.map((land) => 1 - land);
  for (let radius = 1; radius <= FARTHEST; radius++) {
    for (let block = 0; block < open.length; block++) open[block]! += free[block]!;
    free = shrunk(free);
  }
  return open;
}

/** The block of a place on the raster. */
export function blockOf(row: number, column: number): number {
  return Math.floor(row / BLOCK) * BLOCK_COLUMNS + Math.floor(wrapped(column) / BLOCK);
}

/** Blocks that are free, as are the eight around them. */
function shrunk(free: Uint8Array): Uint8Array {
  return free.map((one, block) => {
    if (one === 0) return 0;
    const [row, column] = [Math.floor(block / BLOCK_COLUMNS), block % BLOCK_COLUMNS];
    for (let r = Math.max(0, row - 1); r <= Math.min(BLOCK_ROWS - 1, row + 1); r++)
      for (let c = column - 1; c <= column + 1; c++)
        if (free[r * BLOCK_COLUMNS + wrapped(c, BLOCK_COLUMNS)] === 0) return 0;
    return 1;
  });
}
