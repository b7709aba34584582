import { coordinate } from "#lib/field/grid.ts";
import { DEGREE_KM, EARTH_KM, RADIANS } from "#lib/geo/sphere.ts";
import { type LandMask, worldGrid } from "./land.ts";

/** A coast lies about half a cell from the centres of the cells on either side of it. */
const HALF_CELL_KM = worldGrid.latitude.step * DEGREE_KM * 0.5;

/**
 * Distance to the coast at the cells of `worldGrid`, km: positive at sea, negative inland, about 0 on the coastline.
 */
export function coastDistance(land: LandMask): Float32Array {
  const toLand = distanceTo(land);
  const toSea = distanceTo(land.map((cell) => 1 - cell));
  for (let cell = 0; cell < land.length; cell++) {
    const across = land[cell] === 1 ? toSea[cell]! : toLand[cell]!;
    const beyondEdge = across - Math.min(HALF_CELL_KM, across / 2);
    toLand[cell] = land[cell] === 1 ? -beyondEdge : beyondEdge;
  }
  return toLand;
}

/**
 * Great-circle distance from each cell of `worldGrid` to the nearest marked cell, km; cyclic in longitude.
 *
 * Sweeps hand the *place* of the nearest mark from cell to cell (Danielsson 1980), not the distance, so that the result is
 * round, where summed steps of a chamfer make octagons.
 *
 * @param marked 1 where a source lies; at least one cell must be marked.
 */
export function distanceTo(marked: Uint8Array): Float32Array {
  const { latitude: rows, longitude: columns } = worldGrid;
  const width = columns.count;
  const sin = Float64Array.from({ length: rows.count }, (_, row) =>
    Math.sin(coordinate(rows, row) * RADIANS),
  );
  const cos = Float64Array.from({ length: rows.count }, (_, row) =>
    Math.cos(coordinate(rows, row) * RADIANS),
  );
  const cosTurn = Float64Array.from({ length: width }, (_, step) => Math.cos(step * columns.step * RADIANS));
  const source = new Int32Array(marked.length).fill(-1);
  /** Cosine of the angle to the source: larger is nearer. */
  const nearness = new Float64Array(marked.length).fill(-2);
  for (let cell = 0; cell < marked.length; cell++) {
    if (marked[cell] !== 1) continue;
    source[cell] = cell;
    nearness[cell] = 1;
  }

  const offer = (row: number, column: number, from: number): void => {
    const place = source[from]!;
    if (place < 0) return;
    const at = row * width + column;
    if (source[at] === place) return;
    const sourceRow = (place / width) | 0;
    const turn = column - (place - sourceRow * width);
    const near =
      sin[row]! * sin[sourceRow]! + cos[row]! * cos[sourceRow]! * cosTurn[turn < 0 ? -turn : turn]!;
    if (near > nearness[at]!) {
      nearness[at] = near;
      source[at] = place;
    }
  };
  const sweepRow = (row: number, previous: number): void => {
    const hasPrevious = previous >= 0 && previous < rows.count;
    for (let step = 0; step < width + 8; step++) {
      const column = step % width;
      const west = column === 0 ? width - 1 : column - 1;
      if (hasPrevious) {
        offer(row, column, previous * width + column);
        offer(row, column, previous * width + west);
        offer(row, column, previous * width + ((column + 1) % width));
      }
      offer(row, column, row * width + west);
    }
    for (let step = width + 8; step > 0; step--) {
      const column = step % width;
      offer(row, column, row * width + ((column + 1) % width));
    }
  };
  for (let round = 0; round < 2; round++) {
    for (let row = 0; row < rows.count; row++) sweepRow(row, row - 1);
    for (let row = rows.count - 1; row >= 0; row--) sweepRow(row, row + 1);
  }
  const km = new Float32Array(marked.length);
  for (let cell = 0; cell < km.length; cell++) {
    km[cell] = EARTH_KM * Math.acos(Math.min(1, nearness[cell]!));
  }
  return km;
}
