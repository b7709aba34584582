import { nodesOf, type Patch } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import { fetchColumns, fetchOnRow, fetchRow } from "#server/demo/static/fetch.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { readSwell, SWELL_NUMBERS, swellField, swellRow } from "./swell-lattice.ts";
import { smoothWind } from "./wind.ts";
import { shortestPeriod, windSea } from "./wind-sea.ts";

type Quantity = "significant_height" | "mean_period" | "from_direction_x" | "from_direction_y";

/**
 * Seas, named as in the catalog: heights m, periods s, and the unit vector (x = sine, y = cosine) of the bearing that they
 * come FROM; NaN on land and within the ice. Of the total, the wind sea and the swell; squares of heights add up.
 */
export type Waves = Record<
  `${"sea_surface_wave" | "sea_surface_wind_wave" | "sea_surface_swell_wave"}_${Quantity}`,
  Float32Array
>;

/** Seas answer a wind of some hours before, seconds. */
const RESPONSE_S = 2 * 3600;

/** The mean period of swell in the total is a little less than its own. */
const SWELL_PERIOD_SHARE = 0.92;

/** A swell of less than about ten centimetres takes on the period and direction of the wind sea; energy, m². */
const MIN_ENERGY = 0.01;

/** Share of open water under which there is no sea state to speak of. */
const MIN_OPEN = 0.15;

/** Wind sea and swell together at an instant. They die down toward the ice, and are missing within it. */
export function waves(world: World, patch: Patch): Waves {
  const nodes = nodesOf(patch.grid);
  const size = nodes.rows * nodes.columns;
  const wind = smoothWind(world, { grid: patch.grid, time: patch.time - RESPONSE_S });
  const land = landAt(world.static.land, nodes);
  const swell = swellField(world, nodes, patch.time);
  const out = emptyWaves(size);
  const sea = new Float64Array(2);
  const sums = new Float64Array(SWELL_NUMBERS);
  const line = new Float64Array(SWELL_NUMBERS * swell.width);
  const windward = fetchColumns(nodes.longitude);
  for (let row = 0; row < nodes.rows; row++) {
    fetchRow(world.static.fetch, nodes.latitude[row]!, windward);
    swellRow(swell, row, line);
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      if (land[at] === 1) continue;
      readSwell(swell, line, column, sums);
      const open = 1 - sums[4]!;
      if (open < MIN_OPEN) continue;
      const east = wind.eastward[at]!;
      const north = wind.northward[at]!;
      const speed = Math.sqrt(east * east + north * north);
      windSea(speed, fetchOnRow(windward, column, east, north), sea);
      write(
        out,
        at,
        sea[0]!,
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
  fullSeaHeight: number,
  seaPeriod: number,
  seaX: number,
  seaY: number,
  sums: Float64Array,
  open: number,
): void {
  const energy = sums[0]!;
  const seaHeight = open * fullSeaHeight;
  const swellHeight = Math.sqrt(energy);
  const height = Math.sqrt(seaHeight * seaHeight + energy);
  const swellPeriod = Math.max(
    (sums[1]! + MIN_ENERGY * seaPeriod) / (energy + MIN_ENERGY),
    shortestPeriod(swellHeight),
  );
  const toX = sums[2]! + MIN_ENERGY * seaX;
  const toY = sums[3]! + MIN_ENERGY * seaY;
  const norm = Math.sqrt(toX * toX + toY * toY);
  const swellX = norm > 0 ? toX / norm : seaX;
  const swellY = norm > 0 ? toY / norm : seaY;
  const seaEnergy = seaHeight * seaHeight + MIN_ENERGY;
  const share = seaEnergy / (seaEnergy + energy);
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
