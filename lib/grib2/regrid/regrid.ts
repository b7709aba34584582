import { type Axis, type Grid, normaliseLongitude, wraps } from "@open-metocean/geo/grid";

const RADIANS = Math.PI / 180;
/** Share of a cell by which a point may lie outside it, because of rounding. */
const EDGE = 1e-6;
/** Where some corners are missing, the others are used if they have at least this share of the weight. */
const LEAST_WEIGHT = 0.5;

/** Positions of the nodes of a regular grid in the cells of another one. */
export interface CellPositions {
  /** Index of the node at the cell's first column and row; −1 outside of all cells. */
  corner: Int32Array;
  /** Position in the cell along columns and along rows, 0 to 1. */
  across: Float32Array;
  along: Float32Array;
  columns: number;
}

/**
 * Finds the cell of each node of a regular grid, and the position in it: that at which the bilinear interpolation of
 * the corners' longitudes and latitudes gives the node's own, as in cdo's `remapbil`. The cell around a pole is left
 * out.
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
      // Longitudes are relative to the first corner's, because a cell may lie on the antimeridian.
      const x1 = normaliseLongitude(below.x[next]! - x0);
      const x2 = normaliseLongitude(above.x[column]! - x0);
      const x3 = normaliseLongitude(above.x[next]! - x0);
      const y1 = below.y[next]! - y0;
      const y2 = above.y[column]! - y0;
      const y3 = above.y[next]! - y0;
      const west = Math.min(0, x1, x2, x3);
      const east = Math.max(0, x1, x2, x3);
      if (!(east - west < 180)) continue;
      // Each corner is on one of the two diagonals.
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
      // The offset counts columns of the regular grid from its first one, to the east or to the west.
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
          // Newton's method solves x = x1·s + x2·t + (x3 − x1 − x2)·s·t, and the same for y.
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
 * Interpolates values bilinearly. A result is missing where the present corners have less than half of the weight.
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
    // On a grid that goes around the globe, the first column follows the last one.
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

/** Interpolates directions, degrees, as unit vectors, because the mean of 350° and 10° is not 180°. */
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
 * Turns components along the columns' and rows' directions of the grid to components toward east and north.
 *
 * The directions are those of chords between a node's neighbours along a row, because near a pole longitudes are
 * unreliable.
 *
 * @param u Along a row, toward the next column; v is a quarter turn to the left of it. Neither is modified.
 * @param toward The wanted component.
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
      // Three nodes are used around it, and at an end the next two, so that the slope is as precise as inside.
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

/** Positions on the ellipsoid in space, three numbers each, in equatorial radii. */
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

/**
 * A grid whose rows and columns are not latitudes and longitudes: that of a projection, a rotated or a curvilinear one.
 */
export interface NodeGrid {
  columns: number;
  rows: number;
  /** A key that is equal for equal grids of the files that one decoder reads. */
  key: string;
  /** Square of the eccentricity of the earth to which the coordinates refer. */
  eccentricity2: number;
  /** Longitude and latitude of a node, degrees. Neighbouring nodes are neighbours on the earth. */
  at(column: number, row: number): readonly [longitude: number, latitude: number];
} /** Corners of one cell lie at most this many spacings apart: placeholders for coordinates, as (0, 0), are farther away. */
const MAX_CELL = 10;
/** Number of sides of the outline along an edge. */
const SIDE_PARTS = 24;

/**
 * The regular grid that represents another one in the archive: its bounding box, with the spacing of its nodes in its
 * middle. Nodes lie at multiples of the step. Beyond the edges of the other grid there are no values.
 *
 * @returns undefined where the nodes form no grid on the globe.
 */
export function regularGridFor(nodes: NodeGrid): Grid | undefined {
  const box = boundingBox(nodes);
  if (!box) return undefined;
  const median = medianSpacing(nodes);
  const middleStep = spacing(nodes);
  // There may be placeholders for coordinates in the middle.
  const step = middleStep > median / MAX_CELL && middleStep < median * MAX_CELL ? middleStep : median;
  if (!(step > 1e-4 && step < 20)) return undefined;
  const stepNorth = Number(step.toPrecision(2));
  const middle = box.isCap ? 60 : (box.south + box.north) / 2;
  const stepEast = Number(
    Math.min(20, step / Math.cos(Math.min(80, Math.abs(middle)) * RADIANS)).toPrecision(2),
  );
  const latitude = multiples(stepNorth, box.south, box.north);
  if (box.circles) {
    const count = Math.ceil(360 / stepEast);
    return { latitude, longitude: { start: -180, step: 360 / count, count } };
  }
  const longitude = multiples(stepEast, box.west, box.east);
  if (latitude.count < 2 || longitude.count < 2) return undefined;
  const start = tidy(normaliseLongitude(longitude.start));
  return { latitude, longitude: { ...longitude, start }, outline: outlineOf(nodes) };
}

/**
 * The rim as a polygon. Its sides are so short that they usually deviate from a curved edge by less than a tenth of a
 * cell.
 */
function outlineOf(nodes: NodeGrid): Grid["outline"] {
  const { columns, rows, at } = nodes;
  const along = (last: number) => {
    const parts = Math.min(SIDE_PARTS, last);
    return Array.from({ length: parts }, (_, part) => Math.round((part / parts) * last));
  };
  const [right, up] = [columns - 1, rows - 1];
  const rim = [
    ...along(right).map((column) => [column, 0] as const),
    ...along(up).map((row) => [right, row] as const),
    ...along(right).map((column) => [right - column, up] as const),
    ...along(up).map((row) => [0, up - row] as const),
  ];
  let longitude = normaliseLongitude(at(0, 0)[0]);
  return rim.map(([column, row]) => {
    const [x, y] = at(column, row);
    longitude += normaliseLongitude(x - longitude);
    return [Number(longitude.toFixed(4)), Number(y.toFixed(4))] as const;
  });
}

function multiples(step: number, from: number, to: number): Axis {
  const first = Math.ceil(from / step - 1e-6);
  return { start: tidy(first * step), step, count: Math.floor(to / step + 1e-6) - first + 1 };
}

interface Box {
  south: number;
  north: number;
  west: number;
  east: number;
  /** Whether all longitudes are inside, because a pole is inside or the rows go around the globe. */
  circles: boolean;
  /** Whether exactly one pole is inside. */
  isCap: boolean;
}

/**
 * The bounding box, by the nodes of the rim: latitudes and longitudes have no extremes inside unless a pole is there.
 */
function boundingBox(nodes: NodeGrid): Box | undefined {
  const { columns, rows, at } = nodes;
  if (columns < 2 || rows < 2) return undefined;
  const [firstLongitude, firstLatitude] = at(0, 0);
  let [south, north, west, east] = [firstLatitude, firstLatitude, firstLongitude, firstLongitude];
  let longitude = firstLongitude;
  const visit = (column: number, row: number) => {
    const [x, y] = at(column, row);
    longitude += normaliseLongitude(x - longitude);
    south = Math.min(south, y);
    north = Math.max(north, y);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  };
  for (let column = 1; column < columns; column++) visit(column, 0);
  for (let row = 1; row < rows; row++) visit(columns - 1, row);
  for (let column = columns - 2; column >= 0; column--) visit(column, rows - 1);
  for (let row = rows - 2; row >= 0; row--) visit(0, row);
  if (!(Number.isFinite(west) && Number.isFinite(east) && south >= -90.001 && north <= 90.001))
    return undefined;
  const [hasSouth, hasNorth] = [hasPole(nodes, -90), hasPole(nodes, 90)];
  if (hasSouth) south = -90;
  if (hasNorth) north = 90;
  const circles = hasSouth || hasNorth || east - west >= 360 || (isClosed(nodes) && east - west > 180);
  return { south, north, west, east, circles, isCap: hasSouth !== hasNorth };
}

/**
 * Whether rows go all the way around, so that the first column follows the last one at about the distance of
 * neighbours, or is the same one again.
 */
function isClosed({ columns, rows, at }: NodeGrid): boolean {
  return (
    columns > 4 &&
    [0.25, 0.5, 0.75].every((part) => {
      const row = Math.floor((rows - 1) * part);
      return (
        distance(at(columns - 1, row), at(0, row)) <
        1.5 * Math.max(distance(at(0, row), at(1, row)), distance(at(columns - 2, row), at(columns - 1, row)))
      );
    })
  );
}

/** Whether a pole lies in a cell, or on a node that is not on the rim. */
function hasPole(nodes: NodeGrid, pole: -90 | 90): boolean {
  const { columns, rows, at } = nodes;
  const closed = isClosed(nodes);
  const from = (column: number, row: number) => Math.abs(pole - at(column, row)[1]);
  // The node nearest to the pole is searched in a coarse selection, then in ever smaller surroundings.
  let [bestColumn, bestRow] = [0, 0];
  let nearest = Number.POSITIVE_INFINITY;
  const search = (middleColumn: number, middleRow: number, step: number, reach: number) => {
    for (let down = -reach; down <= reach; down++) {
      for (let right = -reach; right <= reach; right++) {
        const column = Math.min(columns - 1, Math.max(0, middleColumn + right * step));
        const row = Math.min(rows - 1, Math.max(0, middleRow + down * step));
        const away = from(column, row);
        if (away >= nearest) continue;
        nearest = away;
        [bestColumn, bestRow] = [column, row];
      }
    }
  };
  let step = Math.ceil(Math.max(columns, rows) / 64);
  search(columns >> 1, rows >> 1, step, 32);
  while (step > 1) {
    step = Math.ceil(step / 2);
    search(bestColumn, bestRow, step, 3);
  }
  const isInside =
    bestRow > 0 && bestRow < rows - 1 && (closed || (bestColumn > 0 && bestColumn < columns - 1));
  if (nearest < 1e-6) return isInside;
  // The corners of a cell around the pole go through all longitudes.
  for (const row of [bestRow - 1, bestRow]) {
    for (const column of [bestColumn - 1, bestColumn]) {
      if (row < 0 || row + 1 >= rows || (!closed && (column < 0 || column + 1 >= columns))) continue;
      const [left, right] = [(column + columns) % columns, (column + 1) % columns];
      const around = [at(left, row), at(right, row), at(right, row + 1), at(left, row + 1)];
      let turn = 0;
      for (let i = 0; i < 4; i++) turn += normaliseLongitude(around[(i + 1) % 4]![0] - around[i]![0]);
      if (Math.abs(turn) > 180) return true;
    }
  }
  return false;
}

/**
 * Distance of neighbouring nodes in the middle of the grid, the shorter of the two directions, degrees of a great
 * circle.
 */
function spacing({ columns, rows, at }: NodeGrid): number {
  const column = Math.floor((columns - 1) / 2);
  const row = Math.floor((rows - 1) / 2);
  const middle = at(column, row);
  return Math.min(distance(middle, at(column + 1, row)), distance(middle, at(column, row + 1)));
}

/** Median length of the longer sides of selected cells, degrees of a great circle. */
function medianSpacing({ columns, rows, at }: NodeGrid): number {
  const lengths: number[] = [];
  const [right, up] = [Math.ceil(columns / 32), Math.ceil(rows / 32)];
  for (let row = 0; row + 1 < rows; row += up) {
    for (let column = 0; column + 1 < columns; column += right) {
      const corner = at(column, row);
      const side = Math.max(distance(corner, at(column + 1, row)), distance(corner, at(column, row + 1)));
      // Placeholders are all equal, so their distance is 0.
      if (side > 0) lengths.push(side);
    }
  }
  return lengths.sort((one, other) => one - other)[lengths.length >> 1] ?? 0;
}

/** Distance of two places, degrees of a great circle. */
export function distance([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): number {
  const height = Math.sin(((y2 - y1) / 2) * RADIANS);
  const width = Math.sin(((x2 - x1) / 2) * RADIANS);
  const square = height ** 2 + Math.cos(y1 * RADIANS) * Math.cos(y2 * RADIANS) * width ** 2;
  return (2 * Math.asin(Math.min(1, Math.sqrt(square)))) / RADIANS;
}

/** Removes floating-point noise such as that of 3 · 0.027. */
export function tidy(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}
