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

/**
 * The regular grid that stands for another one in the archive: its bounding box, at the spacing of its nodes in its
 * middle. Nodes lie at multiples of the step. Beyond the edges of the other grid there are no values.
 *
 * @returns undefined where the nodes make no grid on the globe.
 */
export function regularGridFor(nodes: NodeGrid): Grid | undefined {
  const box = boundingBox(nodes);
  const step = spacing(nodes);
  if (!box || !(step > 1e-4 && step < 20)) return undefined;
  const stepNorth = Number(step.toPrecision(2));
  const middle = box.circles ? 60 : (box.south + box.north) / 2;
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
  return { latitude, longitude: { ...longitude, start: tidy(normaliseLongitude(longitude.start)) } };
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
  /** A pole is inside. */
  circles: boolean;
}

/** By the nodes of the rim: those inside lie between them, unless a pole is there. */
function boundingBox({ columns, rows, at }: NodeGrid): Box | undefined {
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
  const circles = Math.abs(longitude - firstLongitude) > 180;
  if (circles && north + south > 0) north = 90;
  else if (circles) south = -90;
  return { south, north, west, east, circles: circles || east - west >= 360 };
}

/** Distance of neighbouring nodes in the middle of the grid, the shorter of the two ways, degrees of a great circle. */
function spacing({ columns, rows, at }: NodeGrid): number {
  const column = Math.floor((columns - 1) / 2);
  const row = Math.floor((rows - 1) / 2);
  const middle = at(column, row);
  return Math.min(distance(middle, at(column + 1, row)), distance(middle, at(column, row + 1)));
}

function distance([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): number {
  const east = normaliseLongitude(x2 - x1) * Math.cos(((y1 + y2) / 2) * RADIANS);
  return Math.hypot(east, y2 - y1);
}

/** Removes floating-point noise: 3 · 0.027. */
function tidy(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}
