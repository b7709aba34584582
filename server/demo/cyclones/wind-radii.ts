import { destination, initialBearing, RADIANS } from "#lib/geo/sphere.ts";
import { backgroundPressure } from "#server/demo/fields/pressure.ts";
import { balancedWind, type Wind } from "#server/demo/fields/wind.ts";
import { nodesOf } from "#server/demo/math/patch.ts";
import { addVortexWind, type Cyclone, KNOT, profileOf, VORTEX_KM } from "./vortex.ts";

/** Greatest distance of a wind in each quadrant, km; 0 where it is not reached. */
export interface Quadrants {
  ne: number;
  se: number;
  sw: number;
  nw: number;
}

const RAYS_PER_QUADRANT = 16;
const STEP_KM = 8;
/** Half size and spacing, degrees, of the grid on which the surroundings are read: they change little within it. */
const SURROUNDINGS = { reach: 9, step: 0.5 } as const;

/**
 * How far from the centre winds of given speeds blow, on the open sea, found on the same wind that the fields show
 * (without its texture): along 16 rays a quadrant, the farthest place of each before the wind first falls below.
 *
 * @param knots Thresholds, kt.
 * @returns One a threshold; undefined where the storm has no such wind.
 */
export function windRadii(
  seed: number,
  cyclone: Cyclone,
  knots: readonly number[],
): (Quadrants | undefined)[] {
  const speedAt = windNear(seed, cyclone);
  const limits = knots.map((threshold) => threshold * KNOT);
  const farthest = knots.map(() => [0, 0, 0, 0]);
  for (let ray = 0; ray < 4 * RAYS_PER_QUADRANT; ray++) {
    const towards = ((ray + 0.5) * 90) / RAYS_PER_QUADRANT;
    const quadrant = Math.floor(ray / RAYS_PER_QUADRANT);
    const speeds = profileAlong(speedAt, towards, Math.min(...limits), cyclone.coreRadius);
    for (const [index, limit] of limits.entries()) {
      const reached = farthest[index]!;
      reached[quadrant] = Math.max(reached[quadrant]!, extent(speeds, limit, cyclone.coreRadius));
    }
  }
  return farthest.map(([ne = 0, se = 0, sw = 0, nw = 0]) =>
    ne + se + sw + nw > 0 ? { ne, se, sw, nw } : undefined,
  );
}

type SpeedAt = (towards: number, distance: number) => number;

/** How near the centre a ray begins, and how far out it must look before it may give up, in core radii. */
const RAY_BEGINS = 0.7;
const RAY_LOOKS = 3;

/** Wind speeds every `STEP_KM` along a ray, until they stay below the limit. */
function profileAlong(speedAt: SpeedAt, towards: number, limit: number, coreRadius: number): number[] {
  const speeds: number[] = [];
  let reached = false;
  for (let distance = RAY_BEGINS * coreRadius; distance < VORTEX_KM; distance += STEP_KM) {
    const speed = speedAt(towards, distance);
    speeds.push(speed);
    if (speed >= limit) reached = true;
    else if (reached || distance > RAY_LOOKS * coreRadius) break;
  }
  return speeds;
}

/** Where the wind first falls below the limit, km; 0 where it never reaches it. */
function extent(speeds: readonly number[], limit: number, coreRadius: number): number {
  const first = speeds.findIndex((speed) => speed >= limit);
  if (first < 0) return 0;
  let inside = first;
  while (inside + 1 < speeds.length && speeds[inside + 1]! >= limit) inside++;
  const next = speeds[inside + 1];
  const share = next === undefined ? 0 : (speeds[inside]! - limit) / (speeds[inside]! - next);
  return RAY_BEGINS * coreRadius + (inside + share) * STEP_KM;
}

/** Wind speed by bearing from the centre (degrees) and distance (km), m s-1. */
function windNear(seed: number, cyclone: Cyclone): SpeedAt {
  const { reach, step } = SURROUNDINGS;
  const wide = reach / Math.cos((Math.abs(cyclone.latitude) + 5) * RADIANS);
  const grid = {
    latitude: { start: cyclone.latitude - reach, step, count: (2 * reach) / step + 1 },
    longitude: { start: cyclone.longitude - wide, step, count: Math.ceil((2 * wide) / step) + 1 },
  };
  const nodes = nodesOf(grid);
  const { east, north } = backgroundPressure(seed, nodes, cyclone.time);
  const around: Wind = { eastward: new Float32Array(east.length), northward: new Float32Array(east.length) };
  balancedWind(nodes, east, north, around);

  const profile = profileOf(cyclone);
  const mixed = new Float64Array(3);
  return (towards, distance) => {
    const place = destination(cyclone, towards, distance);
    const back = distance > 0 ? initialBearing(place, cyclone) * RADIANS : 0;
    const y = (place.latitude - grid.latitude.start) / step;
    const x = ((((place.longitude - grid.longitude.start) % 360) + 360) % 360) / step;
    const south = Math.floor(y);
    const west = Math.floor(x);
    const corner = south * nodes.columns + west;
    const mix = (values: Float32Array) => {
      const low = values[corner]! + (x - west) * (values[corner + 1]! - values[corner]!);
      const above = corner + nodes.columns;
      const high = values[above]! + (x - west) * (values[above + 1]! - values[above]!);
      return low + (y - south) * (high - low);
    };
    mixed[0] = mix(around.eastward);
    mixed[1] = mix(around.northward);
    addVortexWind(cyclone, profile, Math.sin(back), Math.cos(back), distance, mixed);
    return Math.hypot(mixed[0], mixed[1]);
  };
}
