import { type Axis, type Grid, normaliseLongitude } from "#lib/field/grid.ts";

/** A grid of rows and columns that are not latitudes and longitudes: a projection's, a rotated one, a curvilinear one. */
export interface NodeGrid {
  columns: number;
  rows: number;
  /** Equal for equal grids of the files that one decoder reads. */
  key: string;
  /** Square of the eccentricity of the earth that the coordinates are of. */
  eccentricity2: number;
  /** Longitude and latitude of a node, degrees. Neighbouring nodes are neighbours on the earth. */
  at(column: number, row: number): readonly [longitude: number, latitude: number];
}

const RADIANS = Math.PI / 180;
/** Corners of one cell lie at most this many spacings apart: placeholders for coordinates, as (0, 0), are farther away. */
export const MAX_CELL = 10;
/** Sides of the outline along an edge. */
const SIDE_PARTS = 24;

/**
 * The regular grid that stands for another one in the archive: its bounding box, at the spacing of its nodes in its
 * middle. Nodes lie at multiples of the step. Beyond the edges of the other grid there are no values.
 *
 * @returns undefined where the nodes make no grid on the globe.
 */
export function regularGridFor(nodes: NodeGrid): Grid | undefined {
  const box = boundingBox(nodes);
  if (!box) return undefined;
  const median = medianSpacing(nodes);
  const middleStep = spacing(nodes);
  // Placeholders for coordinates may be in the middle.
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

/** The rim as a polygon: so short are its sides that they leave a bent edge by less than a tenth of a cell, as a rule. */
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
  /** All longitudes are inside: a pole is, or the rows go around the globe. */
  circles: boolean;
  /** One pole is inside. */
  isCap: boolean;
}

/** By the nodes of the rim: latitudes and longitudes have no extremes inside, unless a pole is there. */
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
 * Whether rows go all the way around, so that the first column follows the last one: at about the distance of neighbours
 * (or is the same one again).
 */
export function isClosed({ columns, rows, at }: NodeGrid): boolean {
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
  // The node nearest to the pole: of a coarse selection, then of its surroundings, ever closer.
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

/** Distance of neighbouring nodes in the middle of the grid, the shorter of the two ways, degrees of a great circle. */
function spacing({ columns, rows, at }: NodeGrid): number {
  const column = Math.floor((columns - 1) / 2);
  const row = Math.floor((rows - 1) / 2);
  const middle = at(column, row);
  return Math.min(distance(middle, at(column + 1, row)), distance(middle, at(column, row + 1)));
}

/** Median length of cells' longer sides, degrees of a great circle, of a selection of cells. */
export function medianSpacing({ columns, rows, at }: NodeGrid): number {
  const lengths: number[] = [];
  const [right, up] = [Math.ceil(columns / 32), Math.ceil(rows / 32)];
  for (let row = 0; row + 1 < rows; row += up) {
    for (let column = 0; column + 1 < columns; column += right) {
      const corner = at(column, row);
      const side = Math.max(distance(corner, at(column + 1, row)), distance(corner, at(column, row + 1)));
      // Placeholders are all the same.
      if (side > 0) lengths.push(side);
    }
  }
  return lengths.sort((one, other) => one - other)[lengths.length >> 1] ?? 0;
}

/** Of two places, degrees of a great circle. */
export function distance([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): number {
  const height = Math.sin(((y2 - y1) / 2) * RADIANS);
  const width = Math.sin(((x2 - x1) / 2) * RADIANS);
  const square = height ** 2 + Math.cos(y1 * RADIANS) * Math.cos(y2 * RADIANS) * width ** 2;
  return (2 * Math.asin(Math.min(1, Math.sqrt(square)))) / RADIANS;
}

/** Removes floating-point noise: 3 · 0.027. */
function tidy(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}
