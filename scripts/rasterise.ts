import { coordinate } from "@open-metocean/geo/grid";
import { type LandMask, worldGrid } from "#server/demo/math/grid.ts";

type Ring = readonly (readonly number[])[];

/**
 * Marks cells of `worldGrid` whose centre lies within an odd number of rings.
 *
 * Rings of world-atlas cross ±180 and one surrounds the pole. Each ring is first unwrapped (a step is never longer than
 * half a turn). A ring around the globe is closed through the pole that it surrounds. Each ring is then filled by
 * itself, and the results are combined by exclusive or. Filling all edges together would draw bars across the
 * antimeridian.
 */
export function rasterise(rings: readonly Ring[]): LandMask {
  const mask = new Uint8Array(worldGrid.latitude.count * worldGrid.longitude.count);
  for (const ring of rings) fill(mask, unwrap(ring));
  return mask;
}

/** Returns a ring without jumps at ±180. A ring around the globe is closed through its pole. */
export function unwrap(ring: Ring): [number, number][] {
  const points: [number, number][] = [];
  let turn = 0;
  for (const [longitude = 0, latitude = 0] of ring) {
    const previous = points.at(-1);
    if (previous) {
      if (longitude + turn - previous[0] > 180) turn -= 360;
      else if (longitude + turn - previous[0] < -180) turn += 360;
    }
    points.push([longitude + turn, latitude]);
  }
  const first = points[0]!;
  const last = points.at(-1)!;
  if (Math.abs(last[0] - first[0]) > 180) {
    const pole = first[1] < 0 ? -90.01 : 90.01;
    points.push([last[0], pole], [first[0], pole], [first[0], first[1]]);
  }
  return points;
}

function fill(mask: LandMask, points: readonly [number, number][]): void {
  const { latitude: rows, longitude: columns } = worldGrid;
  for (let row = 0; row < rows.count; row++) {
    const latitude = coordinate(rows, row);
    const crossings: number[] = [];
    for (let edge = 1; edge < points.length; edge++) {
      const [x0, y0] = points[edge - 1]!;
      const [x1, y1] = points[edge]!;
      if (y0 > latitude === y1 > latitude) continue;
      crossings.push(x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0));
    }
    crossings.sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const from = Math.ceil((crossings[pair]! - columns.start) / columns.step);
      const to = Math.ceil((crossings[pair + 1]! - columns.start) / columns.step);
      for (let column = from; column < to; column++) {
        const wrapped = ((column % columns.count) + columns.count) % columns.count;
        mask[row * columns.count + wrapped]! ^= 1;
      }
    }
  }
}
