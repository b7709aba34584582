import { EARTH_KM, RADIANS } from "#lib/geo/sphere.ts";
import { cyclones } from "#server/demo/cyclones/vortex.ts";
import { type Kernel, kernel } from "#server/demo/math/kernel.ts";
import { memoByTime } from "#server/demo/math/memo.ts";
import { type Nodes, smoothstep } from "#server/demo/math/patch.ts";
import { winter } from "#server/demo/math/season.ts";
import { fetchAt } from "#server/demo/static/fetch.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { movingSystems } from "./systems.ts";

/** Storm that sent out swell some time ago. */
interface Source {
  centre: Kernel;
  /** Height at the centre, metres, and mean period, seconds. */
  height: number;
  period: number;
  /** Distance over which the swell spreads out, km, and the power of the decay. */
  size: number;
  decay: number;
  /** Reach, km. */
  range: number;
  /** Unit vector (east, north) toward which most is sent, and how much more, 0..0.5. */
  mainEast: number;
  mainNorth: number;
  focus: number;
  /** Within this the seas run in the main direction rather than away from the centre, km. */
  core: number;
  /** Share of the height at the centre itself. */
  inCore: number;
}

/** Swell of all sources at the nodes of a grid, as sums that can be interpolated: energy (m²) times what they carry. */
export interface SwellSums {
  energy: Float32Array;
  period: Float32Array;
  /** Along the unit vector (east, north) that the swell comes FROM. */
  fromEast: Float32Array;
  fromNorth: Float32Array;
}

const LOW_AGE_S = 30 * 3600;
const CYCLONE_AGE_S = 12 * 3600;

const sources = memoByTime((seed, time): readonly Source[] => {
  const found: Source[] = [];
  for (const low of movingSystems(seed, time - LOW_AGE_S)) {
    const excess = -low.amplitude - 8;
    if (excess <= 0) continue;
    found.push({
      centre: kernel(low.latitude, low.longitude, 7000, 1),
      height: 0.22 * excess,
      period: 9 + 0.22 * excess,
      size: 900,
      decay: 0.5,
      range: 7000,
      mainEast: Math.sin(125 * RADIANS),
      // Equatorward and east: behind the cold front.
      mainNorth: low.hemisphere * Math.cos(125 * RADIANS),
      focus: 0.5,
      core: 700,
      inCore: 1,
    });
  }
  for (const cyclone of cyclones(seed, time - CYCLONE_AGE_S)) {
    const strength = cyclone.windKnots * cyclone.presence * smoothstep(24, 38, cyclone.windKnots);
    if (strength <= 0) continue;
    const speed = Math.hypot(cyclone.eastward, cyclone.northward) || 1;
    found.push({
      centre: kernel(cyclone.latitude, cyclone.longitude, 4200, 1),
      height: 0.1 * strength,
      period: 8 + 0.055 * strength,
      size: 250,
      decay: 0.8,
      range: 4200,
      mainEast: cyclone.eastward / speed,
      mainNorth: cyclone.northward / speed,
      focus: 0.25,
      core: 500,
      inCore: 0.5,
    });
  }
  return found;
});

/** Adds up the swell of the great belts of westerlies, of lows of a day ago and of cyclones of half a day ago. */
export function swellSums(world: World, nodes: Nodes, time: number): SwellSums {
  const size = nodes.rows * nodes.columns;
  const sums: SwellSums = {
    energy: new Float32Array(size),
    period: new Float32Array(size),
    fromEast: new Float32Array(size),
    fromNorth: new Float32Array(size),
  };
  addBelts(world, nodes, time, sums);
  for (const source of sources(world.seed, time)) addSource(world.static.fetch, nodes, source, sums);
  return sums;
}

function addBelts({ static: { fetch } }: World, nodes: Nodes, time: number, sums: SwellSums): void {
  const season = winter(time);
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const southern =
      1.9 *
      (1 - 0.12 * season) *
      Math.exp(-Math.max(0, latitude + 48) / 58) *
      smoothstep(-75, -50, latitude) *
      smoothstep(65, 40, latitude);
    const northern =
      1.7 * (1 + 0.5 * season) * Math.exp(-Math.max(0, 45 - latitude) / 24) * smoothstep(70, 52, latitude);
    const fromSouth = 225 + 35 * smoothstep(-26, -46, latitude);
    const fromNorth = 315 - 40 * smoothstep(34, 48, latitude);
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      const longitude = nodes.longitude[column]!;
      // Where the sea is small, what runs in it is low and short: no ocean swell in the Baltic.
      if (southern > 0.01) {
        const growth = Math.min(1, fetchAt(fetch, latitude, longitude, fromSouth) / 4500);
        add(
          sums,
          at,
          southern * southern * growth,
          (13.5 - 0.02 * (latitude + 60)) * growth ** 0.25,
          fromSouth,
        );
      }
      if (northern > 0.01) {
        const growth = Math.min(1, fetchAt(fetch, latitude, longitude, fromNorth) / 3500);
        add(sums, at, northern * northern * growth, 12 * growth ** 0.25, fromNorth);
      }
    }
  }
}

function add(sums: SwellSums, at: number, energy: number, period: number, from: number): void {
  sums.energy[at]! += energy;
  sums.period[at]! += energy * period;
  sums.fromEast[at]! += energy * Math.sin(from * RADIANS);
  sums.fromNorth[at]! += energy * Math.cos(from * RADIANS);
}

function addSource(fetch: Uint16Array, nodes: Nodes, source: Source, sums: SwellSums): void {
  const { x, y, z } = source.centre;
  const least = Math.cos(source.range / EARTH_KM);

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
      const length = Math.hypot(towardEast, towardNorth) || 1;
      let fromEast = towardEast / length;
      let fromNorth = towardNorth / length;
      const outside = Math.min(1, distance / source.core);
      fromEast = outside * fromEast - (1 - outside) * source.mainEast;
      fromNorth = outside * fromNorth - (1 - outside) * source.mainNorth;
      const norm = Math.hypot(fromEast, fromNorth) || 1;
      fromEast /= norm;
      fromNorth /= norm;
      const ahead = -(fromEast * source.mainEast + fromNorth * source.mainNorth);
      const spread = Math.max(0.12, 1 - source.focus + source.focus * ahead);
      const bearing = Math.atan2(towardEast, towardNorth) / RADIANS;
      const open = fetchAt(fetch, nodes.latitude[row]!, nodes.longitude[column]!, bearing);
      const lit = smoothstep(0.45 * distance, 0.95 * distance + 60, open);
      if (lit === 0) continue;
      const height =
        source.height *
        spread *
        lit *
        (source.inCore + (1 - source.inCore) * outside) *
        (source.size / (source.size + distance)) ** source.decay *
        smoothstep(source.range, 0.7 * source.range, distance);
      const energy = height * height;
      const at = row * nodes.columns + column;
      sums.energy[at]! += energy;
      // Dispersion: the longest waves arrive first, and from afar only they.
      sums.period[at]! += energy * (source.period + 0.8 * Math.log(1 + distance / 600));
      sums.fromEast[at]! += energy * fromEast;
      sums.fromNorth[at]! += energy * fromNorth;
    }
  }
}
