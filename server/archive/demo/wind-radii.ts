import { nodesOf, RADIANS } from "./patch.ts";
import { backgroundPressure } from "./pressure.ts";
import { bearing, destination } from "./sphere.ts";
import { type Cyclone, KNOT, profileOf, stir, VORTEX_KM } from "./vortex.ts";
import { balancedWind, type Wind } from "./wind.ts";

/** Greatest distance of a wind in each quadrant, km; 0 where it is not reached. */
export interface Quadrants {
  ne: number;
  se: number;
  sw: number;
  nw: number;
}

const RAYS_PER_QUADRANT = 16;
const STEP_KM = 12;
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
  return knots.map((threshold) => {
    const limit = threshold * KNOT;
    const farthest = [0, 0, 0, 0];
    for (let ray = 0; ray < 4 * RAYS_PER_QUADRANT; ray++) {
      const towards = ((ray + 0.5) * 90) / RAYS_PER_QUADRANT;
      const quadrant = Math.floor(ray / RAYS_PER_QUADRANT);
      farthest[quadrant] = Math.max(farthest[quadrant]!, extent(speedAt, towards, limit, cyclone.coreRadius));
    }
    const [ne = 0, se = 0, sw = 0, nw = 0] = farthest;
    return ne + se + sw + nw > 0 ? { ne, se, sw, nw } : undefined;
  });
}

type SpeedAt = (towards: number, distance: number) => number;

function extent(speedAt: SpeedAt, towards: number, limit: number, coreRadius: number): number {
  let inside = -1;
  for (let distance = 0.7 * coreRadius; distance < VORTEX_KM; distance += STEP_KM) {
    if (speedAt(towards, distance) >= limit) inside = distance;
    else if (inside >= 0 || distance > 3 * coreRadius) break;
  }
  if (inside < 0) return 0;
  let outside = inside + STEP_KM;
  while (outside - inside > 0.5) {
    const middle = (inside + outside) / 2;
    if (speedAt(towards, middle) >= limit) inside = middle;
    else outside = middle;
  }
  return inside;
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
    const back = distance > 0 ? bearing(place, cyclone) * RADIANS : 0;
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
    stir(cyclone, profile, Math.sin(back), Math.cos(back), distance, mixed);
    return Math.hypot(mixed[0], mixed[1]);
  };
}
