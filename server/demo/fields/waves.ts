import { EARTH_KM, RADIANS } from "@open-metocean/geo/sphere";
import {
  landAt,
  type Nodes,
  nodesOf,
  type Patch,
  smoothstep,
  type Window,
  windowOf,
  winter,
} from "#server/demo/math/grid.ts";
import { type Kernel, kernel, memoByTime } from "#server/demo/math/patterns.ts";
import { fetchAt } from "#server/demo/static/fetch.ts";
import type { World } from "#server/demo/static/world.ts";
import { cyclones } from "#server/demo/storms/cyclones.ts";
import { movingSystems } from "./pressure.ts";
import { iceCover } from "./temperature.ts";
import { smoothWind } from "./wind.ts";

const systems = ["sea_surface_wave", "sea_surface_wind_wave", "sea_surface_swell_wave"] as const;
const quantities = ["significant_height", "mean_period", "from_direction_x", "from_direction_y"] as const;

/**
 * Seas, named as in the catalog: heights in m, periods in s, and the unit vector (x = sine, y = cosine) of the bearing
 * that they come FROM; NaN on land and within the ice. There are the total, the wind sea and the swell; squares of
 * heights add up.
 */
export type Waves = Record<`${(typeof systems)[number]}_${(typeof quantities)[number]}`, Float32Array>;

/** Delay with which seas follow the wind, seconds. */
const RESPONSE_S = 2 * 3600;

/** Factor for the mean period of swell in the total, which is slightly shorter than its own. */
const SWELL_PERIOD_SHARE = 0.92;

/**
 * Energy below which a swell, of less than about ten centimetres, takes the period and direction of the wind sea, m².
 */
const MIN_ENERGY = 0.01;

/** Below this share of open water the sea state is negligible. */
const MIN_OPEN = 0.15;

/** The swell is computed at absolute multiples of this, degrees, so that it is the same in every patch. */
const SWELL_STEP = 1.5;

/** Wind sea and swell together at an instant. They decrease toward the ice, and are missing within it. */
export function waves(world: World, patch: Patch): Waves {
  const nodes = nodesOf(patch.grid);
  const size = nodes.rows * nodes.columns;
  const wind = smoothWind(world, { grid: patch.grid, time: patch.time - RESPONSE_S });
  const land = landAt(world.static.land, nodes);
  const window = windowOf(nodes, SWELL_STEP, 0);
  const swell = swellSums(world, window, patch.time);
  const missing = () => new Float32Array(size).fill(Number.NaN);
  const names = systems.flatMap((system) => quantities.map((quantity) => `${system}_${quantity}` as const));
  const out = Object.fromEntries(names.map((name) => [name, missing()])) as Waves;
  const sea = new Float64Array(2);
  const sums = new Float64Array(SWELL_NUMBERS);
  for (let row = 0; row < nodes.rows; row++) {
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      if (land[at] === 1) continue;
      readSwell(window, swell, row, column, sums);
      const open = 1 - sums[4]!;
      if (open < MIN_OPEN) continue;
      const east = wind.eastward[at]!;
      const north = wind.northward[at]!;
      const speed = Math.sqrt(east * east + north * north);
      const bearing = Math.atan2(-east, -north);
      windSea(
        speed,
        fetchAt(world.static.fetch, nodes.latitude[row]!, nodes.longitude[column]!, bearing),
        sea,
      );
      sea[0]! *= open;
      write(out, at, sea, speed > 0 ? -east / speed : 0, speed > 0 ? -north / speed : 1, sums);
    }
  }
  return out;
}

/**
 * Writes the three systems at one node. @param sea Height and period of the wind sea. @param sums Sums of the swell.
 */
function write(
  out: Waves,
  at: number,
  sea: Float64Array,
  seaX: number,
  seaY: number,
  sums: Float64Array,
): void {
  const [seaHeight, seaPeriod, energy] = [sea[0]!, sea[1]!, sums[0]!];
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
  const x = share * seaX + (1 - share) * swellX;
  const y = share * seaY + (1 - share) * swellY;
  const length = Math.sqrt(x * x + y * y);
  out.sea_surface_wave_significant_height[at] = height;
  out.sea_surface_wave_mean_period[at] = Math.max(period, shortestPeriod(height));
  // Two equal seas that meet head-on have no mean direction, so the wind sea's is used.
  out.sea_surface_wave_from_direction_x[at] = length > 1e-6 ? x / length : seaX;
  out.sea_surface_wave_from_direction_y[at] = length > 1e-6 ? y / length : seaY;
  out.sea_surface_wind_wave_significant_height[at] = seaHeight;
  out.sea_surface_wind_wave_mean_period[at] = seaPeriod;
  out.sea_surface_wind_wave_from_direction_x[at] = seaX;
  out.sea_surface_wind_wave_from_direction_y[at] = seaY;
  out.sea_surface_swell_wave_significant_height[at] = swellHeight;
  out.sea_surface_swell_wave_mean_period[at] = swellPeriod;
  out.sea_surface_swell_wave_from_direction_x[at] = swellX;
  out.sea_surface_swell_wave_from_direction_y[at] = swellY;
}

const GRAVITY = 9.81;

/** Largest steepness (height over wavelength) of a deep-water wave. Its length is 1.56 T². */
const STEEPEST = 1 / 14.5;

/** The length of a deep-water wave, metres, is this times the square of its period. */
const LENGTH_PER_PERIOD2 = 1.56;

/** Shortest mean period of seas of a given height, seconds. */
function shortestPeriod(height: number): number {
  return Math.sqrt(height / (STEEPEST * LENGTH_PER_PERIOD2));
}

/**
 * Seas that a wind raises over a fetch, after Wilson (1965). The fetch counts only up to 700 km, for the strongest
 * winds 330 km, because neither a wind of limited duration nor the core of a small storm uses a whole ocean.
 *
 * @param windSpeed m s⁻¹ at 10 m.
 * @param out [significant height m, mean period s].
 */
export function windSea(windSpeed: number, fetchKm: number, out: Float64Array): void {
  out[0] = 0;
  out[1] = 1;
  if (windSpeed < 0.05) return;
  const used = 1000 * (3 + Math.min(fetchKm, 700 - 370 * smoothstep(16, 34, windSpeed)));
  const square = windSpeed * windSpeed;
  const x = (GRAVITY * used) / square;
  const heightTerm = 1 + 0.004 * Math.sqrt(x);
  const periodTerm = (1 + 0.008 * Math.cbrt(x)) ** 5;
  const peak = ((1.37 * 2 * Math.PI * windSpeed) / GRAVITY) * (1 - 1 / periodTerm);
  out[0] = ((0.3 * square) / GRAVITY) * (1 - 1 / (heightTerm * heightTerm));
  out[1] = Math.max(0.9 * peak, shortestPeriod(out[0]), 1);
}

/** A storm that emitted swell some time ago. */
interface Source {
  /** Centre of the source. Its radius is the reach of the swell. */
  centre: Kernel;
  /** Height at the centre, metres, and mean period, seconds. */
  height: number;
  period: number;
  /** Distance over which the swell spreads, km, and exponent of the decay. */
  size: number;
  decay: number;
  /** Unit vector (east, north) of the main direction, and the excess in it, 0..0.5. */
  mainEast: number;
  mainNorth: number;
  focus: number;
  /** Radius within which the seas run in the main direction rather than away from the centre, km. */
  core: number;
  /** Share of the height at the centre itself. */
  inCore: number;
}

const LOW_AGE_S = 30 * 3600;
const CYCLONE_AGE_S = 12 * 3600;

const sources = memoByTime((seed, time): readonly Source[] => [
  ...movingSystems(seed, time - LOW_AGE_S).flatMap((low): Source[] => {
    const excess = -low.amplitude - 7;
    if (excess <= 0) return [];
    return [
      {
        centre: kernel(low.latitude, low.longitude, 7000, 1),
        height: 0.22 * excess,
        period: 9 + 0.22 * excess,
        size: 900,
        decay: 0.5,
        // The main direction is equatorward and east, behind the cold front.
        mainEast: Math.sin(125 * RADIANS),
        mainNorth: low.hemisphere * Math.cos(125 * RADIANS),
        focus: 0.5,
        core: 700,
        inCore: 1,
      },
    ];
  }),
  ...cyclones(seed, time - CYCLONE_AGE_S).flatMap((cyclone): Source[] => {
    const strength = cyclone.windKnots * cyclone.presence * smoothstep(24, 38, cyclone.windKnots);
    if (strength <= 0) return [];
    const speed = Math.hypot(cyclone.eastward, cyclone.northward) || 1;
    return [
      {
        centre: kernel(cyclone.latitude, cyclone.longitude, 4200, 1),
        height: 0.1 * strength,
        period: 8 + 0.055 * strength,
        size: 250,
        decay: 0.8,
        mainEast: cyclone.eastward / speed,
        mainNorth: cyclone.northward / speed,
        focus: 0.25,
        core: 500,
        inCore: 0.5,
      },
    ];
  }),
]);

/** Values of the swell per node: energy (m²); energy × period, × direction FROM (east, north); share under ice. */
const SWELL_NUMBERS = 5;

/** @returns (rows, columns, 5) over the window: sums over sources, reduced by ice. Sums can be interpolated. */
function swellSums(world: World, { grid, nodes }: Window, time: number): Float64Array {
  const sums = new Float64Array(SWELL_NUMBERS * nodes.rows * nodes.columns);
  addBelts(world, nodes, time, sums);
  for (const source of sources(world.seed, time)) addSource(world.static.fetch, nodes, source, sums);
  for (const [node, ice] of iceCover(world, { grid, time }).entries()) {
    const at = SWELL_NUMBERS * node;
    for (let part = 0; part < 4; part++) sums[at + part]! *= (1 - ice) ** 2;
    sums[at + 4] = ice;
  }
  return sums;
}

/** Interpolates the five values bilinearly to a node of the patch. */
function readSwell(window: Window, sums: Float64Array, row: number, column: number, out: Float64Array): void {
  const { columns } = window.nodes;
  const low = SWELL_NUMBERS * (window.south[row]! * columns + window.west[column]!);
  const high = low + SWELL_NUMBERS * columns;
  const right = window.eastward[column]!;
  const up = window.northward[row]!;
  for (let part = 0; part < SWELL_NUMBERS; part++) {
    const [sw, nw] = [sums[low + part]!, sums[high + part]!];
    const below = sw + right * (sums[low + SWELL_NUMBERS + part]! - sw);
    const above = nw + right * (sums[high + SWELL_NUMBERS + part]! - nw);
    out[part] = below + up * (above - below);
  }
}

/** Adds the swell of the belts of westerlies. In small seas it is low and short, and absent in the Baltic. */
function addBelts({ static: { fetch } }: World, nodes: Nodes, time: number, sums: Float64Array): void {
  const season = winter(time);
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const southern =
      2 *
      (1 - 0.12 * season) *
      Math.exp(-Math.max(0, latitude + 48) / 58) *
      smoothstep(-75, -50, latitude) *
      smoothstep(65, 40, latitude);
    const northern =
      1.6 * (1 + 0.5 * season) * Math.exp(-Math.max(0, 45 - latitude) / 24) * smoothstep(70, 52, latitude);
    const belts = [
      [southern, 225 + 35 * smoothstep(-26, -46, latitude), 4500, 13.5 - 0.02 * (latitude + 60)],
      [northern, 315 - 40 * smoothstep(34, 48, latitude), 3500, 12],
    ] as const;
    for (const [height, from, ocean, period] of belts) {
      if (height < 0.01) continue;
      const bearing = (from > 180 ? from - 360 : from) * RADIANS;
      for (let column = 0; column < nodes.columns; column++) {
        const open = fetchAt(fetch, latitude, nodes.longitude[column]!, bearing);
        const growth = Math.min(1, open / ocean) ** 1.4;
        const energy = height * height * growth;
        const at = SWELL_NUMBERS * (row * nodes.columns + column);
        add(sums, at, energy, period * growth ** 0.25, Math.sin(bearing), Math.cos(bearing));
      }
    }
  }
}

function add(
  sums: Float64Array,
  at: number,
  energy: number,
  period: number,
  east: number,
  north: number,
): void {
  sums[at]! += energy;
  sums[at + 1]! += energy * period;
  sums[at + 2]! += energy * east;
  sums[at + 3]! += energy * north;
}

function addSource(fetch: Uint16Array, nodes: Nodes, source: Source, sums: Float64Array): void {
  const { x, y, z, radius } = source.centre;
  const least = Math.cos(radius / EARTH_KM);
  for (let row = 0; row < nodes.rows; row++) {
    const sin = nodes.sinLatitude[row]!;
    const cos = nodes.cosLatitude[row]!;
    for (let column = 0; column < nodes.columns; column++) {
      const along = nodes.cosLongitude[column]! * x + nodes.sinLongitude[column]! * y;
      const near = cos * along + sin * z;
      if (near <= least) continue;
      const distance = EARTH_KM * Math.acos(Math.min(1, near));
      const towardEast = nodes.cosLongitude[column]! * y - nodes.sinLongitude[column]! * x;
      const towardNorth = cos * z - sin * along;
      const bearing = Math.atan2(towardEast, towardNorth);
      const open = fetchAt(fetch, nodes.latitude[row]!, nodes.longitude[column]!, bearing);
      const lit = smoothstep(0.45 * distance, 0.95 * distance + 60, open);
      if (lit === 0) continue;
      const outside = Math.min(1, distance / source.core);
      let fromEast = outside * Math.sin(bearing) - (1 - outside) * source.mainEast;
      let fromNorth = outside * Math.cos(bearing) - (1 - outside) * source.mainNorth;
      const norm = Math.sqrt(fromEast * fromEast + fromNorth * fromNorth) || 1;
      fromEast /= norm;
      fromNorth /= norm;
      const ahead = -(fromEast * source.mainEast + fromNorth * source.mainNorth);
      const spread = Math.max(0.12, 1 - source.focus + source.focus * ahead);
      const height =
        source.height *
        spread *
        lit *
        (source.inCore + (1 - source.inCore) * outside) *
        (source.size / (source.size + distance)) ** source.decay *
        smoothstep(radius, 0.7 * radius, distance);
      // By dispersion the longest waves arrive first, and at a distance only they arrive.
      const period = source.period + 0.8 * Math.log(1 + distance / 600);
      const at = SWELL_NUMBERS * (row * nodes.columns + column);
      add(sums, at, height * height, period, fromEast, fromNorth);
    }
  }
}
