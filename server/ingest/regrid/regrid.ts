import { type Grid, normaliseLongitude, wraps } from "#lib/field/grid.ts";
import { distance, isClosed, MAX_CELL, medianSpacing, type NodeGrid } from "./node-grid.ts";

const RADIANS = Math.PI / 180;
/** How far outside of a cell a point may lie, as a part of the cell: rounding. */
const EDGE = 1e-6;
/** Where some corners are missing, those that are there stand for all if they have this part of the weight. */
const LEAST_WEIGHT = 0.5;

/** Where each node of a regular grid lies in the cells of another one. */
export interface CellPositions {
  /** Index of the node at the cell's first column and row; −1 outside of all cells. */
  corner: Int32Array;
  /** Position in the cell along columns and along rows, 0 to 1. */
  across: Float32Array;
  along: Float32Array;
  columns: number;
}

/**
 * Finds the cell of each node of a regular grid, and the position in it: the one at which the bilinear interpolation of
 * the corners' longitudes and latitudes gives the node's own, as cdo's `remapbil` does. The cell around a pole is left out.
 */
export function locateInCells(nodes: NodeGrid, grid: Grid): CellPositions {
  const { columns, rows } = nodes;
  const { latitude, longitude } = grid;
  const count = latitude.count * longitude.count;
  const corner = new Int32Array(count).fill(-1);
  const across = new Float32Array(count);
  const along = new Float32Array(count);
  const isGlobal = wraps(longitude);
  const cells = isClosed(nodes) ? columns : columns - 1;
  const longest = MAX_CELL * medianSpacing(nodes);
  let below = coordinatesOf(nodes, 0);
  for (let row = 0; row + 1 < rows; row++) {
    const above = coordinatesOf(nodes, row + 1);
    for (let column = 0; column < cells; column++) {
      const next = column + 1 < columns ? column + 1 : 0;
      const x0 = below.x[column]!;
      const y0 = below.y[column]!;
      // Longitudes relative to the first corner's: a cell may lie on the antimeridian.
      const x1 = normaliseLongitude(below.x[next]! - x0);
      const x2 = normaliseLongitude(above.x[column]! - x0);
      const x3 = normaliseLongitude(above.x[next]! - x0);
      const y1 = below.y[next]! - y0;
      const y2 = above.y[column]! - y0;
      const y3 = above.y[next]! - y0;
      const west = Math.min(0, x1, x2, x3);
      const east = Math.max(0, x1, x2, x3);
      if (!(east - west < 180)) continue;
      // Its diagonals: each corner is on one of them.
      const isFar =
        distance([0, y0], [x3, y0 + y3]) > longest || distance([x1, y0 + y1], [x2, y0 + y2]) > longest;
      if (isFar) continue;
      const fromRow = Math.max(
        0,
        Math.ceil((y0 + Math.min(0, y1, y2, y3) - latitude.start) / latitude.step - EDGE),
      );
      const toRow = Math.min(
        latitude.count - 1,
        Math.floor((y0 + Math.max(0, y1, y2, y3) - latitude.start) / latitude.step + EDGE),
      );
      // Of the columns of the regular grid, counted from its first one on, to the east or to the west.
      let offset = normaliseLongitude(x0 - longitude.start);
      if (!isGlobal && offset + east < -longitude.step) offset += 360;
      const fromColumn = Math.ceil((offset + west) / longitude.step - EDGE);
      const toColumn = Math.floor((offset + east) / longitude.step + EDGE);
      for (let toward = fromColumn; toward <= toColumn; toward++) {
        const place = isGlobal ? ((toward % longitude.count) + longitude.count) % longitude.count : toward;
        if (place < 0 || place >= longitude.count) continue;
        const x = toward * longitude.step - offset;
        for (let up = fromRow; up <= toRow; up++) {
          const index = up * longitude.count + place;
          if (corner[index]! >= 0) continue;
          const y = latitude.start + up * latitude.step - y0;
          // Newton's method on x = x1·s + x2·t + (x3 − x1 − x2)·s·t, and y.
          let s = 0.5;
          let t = 0.5;
          for (let turn = 0; turn < 12; turn++) {
            const dx = x1 * s + x2 * t + (x3 - x1 - x2) * s * t - x;
            const dy = y1 * s + y2 * t + (y3 - y1 - y2) * s * t - y;
            const xs = x1 + (x3 - x1 - x2) * t;
            const xt = x2 + (x3 - x1 - x2) * s;
            const ys = y1 + (y3 - y1 - y2) * t;
            const yt = y2 + (y3 - y1 - y2) * s;
            const determinant = xs * yt - xt * ys;
            const ds = (dx * yt - xt * dy) / determinant;
            const dt = (xs * dy - dx * ys) / determinant;
            s -= ds;
            t -= dt;
            if (!(Math.abs(ds) + Math.abs(dt) > 1e-9)) break;
          }
          if (!(s >= -EDGE && s <= 1 + EDGE && t >= -EDGE && t <= 1 + EDGE)) continue;
          corner[index] = row * columns + column;
          across[index] = Math.min(1, Math.max(0, s));
          along[index] = Math.min(1, Math.max(0, t));
        }
      }
    }
    below = above;
  }
  return { corner, across, along, columns };
}

function coordinatesOf({ columns, at }: NodeGrid, row: number): { x: Float64Array; y: Float64Array } {
  const x = new Float64Array(columns);
  const y = new Float64Array(columns);
  for (let column = 0; column < columns; column++)
    [x[column], y[column]] = at(column, row) as [number, number];
  return { x, y };
}

/**
 * Interpolates values bilinearly. Missing where the corners that are there have less than half of the weight.
 *
 * @param values One per node of the other grid, row-major; NaN = missing.
 */
export function regrid(
  values: Float32Array,
  { corner, across, along, columns }: CellPositions,
): Float32Array {
  const out = new Float32Array(corner.length);
  for (let index = 0; index < out.length; index++) {
    const first = corner[index]!;
    // Of a grid that goes around, the first column follows the last one.
    const right = (first + 1) % columns === 0 ? 1 - columns : 1;
    let sum = 0;
    let weight = 0;
    if (first >= 0) {
      for (let which = 0; which < 4; which++) {
        const value = values[first + (which & 1) * right + (which >> 1) * columns]!;
        if (Number.isNaN(value)) continue;
        const part =
          (which & 1 ? across[index]! : 1 - across[index]!) *
          (which >> 1 ? along[index]! : 1 - along[index]!);
        sum += part * value;
        weight += part;
      }
    }
    out[index] = weight >= LEAST_WEIGHT ? sum / weight : Number.NaN;
  }
  return out;
}

/** Interpolates directions, degrees: as unit vectors, because the mean of 350° and 10° is not 180°. */
export function regridDirections(degrees: Float32Array, positions: CellPositions): Float32Array {
  const east = regrid(
    degrees.map((angle) => Math.sin(angle * RADIANS)),
    positions,
  );
  const north = regrid(
    degrees.map((angle) => Math.cos(angle * RADIANS)),
    positions,
  );
  return east.map((x, index) => (Math.atan2(x, north[index]!) / RADIANS + 360) % 360);
}

/**
 * Turns components along columns' and rows' directions of the grid to components toward east and north.
 *
 * The directions are those of the chords between the nodes' neighbours along a row: near a pole longitudes say little.
 *
 * @param u Along a row, toward the next column; v is a quarter turn to the left of it. Neither is modified.
 * @param toward Which component is wanted.
 */
export function turnToEarth(
  u: Float32Array,
  v: Float32Array,
  nodes: NodeGrid,
  toward: "east" | "north",
): Float32Array {
  const { columns, rows, eccentricity2 } = nodes;
  const out = new Float32Array(u.length);
  for (let row = 0; row < rows; row++) {
    const { x, y } = coordinatesOf(nodes, row);
    const places = placesOf(x, y, eccentricity2);
    for (let column = 0; column < columns; column++) {
      // Three nodes around it; at an end the two that follow, so that the slope is as good as inside.
      const middle = Math.max(1, Math.min(columns - 2, column));
      const side = column - middle;
      const slope = (axis: 0 | 1 | 2) => {
        if (columns === 2) return places[3 + axis]! - places[axis]!;
        const before = places[3 * (middle - 1) + axis]!;
        const after = places[3 * (middle + 1) + axis]!;
        return (after - before) / 2 + side * (after + before - 2 * places[3 * middle + axis]!);
      };
      const dx = slope(0);
      const dy = slope(1);
      const [lambda, phi] = [x[column]! * RADIANS, y[column]! * RADIANS];
      const east = Math.cos(lambda) * dy - Math.sin(lambda) * dx;
      const outward = Math.cos(lambda) * dx + Math.sin(lambda) * dy;
      const north = Math.cos(phi) * slope(2) - Math.sin(phi) * outward;
      const length = Math.hypot(east, north);
      const index = row * columns + column;
      out[index] =
        toward === "east"
          ? (u[index]! * east - v[index]! * north) / length
          : (u[index]! * north + v[index]! * east) / length;
    }
  }
  return out;
}

/** Places on the ellipsoid in space, three numbers each, radii of the equator. */
function placesOf(x: Float64Array, y: Float64Array, eccentricity2: number): Float64Array {
  const places = new Float64Array(3 * x.length);
  for (let i = 0; i < x.length; i++) {
    const [sine, cosine] = [Math.sin(y[i]! * RADIANS), Math.cos(y[i]! * RADIANS)];
    const radius = 1 / Math.sqrt(1 - eccentricity2 * sine * sine);
    places[3 * i] = radius * cosine * Math.cos(x[i]! * RADIANS);
    places[3 * i + 1] = radius * cosine * Math.sin(x[i]! * RADIANS);
    places[3 * i + 2] = radius * (1 - eccentricity2) * sine;
  }
  return places;
}
