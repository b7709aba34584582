import type { Grid } from "#lib/field/grid.ts";
import { type Nodes, nodesOf } from "#server/demo/math/patch.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { iceCover } from "./sst.ts";
import { type SwellSums, swellSums } from "./swell.ts";

/** The swell is worked out at absolute multiples of this, degrees, so that it is the same in every patch. */
const SWELL_STEP = 1.5;
const SWELL_COLUMNS = 360 / SWELL_STEP;

/** The swell around a patch, and where the nodes of the patch lie in it. */
export interface SwellField {
  /** Columns of the lattice. */
  width: number;
  sums: SwellSums;
  /** Share of the sea under ice. */
  ice: Float32Array;
  /** For each row and column of the patch: lattice row or column before it, and the share of the next. */
  south: Int32Array;
  northward: Float64Array;
  west: Int32Array;
  east: Int32Array;
  eastward: Float64Array;
}

/**
 * The swell around a patch. It is worked out on the absolute lattice, one node further out than the patch needs, and each
 * node is smoothed with its neighbours: swell bends around an island that a ray just misses. Ice takes it away.
 */
export function swellField(world: World, nodes: Nodes, time: number): SwellField {
  const firstRow = Math.min(Math.floor(nodes.latitude[0]! / SWELL_STEP), 90 / SWELL_STEP - 1);
  const south = new Int32Array(nodes.rows);
  const northward = new Float64Array(nodes.rows);
  for (let row = 0; row < nodes.rows; row++) {
    const y = nodes.latitude[row]! / SWELL_STEP;
    const floor = Math.min(Math.floor(y), 90 / SWELL_STEP - 1);
    south[row] = floor - firstRow + 1;
    northward[row] = y - floor;
  }
  const first = Math.floor(nodes.longitude[0]! / SWELL_STEP);
  const west = new Int32Array(nodes.columns);
  const eastward = new Float64Array(nodes.columns);
  let last = 0;
  for (let column = 0; column < nodes.columns; column++) {
    const x = nodes.longitude[column]! / SWELL_STEP;
    const floor = Math.floor(x);
    west[column] = ((floor - first + 2 * SWELL_COLUMNS) % SWELL_COLUMNS) + 1;
    eastward[column] = x - floor;
    last = Math.max(last, west[column]!);
  }
  const width = Math.min(SWELL_COLUMNS, last + 3);
  const east = west.map((column) => (column + 1) % width);
  for (let column = 0; column < west.length; column++) west[column]! %= width;
  // Columns run on past 180, so that neighbours stay neighbours.
  const grid: Grid = {
    latitude: {
      start: (firstRow - 1) * SWELL_STEP,
      step: SWELL_STEP,
      count: south[nodes.rows - 1]! + 3,
    },
    longitude: { start: (first - 1) * SWELL_STEP, step: SWELL_STEP, count: width },
  };
  const latticeNodes = nodesOf(grid);
  const sums = swellSums(world, latticeNodes, time);
  const ice = iceCover(world, { grid, time });
  for (let at = 0; at < ice.length; at++) {
    const left = (1 - ice[at]!) ** 2;
    sums.energy[at]! *= left;
    sums.period[at]! *= left;
    sums.fromEast[at]! *= left;
    sums.fromNorth[at]! *= left;
  }
  for (const values of [sums.period, sums.fromEast, sums.fromNorth]) smooth(values, sums.energy, width);
  smooth(sums.energy, sums.energy.slice(), width);
  return { width, sums, ice, south, northward, west, east, eastward };
}

/**
 * Means with weights 1-2-1 both ways, over nodes that have any swell; the outermost nodes are left as they are, unless the lattice
 * closes on itself.
 */
function smooth(values: Float32Array, energy: Float32Array, width: number): void {
  const before = values.slice();
  const round = width === SWELL_COLUMNS;
  for (let at = width; at < values.length - width; at++) {
    const column = at % width;
    if (!round && (column === 0 || column === width - 1)) continue;
    let sum = 0;
    let weight = 0;
    for (let up = -1; up <= 1; up++) {
      for (let right = -1; right <= 1; right++) {
        const from = at + up * width - column + ((column + right + width) % width);
        if (energy[from] === 0) continue;
        const share = (2 - Math.abs(up)) * (2 - Math.abs(right));
        sum += share * before[from]!;
        weight += share;
      }
    }
    values[at] = weight > 0 ? sum / weight : 0;
  }
}

/** Numbers of the swell at one node: energy, energy × period, energy × direction (east, north), and the share under ice. */
export const SWELL_NUMBERS = 5;

/** Makes ready to read the swell along a row of the patch. @param line (columns of the lattice, 5), overwritten. */
export function swellRow(field: SwellField, row: number, line: Float64Array): void {
  const { width, sums, ice } = field;
  const low = field.south[row]! * width;
  const high = low + width;
  const up = field.northward[row]!;
  const parts = [sums.energy, sums.period, sums.fromEast, sums.fromNorth, ice] as const;
  for (let part = 0; part < SWELL_NUMBERS; part++) {
    const values = parts[part]!;
    for (let column = 0; column < width; column++) {
      const below = values[low + column]!;
      line[SWELL_NUMBERS * column + part] = below + up * (values[high + column]! - below);
    }
  }
}

/** The five numbers at a column of the row that was made ready. */
export function readSwell(field: SwellField, line: Float64Array, column: number, out: Float64Array): void {
  const west = SWELL_NUMBERS * field.west[column]!;
  const east = SWELL_NUMBERS * field.east[column]!;
  const right = field.eastward[column]!;
  for (let part = 0; part < SWELL_NUMBERS; part++) {
    out[part] = line[west + part]! + right * (line[east + part]! - line[west + part]!);
  }
}
