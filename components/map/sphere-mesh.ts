import { MERCATOR_END } from "./map-view.ts";

/** A mesh over the whole globe in the form of deck.gl's BitmapLayer. */
export interface Mesh {
  vertexCount: number;
  /** Longitude, latitude, 0 of each vertex. */
  positions: Float64Array<ArrayBuffer>;
  /** Fraction of the way east from −180 and south from 90. */
  texCoords: Float32Array<ArrayBuffer>;
  indices: Uint32Array<ArrayBuffer>;
}

/**
 * Cells of equal size in degrees. On the globe a cell is drawn flat: the finer it is, the less of the limb is missing, and
 * the less the shader has to correct.
 *
 * @param cell Size of a cell, degrees; must divide 180.
 */
export function sphereMesh(cell: number): Mesh {
  const columns = 360 / cell;
  const rows = 180 / cell;
  const positions = new Float64Array(3 * (columns + 1) * (rows + 1));
  const texCoords = new Float32Array(2 * (columns + 1) * (rows + 1));
  const indices = new Uint32Array(6 * columns * rows);
  let vertex = 0;
  let index = 0;
  for (let column = 0; column <= columns; column++) {
    for (let row = 0; row <= rows; row++) {
      positions[3 * vertex] = -180 + column * cell;
      positions[3 * vertex + 1] = -90 + row * cell;
      texCoords[2 * vertex] = column / columns;
      texCoords[2 * vertex + 1] = 1 - row / rows;
      if (column > 0 && row > 0) {
        const [southEast, southWest] = [vertex - 1, vertex - rows - 2];
        indices.set([southWest, southEast, vertex, southWest, vertex, southWest + 1], index);
        index += 6;
      }
      vertex++;
    }
  }
  return { vertexCount: indices.length, positions, texCoords, indices };
}

/** One rectangle over the whole Mercator map. */
export function mercatorMesh(): Mesh {
  const [west, east, south, north] = [-180, 180, -MERCATOR_END, MERCATOR_END];
  return {
    vertexCount: 6,
    positions: Float64Array.of(west, south, 0, west, north, 0, east, north, 0, east, south, 0),
    texCoords: Float32Array.of(0, 1, 0, 0, 1, 0, 1, 1),
    indices: Uint32Array.of(0, 2, 1, 0, 3, 2),
  };
}
