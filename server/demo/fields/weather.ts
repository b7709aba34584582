import { destination, type Place, RADIANS } from "@open-metocean/geo/sphere";
import {
  bell,
  clamp,
  type Nodes,
  nodesOf,
  type Patch,
  sample,
  smoothstep,
  winter,
  worldGrid,
} from "#server/demo/math/grid.ts";
import {
  addBumps,
  driftingNoise,
  HOURS_OF_FORECAST,
  kernels,
  memoByTime,
} from "#server/demo/math/patterns.ts";
import type { World } from "#server/demo/static/world.ts";
import { type Cyclone, cyclones } from "#server/demo/storms/cyclones.ts";
import { backgroundPressure, movingSystems, PRESSURE_BASE } from "./pressure.ts";
import { atmosphere, eachDistance } from "./wind.ts";

/** Arrays are (rows, columns). */
export interface Weather {
  /** Mm h-1. */
  rain: Float32Array;
  /** Total cloud cover, %. */
  cloud: Float32Array;
  /** Most-unstable convective available potential energy, J kg-1. */
  cape: Float32Array;
}

/** Depth at which a low has its full weather, hPa. */
const FULL_DEPTH = 18;

/** Lows that are shallower have no weather, hPa. */
const MIN_DEPTH = 1;

const CORE = { strength: 1.1, radius: 720 } as const;
const WARM_FRONT = { strength: 0.75, radius: 430, distances: [380, 680, 980] } as const;
const COLD_FRONT = { links: 16, spacing: 140, strength: 0.72, fading: 0.04, radius: 270 } as const;

/**
 * The weather of the travelling lows as overlapping kernels of 0..1: a shield at the centre, a warm front that extends
 * east of it, and a cold front that trails equatorward and curves back west, in the form of a comma.
 */
const fronts = memoByTime(
  (seed, time) =>
    kernels(
      movingSystems(seed, time).flatMap((low) => {
        if (low.kind === "high" || low.amplitude > -MIN_DEPTH) return [];
        const strength = Math.min(1, (-low.amplitude - MIN_DEPTH) / FULL_DEPTH);
        // Bearings are given for the northern hemisphere and mirrored in the southern one.
        const mirrored = (bearing: number) => (low.hemisphere === 1 ? bearing : 180 - bearing);
        const bump = (place: Place, share: number, radius: number) =>
          [place.latitude, place.longitude, radius, share * strength] as const;
        const warm = WARM_FRONT.distances.map((distance, link) => {
          const share = WARM_FRONT.strength * (1 - 0.25 * link);
          return bump(destination(low, mirrored(98 + 6 * link), distance), share, WARM_FRONT.radius);
        });
        let place: Place = low;
        const cold = Array.from({ length: COLD_FRONT.links }, (_, link) => {
          place = destination(place, mirrored(138 + 6.8 * link), COLD_FRONT.spacing);
          return bump(place, COLD_FRONT.strength * (1 - COLD_FRONT.fading * link), COLD_FRONT.radius);
        });
        return [bump(low, CORE.strength, CORE.radius), ...warm, ...cold];
      }),
    ),
  HOURS_OF_FORECAST,
);

/** Radius at which a cyclone's rain and cloud end, km. */
const CYCLONE_RAIN_KM = 600;

/** Wetness at which cloud cover is half; rain falls where wetness exceeds 0. */
const HALF_CLOUD = -0.28;

/** Overlapping fronts saturate at this value. */
const FULL_FRONT = 1.3;

/**
 * Rain, cloud and instability, from a single wetness field: the doldrums, the fronts of the lows, the dry horse
 * latitudes.
 */
export function weather({ seed }: World, { grid, time }: Patch): Weather {
  const nodes = nodesOf(grid);
  const size = nodes.rows * nodes.columns;
  const patches = driftingNoise(nodes, seed + 31, 5, time);
  const showers = driftingNoise(nodes, seed + 32, 1.6, time);
  const front = new Float32Array(size);
  addBumps(nodes, fronts(seed, time), front);

  const out = { rain: new Float32Array(size), cloud: new Float32Array(size), cape: new Float32Array(size) };
  const season = winter(time);
  const equator = doldrums(nodes, season, time);
  const pressure = backgroundPressure(seed, nodes, time).value;
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const poleward = Math.abs(latitude);
    const dry = 0.36 * bell(poleward, 24, 9) + 0.26;
    // The cold air of high latitudes contains little water.
    const water = 0.12 + 0.88 * smoothstep(74, 42, poleward);
    const extratropical = smoothstep(8, 26, poleward);
    const warmth = 0.35 * bell(latitude, -8 * season, 24);
    const unstable = 0.12 + 0.88 * smoothstep(50, 32, poleward);
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      const coarse = patches[at]!;
      const fine = showers[at]!;
      const overlap = front[at]! / FULL_FRONT;
      const fronted = front[at]! / Math.sqrt(1 + overlap * overlap);
      const off = (latitude - equator.latitude[column]! - 2.5 * coarse) / equator.width[column]!;
      const calm = off * off < 12 ? Math.exp(-off * off) * equator.strength[column]! : 0;
      // Air sinks in highs and rises in lows. In the tropics pressure gradients are negligible.
      const sinking = clamp((pressure[at]! + PRESSURE_BASE - 1013) / 30, -0.24, 0.4) * extratropical;
      const wetness =
        0.85 * calm + fronted + 0.42 * coarse + 0.55 * fine * (0.35 + calm + fronted) - dry - sinking;
      out.rain[at] = wetness > 0 ? Math.min(30, 4.5 * wetness * wetness * water) : 0;
      out.cloud[at] = 100 / (1 + Math.exp(-4.2 * (wetness - HALF_CLOUD)));
      out.cape[at] = Math.max(
        0,
        1900 * (calm + warmth + 0.12 * fronted) * (0.45 + 0.8 * coarse + 0.35 * fine) * unstable,
      );
    }
  }
  for (const cyclone of cyclones(seed, time)) addCycloneRain(nodes, cyclone, out);
  return out;
}

/**
 * Axis, half width (degrees) and strength of the doldrums in each column. They follow the sun, farther in the Asian
 * monsoon. They are broad over the warm pool and narrow in the eastern oceans, bent by easterly waves that move west at
 * 6° a day, and modulated by a wave that travels eastward around the globe in about 45 days.
 */
function doldrums({ longitude }: Nodes, season: number, time: number) {
  const days = time / 86_400;
  const at = (degrees: number) => Math.cos(degrees * RADIANS);
  const wave = (number: number, drift: number, phase: number, degrees: number) =>
    Math.sin(((number * (degrees + drift * days)) % 360) * RADIANS + phase);
  return {
    latitude: longitude.map((degrees) => {
      const monsoon = smoothstep(0, 0.6, at(degrees - 95));
      const eastPacific = smoothstep(0.3, 1, at(degrees + 110));
      const waves =
        1.3 * wave(10, 6, 0, degrees) + 0.9 * wave(14, 6.6, 2, degrees) + 1.2 * wave(3, -1.5, 4, degrees);
      return 5 + 2.5 * eastPacific - season * (3.2 + 3.5 * monsoon) + waves;
    }),
    width: longitude.map((degrees) => 3.4 + 3.8 * smoothstep(0.2, 0.95, at(degrees - 125))),
    strength: longitude.map(
      (degrees) =>
        0.82 +
        0.16 * wave(1, -8, 1, degrees) +
        0.2 * wave(10, 6, -1.2, degrees) +
        0.14 * wave(17, 7.4, 3, degrees),
    ),
  };
}

/** Adds an eye wall, spiral bands and a shield of cloud. */
function addCycloneRain(nodes: Nodes, cyclone: Cyclone, out: Weather): void {
  const { coreRadius, windKnots, presence } = cyclone;
  const sense = cyclone.latitude < 0 ? -1 : 1;
  const greatest = (2 + 0.28 * windKnots) * presence;
  const shield = presence * clamp(windKnots / 40, 0, 1);
  const eyed = smoothstep(60, 90, windKnots);
  eachDistance(nodes, cyclone, (at, distance, east, north) => {
    if (distance >= CYCLONE_RAIN_KM) return;
    const edge = 1 - (distance / CYCLONE_RAIN_KM) ** 2;
    const ratio = distance / coreRadius;
    const wall = ratio < 1 ? 1 - 0.8 * eyed * (1 - ratio * ratio) : Math.exp(-(distance - coreRadius) / 110);
    const bands = 0.55 + 0.45 * Math.cos(2 * Math.atan2(north, east) + (sense * distance) / 75);
    // Near the centre the bands join to a ring.
    const ringed = bands + (1 - bands) * smoothstep(2.5, 1, ratio);
    out.rain[at]! += greatest * wall * ringed * edge * edge;
    const cover = shield * smoothstep(CYCLONE_RAIN_KM, 120, distance);
    const eye = 1 - 0.6 * eyed * smoothstep(0.8, 0.3, ratio);
    out.cloud[at] = (out.cloud[at]! + (100 - out.cloud[at]!) * cover) * eye;
    out.cape[at]! += 900 * presence * edge * edge * smoothstep(0.5, 2.5, ratio);
  });
}

/** Gust factor over the mean wind at sea, 3 s in 10 min, and its increase over rough land (Harper et al., WMO 2010). */
const SEA_FACTOR = 1.23;
const LAND_MORE = 0.43;
const ROUGH_KM = 60;

/**
 * Gust at 10 m, m s-1, (rows, columns): turbulence of the mean wind, and squalls with rain or thunder.
 *
 * @param air The weather of the patch.
 */
export function gust(world: World, patch: Patch, { rain, cape }: Weather): Float32Array {
  const { eastward, northward } = atmosphere(world, patch);
  return sample(world.static.coastDistance, worldGrid, nodesOf(patch.grid)).map((coast, at) => {
    const speed = Math.sqrt(eastward[at]! ** 2 + northward[at]! ** 2);
    const factor = SEA_FACTOR + LAND_MORE * clamp(-coast / ROUGH_KM, 0, 1);
    const squall = 0.12 * speed * Math.min(1, cape[at]! / 2500) + Math.min(6, 0.6 * rain[at]!);
    return speed * factor + squall;
  });
}
