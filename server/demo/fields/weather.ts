import { EARTH_KM, RADIANS } from "#lib/geo/sphere.ts";
import { type Cyclone, cyclones } from "#server/demo/cyclones/vortex.ts";
import { addBump, reach, rowsWithin, spans } from "#server/demo/math/kernel.ts";
import { driftingNoise, zonalDrift } from "#server/demo/math/noise.ts";
import { clamp, type Nodes, nodesOf, type Patch, smoothstep } from "#server/demo/math/patch.ts";
import { winter } from "#server/demo/math/season.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { fronts } from "./fronts.ts";
import { backgroundPressure, PRESSURE_BASE } from "./pressure.ts";

/** Arrays are (rows, columns). */
export interface Weather {
  /** Mm h-1. */
  rain: Float32Array;
  /** Total cloud cover, %. */
  cloud: Float32Array;
  /** Most-unstable convective available potential energy, J kg-1. */
  cape: Float32Array;
}

/** Where a cyclone's rain and cloud end, km. */
const CYCLONE_RAIN_KM = 600;

/** Rain falls where the wetness exceeds 0; cloud is half there at `HALF_CLOUD`. */
const HALF_CLOUD = -0.28;

/** What overlapping fronts saturate at. */
const FULL_FRONT = 1.3;

/** Rain, cloud and instability, from one wetness: the doldrums, the fronts of the lows, the dry horse latitudes. */
export function weather(world: World, { grid, time }: Patch): Weather {
  const nodes = nodesOf(grid);
  const { seed } = world;
  const size = nodes.rows * nodes.columns;
  const [patches] = driftingNoise(nodes, [seed + 31], 5, time, zonalDrift);
  const [showers] = driftingNoise(nodes, [seed + 32], 1.6, time, zonalDrift);
  const front = new Float32Array(size);
  const bumps = fronts(seed, time);
  for (let index = 0; index < bumps.length; index++) addBump(nodes, bumps.at(index), front);

  const out: Weather = {
    rain: new Float32Array(size),
    cloud: new Float32Array(size),
    cape: new Float32Array(size),
  };
  const season = winter(time);
  const equator = doldrums(nodes, season, time);
  const pressure = backgroundPressure(seed, nodes, time).value;
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const poleward = Math.abs(latitude);
    const dry = 0.36 * Math.exp(-(((poleward - 24) / 9) ** 2)) + 0.26;
    // The cold air of high latitudes holds little water.
    const water = 0.12 + 0.88 * smoothstep(74, 42, poleward);
    const extratropical = smoothstep(8, 26, poleward);
    const warmth = 0.35 * Math.exp(-(((latitude + 8 * season) / 24) ** 2));
    const unstable = 0.12 + 0.88 * smoothstep(50, 32, poleward);
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      const coarse = patches![at]!;
      const fine = showers![at]!;
      const overlap = front[at]! / FULL_FRONT;
      const fronted = front[at]! / Math.sqrt(1 + overlap * overlap);
      const off = (latitude - equator.latitude[column]! - 2.5 * coarse) / equator.width[column]!;
      const calm = off * off < 12 ? Math.exp(-off * off) * equator.strength[column]! : 0;
      // Air sinks in highs and rises in lows; the tropics have no pressure to speak of.
      const sinking = clamp((pressure[at]! + PRESSURE_BASE - 1013) / 30, -0.24, 0.4) * extratropical;
      const wetness =
        0.85 * calm + fronted + 0.42 * coarse + 0.55 * fine * (0.35 + calm + fronted) - dry - sinking;
      out.rain[at] = wetness > 0 ? Math.min(30, 4.5 * wetness * wetness * water) : 0;
      out.cloud[at] = 100 / (1 + Math.exp(-4.2 * (wetness - HALF_CLOUD)));
      out.cape[at] = Math.max(
        0,
        2600 * (calm + warmth + 0.12 * fronted) * (0.45 + 0.8 * coarse + 0.35 * fine) * unstable,
      );
    }
  }
  for (const cyclone of cyclones(seed, time)) addCycloneRain(nodes, cyclone, out);
  return out;
}

interface Doldrums {
  latitude: Float64Array;
  width: Float64Array;
  strength: Float64Array;
}

/**
 * Axis, half width (degrees) and strength of the doldrums in each column. They follow the sun, farther in the Asian
 * monsoon; broad over the warm pool, narrow in the eastern oceans; bent by easterly waves that run west at 6° a day, and
 * modulated by a wave that travels eastward around the globe in some 45 days.
 */
function doldrums(nodes: Nodes, season: number, time: number): Doldrums {
  const days = time / 86_400;
  const at = (longitude: number) => Math.cos(longitude * RADIANS);
  const wave = (number: number, drift: number, phase: number, longitude: number) =>
    Math.sin(((number * (longitude + drift * days)) % 360) * RADIANS + phase);
  const { longitude } = nodes;
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

/** An eye wall, spiral bands and a shield of cloud. */
function addCycloneRain(nodes: Nodes, cyclone: Cyclone, out: Weather): void {
  const { x, y, z } = cyclone.centre;
  const { coreRadius, windKnots, presence } = cyclone;
  const sense = cyclone.latitude < 0 ? -1 : 1;
  const greatest = (2 + 0.28 * windKnots) * presence;
  const shield = presence * clamp(windKnots / 40, 0, 1);
  const eyed = smoothstep(60, 90, windKnots);
  const { from, to } = rowsWithin(nodes, cyclone.centre);
  for (let row = from; row < to; row++) {
    const count = reach(nodes, row, cyclone.centre);
    const sin = nodes.sinLatitude[row]!;
    const cos = nodes.cosLatitude[row]!;
    for (let span = 0; span < count; span += 2) {
      for (let column = spans[span]!; column < spans[span + 1]!; column++) {
        const c = nodes.cosLongitude[column]!;
        const s = nodes.sinLongitude[column]!;
        const east = c * y - s * x;
        const north = cos * z - sin * (c * x + s * y);
        const sine = Math.sqrt(east * east + north * north);
        if (sine > 0.0945) continue;
        const distance = EARTH_KM * Math.asin(sine);
        if (distance >= CYCLONE_RAIN_KM) continue;
        const at = row * nodes.columns + column;
        const edge = 1 - (distance / CYCLONE_RAIN_KM) ** 2;
        const ratio = distance / coreRadius;
        const wall =
          ratio < 1 ? 1 - 0.8 * eyed * (1 - ratio * ratio) : Math.exp(-(distance - coreRadius) / 110);
        const bands = 0.55 + 0.45 * Math.cos(2 * Math.atan2(north, east) + (sense * distance) / 75);
        // Near the centre the bands close into a ring.
        const ringed = bands + (1 - bands) * smoothstep(2.5, 1, ratio);
        out.rain[at]! += greatest * wall * ringed * edge * edge;
        const cover = shield * smoothstep(CYCLONE_RAIN_KM, 120, distance);
        const eye = 1 - 0.6 * eyed * smoothstep(0.8, 0.3, ratio);
        out.cloud[at] = (out.cloud[at]! + (100 - out.cloud[at]!) * cover) * eye;
        out.cape[at]! += 900 * presence * edge * edge * smoothstep(0.5, 2.5, ratio);
      }
    }
  }
}
