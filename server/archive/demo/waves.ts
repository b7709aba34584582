import type { Grid } from "#lib/field/grid.ts";
import { type Nodes, nodesOf, type Patch } from "./patch.ts";
import { landAt } from "./sample.ts";
import { iceCover } from "./sst.ts";
import { type SwellSums, swellSums } from "./swell.ts";
import { smoothWind } from "./wind.ts";
import { shortestPeriod, windSea, windwardFetch } from "./wind-sea.ts";
import type { World } from "./world.types.ts";

type Quantity = "significant_height" | "mean_period" | "from_direction_x" | "from_direction_y";

/**
 * Seas, named as in the catalog: heights m, periods s, and the unit vector (x = sine, y = cosine) of the bearing that they
 * come FROM; NaN on land. Of the total, the wind sea and the swell; squares of heights add up.
 */
export type Waves = Record<
  `${"sea_surface_wave" | "sea_surface_wind_wave" | "sea_surface_swell_wave"}_${Quantity}`,
  Float32Array
>;

/** The swell is worked out at absolute multiples of this, degrees, so that it is the same in every patch. */
const SWELL_STEP = 1.5;
const SWELL_COLUMNS = 360 / SWELL_STEP;

/** Seas answer a wind of some hours before, seconds. */
const RESPONSE_S = 2 * 3600;

/** The mean period of swell in the total is a little less than its own. */
const SWELL_PERIOD_SHARE = 0.92;

/** Below this energy, m², there is no swell to speak of. */
const LEAST_ENERGY = 1e-8;

/** Wind sea and swell together at an instant. Under ice they die down. */
export function waves(world: World, patch: Patch): Waves {
  const nodes = nodesOf(patch.grid);
  const size = nodes.rows * nodes.columns;
  const wind = smoothWind(world, { grid: patch.grid, time: patch.time - RESPONSE_S });
  const land = landAt(world.static.land, nodes);
  const lattice = swellLattice(nodes);
  const swell = swellSums(world, nodesOf(lattice.grid), patch.time);
  const ice = iceCover(world, { grid: lattice.grid, time: patch.time });
  const out = emptyWaves(size);
  const sea = new Float64Array(2);
  const sums = new Float64Array(5);
  const { fetch } = world.static;
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      if (land[at] === 1) continue;
      const east = wind.eastward[at]!;
      const north = wind.northward[at]!;
      const speed = Math.sqrt(east * east + north * north);
      windSea(speed, windwardFetch(fetch, latitude, nodes.longitude[column]!, east, north), sea);
      readSwell(lattice, swell, ice, row, column, sums);
      const open = 1 - sums[4]!;
      write(
        out,
        at,
        open * sea[0]!,
        sea[1]!,
        speed > 0 ? -east / speed : 0,
        speed > 0 ? -north / speed : 1,
        sums,
        open,
      );
    }
  }
  return out;
}

/** Fills in the three systems at one node. @param sums Of the swell, from `readSwell`. @param open Share that ice leaves. */
function write(
  out: Waves,
  at: number,
  seaHeight: number,
  seaPeriod: number,
  seaX: number,
  seaY: number,
  sums: Float64Array,
  open: number,
): void {
  const energy = sums[0]!;
  const isSwell = energy > LEAST_ENERGY;
  const swellHeight = isSwell ? open * Math.sqrt(energy) : 0;
  const swellPeriod = isSwell ? Math.max(sums[1]! / energy, shortestPeriod(swellHeight)) : seaPeriod;
  const norm = Math.sqrt(sums[2]! * sums[2]! + sums[3]! * sums[3]!);
  const swellX = norm > 0 ? sums[2]! / norm : seaX;
  const swellY = norm > 0 ? sums[3]! / norm : seaY;
  const seaEnergy = seaHeight * seaHeight;
  const swellEnergy = swellHeight * swellHeight;
  const total = seaEnergy + swellEnergy;
  const height = Math.sqrt(total);
  const share = total > 0 ? seaEnergy / total : 1;
  const period = share * seaPeriod + (1 - share) * SWELL_PERIOD_SHARE * swellPeriod;
  let x = share * seaX + (1 - share) * swellX;
  let y = share * seaY + (1 - share) * swellY;
  const length = Math.sqrt(x * x + y * y);
  // Two equal seas that meet head on have no mean direction: the wind's is shown.
  x = length > 1e-6 ? x / length : seaX;
  y = length > 1e-6 ? y / length : seaY;
  out.sea_surface_wave_significant_height[at] = height;
  out.sea_surface_wave_mean_period[at] = Math.max(period, shortestPeriod(height));
  out.sea_surface_wave_from_direction_x[at] = x;
  out.sea_surface_wave_from_direction_y[at] = y;
  out.sea_surface_wind_wave_significant_height[at] = seaHeight;
  out.sea_surface_wind_wave_mean_period[at] = seaPeriod;
  out.sea_surface_wind_wave_from_direction_x[at] = seaX;
  out.sea_surface_wind_wave_from_direction_y[at] = seaY;
  out.sea_surface_swell_wave_significant_height[at] = swellHeight;
  out.sea_surface_swell_wave_mean_period[at] = swellPeriod;
  out.sea_surface_swell_wave_from_direction_x[at] = swellX;
  out.sea_surface_swell_wave_from_direction_y[at] = swellY;
}

interface SwellLattice {
  grid: Grid;
  /** For each row and column of the patch: lattice row or column before it, and the share of the next. */
  south: Int32Array;
  northward: Float64Array;
  west: Int32Array;
  eastward: Float64Array;
}

/** The part of the swell's lattice round a patch; columns run on past 180 so that neighbours stay neighbours. */
function swellLattice(nodes: Nodes): SwellLattice {
  const firstRow = Math.min(Math.floor(nodes.latitude[0]! / SWELL_STEP), 90 / SWELL_STEP - 1);
  const south = new Int32Array(nodes.rows);
  const northward = new Float64Array(nodes.rows);
  for (let row = 0; row < nodes.rows; row++) {
    const y = nodes.latitude[row]! / SWELL_STEP;
    const floor = Math.min(Math.floor(y), 90 / SWELL_STEP - 1);
    south[row] = floor - firstRow;
    northward[row] = y - floor;
  }
  const first = Math.floor(nodes.longitude[0]! / SWELL_STEP);
  const west = new Int32Array(nodes.columns);
  const eastward = new Float64Array(nodes.columns);
  let last = 0;
  for (let column = 0; column < nodes.columns; column++) {
    const x = nodes.longitude[column]! / SWELL_STEP;
    const floor = Math.floor(x);
    west[column] = (floor - first + 2 * SWELL_COLUMNS) % SWELL_COLUMNS;
    eastward[column] = x - floor;
    last = Math.max(last, west[column]!);
  }
  const grid: Grid = {
    latitude: { start: firstRow * SWELL_STEP, step: SWELL_STEP, count: south[nodes.rows - 1]! + 2 },
    longitude: { start: first * SWELL_STEP, step: SWELL_STEP, count: last + 2 },
  };
  return { grid, south, northward, west, eastward };
}

/** Energy, energy × period, energy × direction (east, north) of the swell, and the share under ice, at a node. */
function readSwell(
  { grid, south, northward, west, eastward }: SwellLattice,
  swell: SwellSums,
  ice: Float32Array,
  row: number,
  column: number,
  out: Float64Array,
): void {
  const width = grid.longitude.count;
  const low = south[row]! * width + west[column]!;
  const high = low + width;
  const up = northward[row]!;
  const right = eastward[column]!;
  const ne = up * right;
  const nw = up - ne;
  const se = right - ne;
  const sw = 1 - up - right + ne;
  out[0] = mix(swell.energy);
  out[1] = mix(swell.period);
  out[2] = mix(swell.fromEast);
  out[3] = mix(swell.fromNorth);
  out[4] = mix(ice);

  function mix(values: Float32Array): number {
    return sw * values[low]! + se * values[low + 1]! + nw * values[high]! + ne * values[high + 1]!;
  }
}

function emptyWaves(size: number): Waves {
  const missing = () => new Float32Array(size).fill(Number.NaN);
  return {
    sea_surface_wave_significant_height: missing(),
    sea_surface_wave_mean_period: missing(),
    sea_surface_wave_from_direction_x: missing(),
    sea_surface_wave_from_direction_y: missing(),
    sea_surface_wind_wave_significant_height: missing(),
    sea_surface_wind_wave_mean_period: missing(),
    sea_surface_wind_wave_from_direction_x: missing(),
    sea_surface_wind_wave_from_direction_y: missing(),
    sea_surface_swell_wave_significant_height: missing(),
    sea_surface_swell_wave_mean_period: missing(),
    sea_surface_swell_wave_from_direction_x: missing(),
    sea_surface_swell_wave_from_direction_y: missing(),
  };
}
