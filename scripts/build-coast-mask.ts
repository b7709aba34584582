/**
 * Writes server/platform/coast/coast-mask.data.ts, which better routes keep clear of: `node
 * scripts/build-coast-mask.ts`, after scripts/build-coast.ts. Cells that the coast of the map touches are closed,
 * except those that a strait needs. The result is committed.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import {
  CELL_DEGREES,
  COLUMNS,
  cellsOfEdges,
  hasBit,
  packMasks,
  ROWS,
  rasterCell,
  setBit,
  wrapped,
} from "#lib/passage/optimise/coastline.ts";
import {
  cellFile,
  COLUMNS as FILE_COLUMNS,
  ROWS as FILE_ROWS,
  type PackedPolygons,
} from "#lib/places/coast-cells.ts";
import { landPolygons } from "./natural-earth.ts";
import { unwrap } from "./rasterise.ts";

/**
 * Number of cells by which dead ends of water are shortened, because most are bays. The shoreline leads to harbours in
 * them.
 */
const ENDS = 3;

/**
 * The eight neighbours of a cell, anticlockwise from the east, as row and column offsets. Those that share a side have
 * even positions.
 */
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

/** Sampling lines per row of cells. Along a line the share of land is exact. */
const LINES = 8;

const shares = new Float32Array(ROWS * COLUMNS);
for (const polygon of landPolygons("10m"))
  for (const [index, ring] of polygon.entries()) addRing(unwrap(ring), index === 0 ? 1 : -1);

const coastal = new Uint8Array((ROWS * COLUMNS) / 8);
for (let file = 0; file < FILE_ROWS * FILE_COLUMNS; file++) {
  const url = new URL(`../public/basemap/coast/${cellFile(file)}`, import.meta.url);
  if (!existsSync(url)) continue;
  for (const [cell] of cellsOfEdges(file, JSON.parse(readFileSync(url, "utf8")) as PackedPolygons)) {
    const { row, column } = rasterCell(file, cell);
    setBit(coastal, row * COLUMNS + column);
  }
}

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
  `/** Made by scripts/build-coast-mask.ts from Natural Earth 1:10m land (public domain): brotli of the packed masks. */\n` +
    `export const coastMaskBase64 =\n  "${packed.toString("base64")}";\n`,
);
console.log(`${JSON.stringify(counts)}, ${packed.length} bytes`);

/** Adds the share of each cell within a ring, or subtracts it. */
function addRing(points: readonly [number, number][], sign: 1 | -1): void {
  const lines = new Map<number, number[]>();
  const [step, line] = [CELL_DEGREES, CELL_DEGREES / LINES];
  for (let edge = 1; edge < points.length; edge++) {
    const [x0, y0] = points[edge - 1]!;
    const [x1, y1] = points[edge]!;
    const [low, high] = y0 < y1 ? [y0, y1] : [y1, y0];
    const first = Math.max(0, Math.ceil((low + 90) / line - 0.5));
    for (let at = first; at < ROWS * LINES; at++) {
      const y = -90 + (at + 0.5) * line;
      if (y >= high) break;
      const crossings = lines.get(at);
      const x = (x0 + ((y - y0) / (y1 - y0)) * (x1 - x0) + 180) / step;
      if (crossings) crossings.push(x);
      else lines.set(at, [x]);
    }
  }
  for (const [at, crossings] of lines) {
    crossings.sort((a, b) => a - b);
    const row = Math.floor(at / LINES) * COLUMNS;
    for (let pair = 0; pair + 1 < crossings.length; pair += 2)
      addSpan(row, crossings[pair]!, crossings[pair + 1]!, sign / LINES);
  }
}

function addSpan(row: number, from: number, to: number, weight: number): void {
  for (let column = Math.floor(from); column < to; column++) {
    const covered = Math.min(to, column + 1) - Math.max(from, column);
    shares[row + wrapped(column)]! += weight * covered;
  }
}

/**
 * Cells that the coast touches but that must stay open, because otherwise a strait, fjord or bay would close. Coastal
 * cells are closed, those with most land first, as long as the water around each stays connected. What remains are
 * lines of cells through the straits (the skeleton of a raster, by deletion of simple points: Rosenfeld 1970). Coastal
 * cells beside them are kept too, because the water in a cell may run along its edge.
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

  function isEnd(row: number, column: number): boolean {
    return (
      AROUND.filter(([rows, columns], at) => at % 2 === 0 && isWater(row + rows, column + columns)).length < 2
    );
  }

  /** Whether the water beside a cell stays connected without it, and it is not the end of a line of water. */
  function isNeedless(row: number, column: number): boolean {
    const water = AROUND.map(([rows, columns]) => isWater(row + rows, column + columns));
    const beside = [0, 2, 4, 6].filter((at) => water[at]);
    if (beside.length < 2) return false;
    // Each connected piece of water around the cell begins at a side neighbour.
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
