import { COLUMNS, hasBit, ROWS, wrapped } from "#lib/passage/optimise/coastline.ts";

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

/**
 * Cells that the coast touches and that have to stay open, or a strait, fjord or bay would be closed. Coastal cells are
 * closed, those with most land first, for as long as the water about each stays together; what is left are lines of cells
 * through the straits (the skeleton of a raster, by deletion of simple points: Rosenfeld 1970). Coastal
 * cells beside them are kept too, since the water in a cell may run along its edge.
 *
 * @param shares Share of land in each cell, row-major.
 * @param coastal Bits of cells that the coast touches.
 */
export function cellsOfStraits(shares: Float32Array, coastal: Uint8Array): Set<number> {
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
