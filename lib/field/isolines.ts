import { coordinate, type Grid, wraps } from "@open-metocean/geo/grid";

/** A line along which a field has one value. */
export interface Isoline {
  level: number;
  /** Whether the line is a ring; the first point is not repeated at its end. */
  closed: boolean;
  /** Longitude and latitude interleaved, degrees. Longitudes continue past ±180, without jumps. */
  points: number[];
}

/** A field as a function of place: NaN where it is missing. */
export type FieldAt = (latitude: number, longitude: number) => number;

/** Values of a field at the nodes of a grid, row-major, south to north. */
export function valuesAtNodes(field: FieldAt, grid: Grid): Float64Array {
  const { latitude, longitude } = grid;
  const values = new Float64Array(latitude.count * longitude.count);
  for (let row = 0, node = 0; row < latitude.count; row++) {
    for (let column = 0; column < longitude.count; column++, node++) {
      values[node] = field(coordinate(latitude, row), coordinate(longitude, column));
    }
  }
  return values;
}

/**
 * Isolines by marching squares. Every point lies on an edge of the grid where the field has the level. The
 * point is located on the field itself, so that lines agree with the field even where the grid is coarser
 * than the data.
 *
 * @param values Values of the field at the nodes of `grid`; lines end where a corner is missing.
 */
export function isolines(
  field: FieldAt,
  grid: Grid,
  values: Float64Array,
  levels: readonly number[],
): Isoline[] {
  const joints = new Joints(2 * values.length);
  const lines: Isoline[] = [];
  for (const level of levels) {
    joinCells(grid, values, level, joints);
    const pointOf = (edge: number, out: number[]) => crossing(field, grid, values, edge, level, out);
    // Open lines are traced first, from their ends; the remaining lines are rings.
    for (const edge of joints.edges) if (joints.isEnd(edge)) lines.push(trace(edge, joints, level, pointOf));
    for (const edge of joints.edges) if (joints.has(edge)) lines.push(trace(edge, joints, level, pointOf));
    joints.edges.length = 0;
  }
  return lines;
}

/** Multiples of `step` within the range of a field. */
export function levelsOf(values: Float64Array, step: number): number[] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const levels: number[] = [];
  for (let index = Math.ceil(low / step); index * step <= high; index++) levels.push(index * step);
  return levels;
}

/** For each edge of the grid that a line crosses, the one or two edges that it continues to. */
class Joints {
  /** Edges with joints, in the order of the cells. */
  readonly edges: number[] = [];
  private readonly next: Int32Array;

  constructor(edges: number) {
    this.next = new Int32Array(2 * edges).fill(-1);
  }

  join(one: number, other: number): void {
    this.lead(one, other);
    this.lead(other, one);
  }

  has(edge: number): boolean {
    return this.next[2 * edge] !== -1;
  }

  isEnd(edge: number): boolean {
    return this.has(edge) && this.next[2 * edge + 1] === -1;
  }

  /** Returns the edge after `edge` when coming from `from`, −1 at the end of a line, and removes `edge`. */
  take(edge: number, from: number): number {
    const [first = -1, second = -1] = [this.next[2 * edge], this.next[2 * edge + 1]];
    this.next[2 * edge] = -1;
    this.next[2 * edge + 1] = -1;
    return first === from ? second : first;
  }

  private lead(from: number, to: number): void {
    if (this.has(from)) {
      this.next[2 * from + 1] = to;
      return;
    }
    this.next[2 * from] = to;
    this.edges.push(from);
  }
}

/**
 * Joins the edges that a level crosses, cell by cell.
 *
 * An edge has the number of its western or southern node; the northward edges follow after all eastward ones.
 */
function joinCells(grid: Grid, values: Float64Array, level: number, joints: Joints): void {
  const columns = grid.longitude.count;
  const cells = wraps(grid.longitude) ? columns : columns - 1;
  for (let row = 0; row < grid.latitude.count - 1; row++) {
    for (let column = 0; column < cells; column++) {
      const southWest = row * columns + column;
      const southEast = column + 1 === columns ? row * columns : southWest + 1;
      const sw = values[southWest]!;
      const se = values[southEast]!;
      const nw = values[southWest + columns]!;
      const ne = values[southEast + columns]!;
      const sum = sw + se + nw + ne;
      if (Number.isNaN(sum)) continue;
      const south = sw >= level !== se >= level;
      const east = se >= level !== ne >= level;
      const north = ne >= level !== nw >= level;
      const west = nw >= level !== sw >= level;
      if (!(south || north || west)) continue;
      const [s, n] = [southWest, southWest + columns];
      const [w, e] = [values.length + southWest, values.length + southEast];
      if (south && east && north && west) {
        // In a saddle the mean of the corners decides which corners are connected.
        if (sw >= level === sum / 4 >= level) {
          joints.join(w, n);
          joints.join(s, e);
        } else {
          joints.join(w, s);
          joints.join(e, n);
        }
      } else if (south) joints.join(s, east ? e : north ? n : w);
      else if (east) joints.join(e, north ? n : w);
      else joints.join(n, w);
    }
  }
}

function trace(
  start: number,
  joints: Joints,
  level: number,
  pointOf: (edge: number, out: number[]) => void,
): Isoline {
  const points: number[] = [];
  let [from, edge] = [-1, start];
  do {
    pointOf(edge, points);
    // Longitudes continue without a jump where the grid wraps.
    const last = points.length - 2;
    if (last >= 2) points[last]! -= 360 * Math.round((points[last]! - points[last - 2]!) / 360);
    const next = joints.take(edge, from);
    from = edge;
    edge = next;
  } while (edge !== -1 && edge !== start);
  return { level, closed: edge === start, points };
}

/** Number of evaluations of the field that locate a point on its edge. */
const STEPS = 8;

/** Appends longitude and latitude of the point on an edge where the field has the level. */
function crossing(
  field: FieldAt,
  grid: Grid,
  values: Float64Array,
  edge: number,
  level: number,
  out: number[],
): void {
  const columns = grid.longitude.count;
  const northward = edge >= values.length;
  const node = northward ? edge - values.length : edge;
  const row = Math.floor(node / columns);
  const column = node % columns;
  const other = northward ? node + columns : column + 1 === columns ? row * columns : node + 1;
  const latitude = coordinate(grid.latitude, row);
  const longitude = coordinate(grid.longitude, column);
  const rise = northward ? grid.latitude.step : 0;
  const run = northward ? 0 : grid.longitude.step;
  let [low, high] = [0, 1];
  let [atLow, atHigh] = [values[node]! - level, values[other]! - level];
  let share = atLow / (atLow - atHigh);
  // On the native grid the first guess is exact; on a coarser one the field is not linear along an edge.
  for (let step = 0; step < STEPS; step++) {
    const value = field(latitude + share * rise, longitude + share * run) - level;
    if (!(Math.abs(value) > 1e-9)) break;
    if (value < 0 === atLow < 0) [low, atLow] = [share, value];
    else [high, atHigh] = [share, value];
    share = step % 3 === 2 ? (low + high) / 2 : low + ((high - low) * atLow) / (atLow - atHigh);
  }
  out.push(longitude + share * run, latitude + share * rise);
}

/**
 * A smoothed line: points closer together than `minDistance` are dropped, and a Catmull-Rom spline passes
 * through the others unchanged.
 *
 * @param minDistance Degrees of latitude.
 * @param pieces Pieces into which each segment between two points is divided.
 */
export function smoothed(line: Isoline, minDistance: number, pieces: number): Isoline {
  const kept = thinned(line, minDistance);
  if (pieces < 2 || kept.length < 6) return { ...line, points: kept };
  const count = kept.length / 2;
  const points: number[] = [];
  const stretches = line.closed ? count : count - 1;
  const turn = line.closed ? wrapOffset(kept) : 0;
  const at = (index: number, axis: 0 | 1) => {
    if (!line.closed) return kept[2 * Math.min(count - 1, Math.max(0, index)) + axis]!;
    const turns = Math.floor(index / count);
    return kept[2 * (index - turns * count) + axis]! + (axis === 0 ? turns * turn : 0);
  };
  for (let index = 0; index < stretches; index++) {
    for (let piece = 0; piece < pieces; piece++) {
      const share = piece / pieces;
      for (const axis of [0, 1] as const) {
        points.push(
          spline(at(index - 1, axis), at(index, axis), at(index + 1, axis), at(index + 2, axis), share),
        );
      }
    }
  }
  if (!line.closed) points.push(kept.at(-2)!, kept.at(-1)!);
  return { ...line, points };
}

/**
 * Cuts a line at the antimeridian, so that maps draw no line across the whole width.
 *
 * @returns Lines of [longitude, latitude], longitudes in −180..180; a ring repeats its first point.
 */
export function cutLine({ points, closed }: Isoline): [number, number][][] {
  const all = closed ? [...points, points[0]! + wrapOffset(points), points[1]!] : points;
  const lines: [number, number][][] = [];
  let line: [number, number][] = [];
  // If a line begins on the edge of a copy of the world, its next point decides in which copy it continues.
  const onEdge = Math.abs(all[0]! - 360 * worldOf(all[0]!)) === 180;
  let world = worldOf(onEdge ? (all[0]! + all[2]!) / 2 : all[0]!);
  for (let index = 0; index < all.length; index += 2) {
    const [longitude, latitude] = [all[index]!, all[index + 1]!];
    while (Math.abs(longitude - 360 * world) > 180) {
      const east = longitude > 360 * world;
      const edge = 360 * world + (east ? 180 : -180);
      const [lastLongitude, lastLatitude] = [all[index - 2]!, all[index - 1]!];
      const share = (edge - lastLongitude) / (longitude - lastLongitude);
      const cut = lastLatitude + share * (latitude - lastLatitude);
      line.push([east ? 180 : -180, cut]);
      lines.push(line);
      line = [[east ? -180 : 180, cut]];
      world += east ? 1 : -1;
    }
    line.push([longitude - 360 * world, latitude]);
  }
  lines.push(line);
  return lines.filter((piece) => piece.length > 1);
}

/** Degrees of longitude between the ends of a ring: 0, or ±360 around a pole. */
function wrapOffset(points: readonly number[]): number {
  return 360 * Math.round((points.at(-2)! - points[0]!) / 360);
}

function worldOf(longitude: number): number {
  return Math.round(longitude / 360);
}

function thinned({ points, closed }: Isoline, minDistance: number): number[] {
  const kept: number[] = [points[0]!, points[1]!];
  for (let index = 2; index < points.length; index += 2) {
    const [longitude, latitude] = [points[index]!, points[index + 1]!];
    const narrow = Math.cos((latitude * Math.PI) / 180);
    const away = Math.hypot((longitude - kept.at(-2)!) * narrow, latitude - kept.at(-1)!);
    const last = !closed && index === points.length - 2;
    if (away >= minDistance || last) kept.push(longitude, latitude);
  }
  return kept;
}

/** Catmull-Rom interpolation between the second and the third of four values. */
function spline(a: number, b: number, c: number, d: number, share: number): number {
  return b + 0.5 * share * (c - a + share * (2 * a - 5 * b + 4 * c - d + share * (3 * (b - c) + d - a)));
}
