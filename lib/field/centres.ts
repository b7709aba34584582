import { coordinate, type Grid, wraps } from "@open-metocean/geo/grid";
import type { FieldAt } from "./isolines.ts";

/** A high or a low. */
export interface Centre {
  kind: "high" | "low";
  latitude: number;
  /** Degrees east; −180 ≤ λ < 180 on a global grid. */
  longitude: number;
  value: number;
}

/** Conditions under which an extreme counts as a centre. */
export interface CentreTest {
  /** Radius within which no node is more extreme, degrees of a great circle. */
  radius: number;
  /** Least difference from all valid values at that radius, in the unit of the field. */
  prominence: number;
  /**
   * An extreme within a closed isoline of a multiple of `step` that spans at least `size` degrees is always a centre,
   * whatever its radius and prominence.
   */
  closed?: { step: number; size: number };
}

/** Bearings at which the field around an extreme is sampled, and how many of them must have a value. */
const BEARINGS = 24;
const MIN_KNOWN = 16;

/**
 * Highs and lows of a field: extremes that stand out from their surroundings or lie within a closed isoline.
 *
 * @param values Values of the field at the nodes of `grid`, row-major, south to north.
 */
export function centres(field: FieldAt, grid: Grid, values: Float64Array, test: CentreTest): Centre[] {
  const { latitude: rows, longitude: columns } = grid;
  const found: Centre[] = [];
  const rings = new Set<number>();
  for (let row = 1; row < rows.count - 1; row++) {
    for (let column = 0; column < columns.count; column++) {
      const node = row * columns.count + column;
      const value = values[node]!;
      if (Number.isNaN(value)) continue;
      for (const kind of ["high", "low"] as const) {
        const sign = kind === "high" ? 1 : -1;
        if (!isExtreme(grid, values, row, column, 1, 1, sign)) continue;
        const latitude = coordinate(rows, row);
        const longitude = coordinate(columns, column);
        const centre: Centre = { kind, latitude, longitude, value };
        const ring = test.closed && closedRound(grid, values, node, sign, test.closed);
        if (ring !== undefined) {
          if (!rings.has(ring)) found.push(centre);
          rings.add(ring);
          continue;
        }
        if (Math.abs(latitude) + test.radius >= 90) continue;
        const narrow = Math.cos(((Math.abs(latitude) + test.radius / 2) * Math.PI) / 180);
        const height = Math.round(test.radius / rows.step);
        const width = Math.min(Math.round(test.radius / narrow / columns.step), columns.count >> 1);
        if (!isExtreme(grid, values, row, column, height, width, sign)) continue;
        if (!standsOut(field, latitude, longitude, value, sign, test)) continue;
        found.push(centre);
      }
    }
  }
  return found;
}

/**
 * Whether no node within the ellipse around a node is more extreme, and no earlier node is equally extreme.
 */
function isExtreme(
  { latitude, longitude }: Grid,
  values: Float64Array,
  row: number,
  column: number,
  height: number,
  width: number,
  sign: number,
): boolean {
  const columns = longitude.count;
  const cyclic = wraps(longitude);
  const own = sign * values[row * columns + column]!;
  for (let north = -height; north <= height; north++) {
    const y = row + north;
    if (y < 0 || y >= latitude.count) continue;
    for (let east = -width; east <= width; east++) {
      if (height > 1 && (north / height) ** 2 + (east / width) ** 2 > 1) continue;
      let x = column + east;
      if (cyclic) x = ((x % columns) + columns) % columns;
      else if (x < 0 || x >= columns) continue;
      const value = sign * values[y * columns + x]!;
      const before = north < 0 || (north === 0 && east < 0);
      if (value > own || (before && value === own)) return false;
    }
  }
  return true;
}

/**
 * Searches the area around an extreme inside the nearest isoline.
 *
 * @returns First node of the area, which identifies it; undefined if the isoline is open or too small, or if
 * the area has a more extreme value.
 */
function closedRound(
  { latitude, longitude }: Grid,
  values: Float64Array,
  node: number,
  sign: number,
  { step, size }: { step: number; size: number },
): number | undefined {
  const columns = longitude.count;
  const cyclic = wraps(longitude);
  const own = sign * values[node]!;
  // An isoline that only touches its level forms no ring, so the level lies strictly below.
  const level = step * (Math.ceil(own / step) - 1);
  const start = node % columns;
  const inside = new Set([node]);
  let [first, south, north, west, east] = [node, latitude.count, 0, start, start];
  // Column numbers continue where the grid wraps, so that an area around the globe differs from one across the seam.
  const open: [row: number, column: number][] = [[Math.floor(node / columns), start]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [row, column] = next;
    [south, north] = [Math.min(south, row), Math.max(north, row)];
    [west, east] = [Math.min(west, column), Math.max(east, column)];
    if (row === 0 || row === latitude.count - 1 || east - west >= columns / 2) return undefined;
    if (!cyclic && (column === 0 || column === columns - 1)) return undefined;
    for (const [up, right] of SIDES) {
      const neighbour = (row + up) * columns + ((((column + right) % columns) + columns) % columns);
      const value = sign * values[neighbour]!;
      if (Number.isNaN(value) || value > own) return undefined;
      if (value < level || inside.has(neighbour)) continue;
      inside.add(neighbour);
      first = Math.min(first, neighbour);
      open.push([row + up, column + right]);
    }
  }
  const middle = coordinate(latitude, (south + north) / 2);
  const wide = (east - west) * longitude.step * Math.cos((middle * Math.PI) / 180);
  return Math.max(wide, (north - south) * latitude.step) >= size ? first : undefined;
}

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

function standsOut(
  field: FieldAt,
  latitude: number,
  longitude: number,
  value: number,
  sign: number,
  { radius, prominence }: CentreTest,
): boolean {
  let known = 0;
  const narrow = Math.cos((latitude * Math.PI) / 180);
  for (let index = 0; index < BEARINGS; index++) {
    const angle = (index / BEARINGS) * 2 * Math.PI;
    const there = field(latitude + radius * Math.cos(angle), longitude + (radius * Math.sin(angle)) / narrow);
    if (Number.isNaN(there)) continue;
    if (sign * (value - there) < prominence) return false;
    known++;
  }
  return known >= MIN_KNOWN;
}
