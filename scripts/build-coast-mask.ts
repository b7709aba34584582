/**
 * Makes server/platform/coast/coast-mask.data.ts, what better routes keep clear of: `node scripts/build-coast-mask.ts`, after
 * scripts/build-coast.ts. Cells that the coast of the map touches are closed, but for those that a strait needs.
 * The result is committed.
 */
import { writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import {
  COLUMNS,
  hasBit,
  packMasks,
  placeIn,
  ROWS,
  rasterCell,
  setBit,
  wrapped,
} from "#lib/passage/optimise/coastline.ts";
import { knownCoastline } from "#server/platform/coast/known-coast.ts";

/** Blocks of one degree. */
const BLOCKS = 180 * 360;

/** Cells by which lines of water that end are shortened: most are bays. Harbours in them are reached by the line of the coast. */
const ENDS = 3;

/** The cells about one, anticlockwise from the east: rows and columns off it. Those beside it have even positions. */
const AROUND = [
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
] as const;

/** Places in each row and column of a coastal cell at which land is looked for. */
const SAMPLES = 8;

const line = knownCoastline();
const coastal = new Uint8Array((ROWS * COLUMNS) / 8);
for (let block = 0; block < BLOCKS; block++)
  for (const [cell] of line.cellsOfEdges(block)) {
    const { row, column } = rasterCell(block, cell);
    setBit(coastal, row * COLUMNS + column);
  }
const shares = sharesOfLand();

const straits = cellsOfStraits(shares, coastal);
const closed = new Uint8Array(coastal.length);
const counts = { land: 0, coastal: 0, straits: straits.size };
for (let cell = 0; cell < shares.length; cell++) {
  if (hasBit(coastal, cell)) counts.coastal++;
  else if (shares[cell]! >= 0.5) counts.land++;
  else continue;
  if (!straits.has(cell)) setBit(closed, cell);
}

const packed = brotliCompressSync(packMasks(closed, coastal), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(
  new URL("../server/platform/coast/coast-mask.data.ts", import.meta.url),
  `/** Made by scripts/build-coast-mask.ts from the land of OpenStreetMap (ODbL): brotli of the packed masks. */\n` +
    `export const coastMaskBase64 =\n  "${packed.toString("base64")}";\n`,
);
console.log(`${JSON.stringify(counts)}, ${packed.length} bytes`);

/** Share of land in each cell. Between coasts all cells of a row are land, or all are sea. */
function sharesOfLand(): Float32Array {
  const shares = new Float32Array(ROWS * COLUMNS);
  const parts = Array.from({ length: SAMPLES }, (_, at) => (at + 0.5) / SAMPLES);
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const cell = row * COLUMNS + column;
      if (hasBit(coastal, cell)) {
        const places = parts.flatMap((up) => parts.map((right) => placeIn(row, column, up, right)));
        shares[cell] = places.filter((place) => line.isLand(place)).length / places.length;
      } else if (column > 0 && !hasBit(coastal, cell - 1)) shares[cell] = shares[cell - 1]!;
      else shares[cell] = line.isLand(placeIn(row, column, 0.5, 0.5)) ? 1 : 0;
    }
  return shares;
}

/**
 * Cells that the coast touches and that have to stay open, or a strait, fjord or bay would be closed. Coastal cells are
 * closed, those with most land first, for as long as the water about each stays together; what is left are lines of cells
 * through the straits (the skeleton of a raster, by deletion of simple points: Rosenfeld 1970). Coastal
 * cells beside them are kept too, since the water in a cell may run along its edge.
 *
 * @param shares Share of land in each cell, row-major.
 * @param coastal Bits of cells that the coast touches.
 */
function cellsOfStraits(shares: Float32Array, coastal: Uint8Array): Set<number> {
  const open = new Set<number>();
  for (let cell = 0; cell < shares.length; cell++) if (hasBit(coastal, cell)) open.add(cell);
  const isWater = (row: number, column: number) => {
    if (row < 0 || row >= ROWS) return false;
    const cell = row * COLUMNS + wrapped(column);
    return hasBit(coastal, cell) ? open.has(cell) : shares[cell]! < 0.5;
  };
  const ordered = [...open].sort((one, other) => shares[other]! - shares[one]! || one - other);
  const close = (isClosed: (row: number, column: number) => boolean) => {
    const before = open.size;
    for (const cell of ordered)
      if (open.has(cell) && isClosed(Math.floor(cell / COLUMNS), cell % COLUMNS)) open.delete(cell);
    return open.size < before;
  };
  while (close(isNeedless));
  for (let length = 0; length < ENDS; length++) {
    const ends = [...open].filter((cell) => isEnd(Math.floor(cell / COLUMNS), cell % COLUMNS));
    for (const cell of ends) open.delete(cell);
    while (close(isNeedless));
  }
  const kept = new Set(open);
  for (const cell of open)
    for (const [rows, columns] of AROUND) {
      const row = Math.floor(cell / COLUMNS) + rows;
      const beside = row * COLUMNS + wrapped((cell % COLUMNS) + columns);
      if (row >= 0 && row < ROWS && hasBit(coastal, beside)) kept.add(beside);
    }
  return kept;

  /** Whether a cell is the last of a line of water. */
  function isEnd(row: number, column: number): boolean {
    return (
      AROUND.filter(([rows, columns], at) => at % 2 === 0 && isWater(row + rows, column + columns)).length < 2
    );
  }

  /** Whether the water beside a cell stays together without it, and it is not the end of a line of water. */
  function isNeedless(row: number, column: number): boolean {
    const water = AROUND.map(([rows, columns]) => isWater(row + rows, column + columns));
    const beside = [0, 2, 4, 6].filter((at) => water[at]);
    if (beside.length < 2) return false;
    // Each piece of water around it that has a cell beside it begins at one.
    if (water.every(Boolean)) return true;
    let pieces = 0;
    const dry = water.indexOf(false);
    for (let at = dry; at < dry + 8; ) {
      if (!water[at % 8]) {
        at++;
        continue;
      }
      let touches = false;
      for (; at < dry + 8 && water[at % 8]; at++) touches ||= at % 2 === 0;
      if (touches) pieces++;
    }
    return pieces === 1;
  }
}
