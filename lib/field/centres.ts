import { coordinate, type Grid, wraps } from "#lib/field/grid.ts";
import type { FieldAt } from "#lib/field/isolines.ts";

/** A high or a low. */
export interface Centre {
  kind: "high" | "low";
  latitude: number;
  /** −180 ≤ λ < 180 on a global grid. */
  longitude: number;
  value: number;
}

/** What makes an extreme a centre that is worth a mark, not noise. */
export interface CentreTest {
  /** No node within this distance is more extreme, degrees of a great circle. */
  radius: number;
  /** All that is known of the field at that distance differs by at least this much, in the unit of the field. */
  prominence: number;
}

/** Bearings on which the field round an extreme is read, and how many of them must have a value. */
const BEARINGS = 24;
const LEAST_KNOWN = 16;

/**
 * Highs and lows of a field.
 *
 * @param values Of the field at the nodes of `grid`, row-major, south to north.
 */
export function centres(field: FieldAt, grid: Grid, values: Float64Array, test: CentreTest): Centre[] {
  const { latitude: rows, longitude: columns } = grid;
  const found: Centre[] = [];
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
        if (Math.abs(latitude) + test.radius >= 90) continue;
        const narrow = Math.cos(((Math.abs(latitude) + test.radius / 2) * Math.PI) / 180);
        const height = Math.round(test.radius / rows.step);
        const width = Math.min(Math.round(test.radius / narrow / columns.step), columns.count >> 1);
        if (!isExtreme(grid, values, row, column, height, width, sign)) continue;
        if (!standsOut(field, latitude, longitude, value, sign, test)) continue;
        found.push({ kind, latitude, longitude, value });
      }
    }
  }
  return found;
}

/** Whether no node of the ellipse round a node is more extreme, and none before it as extreme. */
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
  return known >= LEAST_KNOWN;
}
