import { RADIANS } from "@open-metocean/geo/sphere";
import {
  bell,
  clamp,
  localHour,
  type Nodes,
  nodesOf,
  type Patch,
  sample,
  seaOnly,
  smoothstep,
  winter,
  worldGrid,
  yearly,
} from "#server/demo/math/grid.ts";
import { addBumps, driftingNoise, kernels } from "#server/demo/math/patterns.ts";
import type { World } from "#server/demo/static/world.ts";
import { jetFront, jetsOn } from "./currents.ts";
import { smoothWind } from "./wind.ts";

const FREEZING = -1.8;
const WARM = 29.5;

/** Regions where currents and upwelling make the sea warmer or colder than its latitude: °N, °E, radius km, °C. */
const WARMTH = [
  [-12, -82, 1900, -5.5], // Peru
  [0, -112, 3200, -3], // cold tongue
  [-20, 10, 1500, -4], // Benguela
  [30, -122, 1600, -3.5], // California
  [24, -19, 1400, -3], // Canaries
  [-28, -73, 1300, -2.5], // Chile
  [14, 52, 900, -2.5], // Somalia
  [0, 150, 4200, 1.6], // warm pool
  [58, -6, 2300, 5], // North Atlantic Drift
  [66, 12, 1800, 5.5],
  [37, -66, 1500, 1.6], // Gulf Stream
  [35, 147, 1600, 1.5], // Kuroshio
  [48, -52, 1300, -6], // Labrador
  [46, 150, 1500, -4], // Oyashio
  [55, -160, 2500, -1], // Gulf of Alaska
  [22, -88, 1300, 1.2], // Campeche
  [38, 15, 1600, 1.5], // Mediterranean
  [73, 35, 1400, 4.5], // Barents
  [-33, 30, 1000, 2], // Agulhas
  [-44, -55, 1200, -2], // Falkland
  [66, -58, 1500, -2.5], // Baffin Bay
  [-67, -40, 2000, -1.2], // Weddell Sea
  [-70, -165, 1700, -0.8], // Ross Sea
] as const;

const warmth = kernels(WARMTH);

/**
 * Half widths of the warm belt, degrees. The southern ocean is the colder one (zonal means of the World Ocean Atlas).
 */
const NORTHERN_WIDTH = 49;
const SOUTHERN_WIDTH = 46;

/** Regions of small, shallow seas with a larger annual cycle: °N, °E, radius km, additional amplitude °C. */
const INLAND_SEAS = kernels([
  [39, 16, 2000, 3.2], // Mediterranean
  [43.5, 34, 900, 4], // Black Sea
  [58.5, 20, 900, 4.5], // Baltic
  [37, 122, 1000, 5], // Yellow Sea
  [27, 51, 700, 4], // Persian Gulf
  [43, -72, 900, 3], // Gulf of Maine and Middle Atlantic Bight
  [40, 135, 900, 3], // Sea of Japan
]);

/** Temperature step across the strongest jet, half on each side, °C. */
const FRONT = 2.6;

/** Slow anomalies of the sea: noise like that of the air, fifty times slower, drifting west. */
const SLOWNESS = 50;
const drift = (): number => -4;

/** Temperature of the sea surface, °C; NaN on land. */
export function seaSurfaceTemperature(world: World, patch: Patch): Float32Array {
  return seaOnly(world.static.land, nodesOf(patch.grid), waterTemperature(world, patch));
}

/** Temperature of the sea surface, °C, continued over land, because it affects the air near coasts. */
function waterTemperature({ seed }: World, { grid, time }: Patch): Float32Array {
  const nodes = nodesOf(grid);
  const degrees = climate(nodes, time);
  const fine = driftingNoise(nodes, seed + 51, 1.6, time / SLOWNESS, drift);
  const broad = driftingNoise(nodes, seed + 52, 3.3, time / SLOWNESS, drift);
  const axes = Array.from(nodes.longitude, (longitude) => jetsOn(seed, time, longitude));
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    // Anomalies are small in the tropics.
    const calm = 0.4 + 0.6 * smoothstep(6, 32, Math.abs(latitude));
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      const value =
        degrees[at]! +
        FRONT * jetFront(axes[column]!, latitude) +
        calm * (0.45 * fine[at]! + 0.5 * broad[at]!);
      // Evaporation and cloud limit the temperature of the warmest seas.
      degrees[at] = value < WARM ? Math.max(FREEZING, value) : WARM + 2 * Math.tanh((value - WARM) / 2);
    }
  }
  return degrees;
}

/** Share of the sea covered by ice, 0..1, by the climatological temperature. Ice damps waves. */
export function iceCover({ seed }: World, { grid, time }: Patch): Float32Array {
  const nodes = nodesOf(grid);
  const winding = driftingNoise(nodes, seed + 53, 9, time / SLOWNESS, drift);
  return climate(nodes, time).map((degrees, at) => smoothstep(-0.5, -1.6, degrees + winding[at]!));
}

/** The mean for latitude and season with its permanent anomalies, °C, not yet limited to the freezing point. */
function climate(nodes: Nodes, time: number): Float32Array {
  const degrees = new Float32Array(nodes.rows * nodes.columns);
  addBumps(nodes, warmth, degrees);
  // The sea is warmest in the north in late August.
  const season = yearly(time, 0.64);
  const inland = new Float32Array(degrees.length);
  addBumps(nodes, INLAND_SEAS, inland);
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const off = Math.abs(latitude - 2.5 * season) / (latitude < 0 ? SOUTHERN_WIDTH : NORTHERN_WIDTH);
    const side = Math.tanh(latitude / 8);
    const zonal =
      FREEZING +
      30.2 * Math.exp(-(off ** 3)) +
      side * season * (0.4 + 4.2 * bell(Math.abs(latitude), 40, 16) * (0.8 + 0.2 * side));
    for (let at = row * nodes.columns; at < (row + 1) * nodes.columns; at++)
      degrees[at]! += zonal + season * inland[at]!;
  }
  return degrees;
}

/**
 * Sea temperatures, °C, between which ice closes and the air is decoupled from the water. The range is wide, as for
 * drift ice.
 */
const OPEN = 0.8;
const CLOSED = -1.75;

/**
 * Air temperature 2 m above the surface, °C, (rows, columns). It equals the sea's over open water, has seasons and a
 * daily cycle inland, and is a mix within about 150 km of the coast. Poleward winds bring warmth, equatorward winds
 * cold.
 */
export function airTemperature(world: World, patch: Patch): Float32Array {
  const nodes = nodesOf(patch.grid);
  const water = waterTemperature(world, patch);
  const { northward } = smoothWind(world, patch);
  const coast = sample(world.static.coastDistance, worldGrid, nodes);
  const cold = winter(patch.time);
  const day = nodes.longitude.map((longitude) =>
    Math.cos(((localHour(patch.time, longitude) - 15) * Math.PI) / 12),
  );
  return water.map((degrees, at) => {
    const row = Math.floor(at / nodes.columns);
    const column = at - row * nodes.columns;
    const latitude = nodes.latitude[row]!;
    const poleward = Math.abs(latitude);
    const hemisphere = Math.tanh(latitude / 10);
    const mean = 27.5 - 0.0082 * latitude * latitude;
    const advected = 1.1 * clamp(0.22 * northward[at]! * hemisphere, -6, 6);

    const open = degrees - 0.8;
    const iceAir = Math.max(mean + 2 - 6 * cold * hemisphere, -28);
    const sea = open + smoothstep(OPEN, CLOSED, degrees) * (Math.min(open, iceAir) - open) + advected;

    const distance = coast[at]!;
    const inland = Math.max(0, -distance);
    const landShare = inland > 0 ? Math.min(1, 0.4 + inland / 60) : Math.max(0, 0.4 * (1 - distance / 60));
    if (landShare === 0) return sea;
    const swing = cold * hemisphere * (3 + 17 * Math.min(1, poleward / 55));
    // The daily cycle follows the height of the sun: there is none at the poles.
    const sun = smoothstep(80, 55, poleward);
    const land =
      mean -
      swing * Math.min(1, 0.35 + inland / 900) +
      6 * sun * Math.min(1, inland / 80) * day[column]! -
      14 * smoothstep(-58, -72, latitude) * Math.min(1, 0.3 + inland / 300) -
      greenland(latitude, nodes.longitude[column]!) +
      1.5 * advected;
    return sea + landShare * (land - sea);
  });
}

/** Cooling by the Greenland ice sheet, °C. */
function greenland(latitude: number, longitude: number): number {
  const north = (latitude - 73) / 12;
  const east = ((longitude + 41) * Math.cos(73 * RADIANS)) / 5;
  return 14 * Math.max(0, 1 - north * north - east * east);
}
