import type { Grid } from "#lib/field/grid.ts";
import { DEGREE_KM, RADIANS } from "#lib/geo/sphere.ts";
import { splineNoise } from "#server/demo/math/noise.ts";
import { clamp, nodesOf, smoothstep } from "#server/demo/math/patch.ts";
import { landAt, sampleWorld } from "#server/demo/math/sample.ts";
import { distanceTo } from "./coast-distance.ts";
import { cellAt, type LandMask, worldGrid } from "./land.ts";
import { ridges, shelves, trenches } from "./sea-floor.ts";
import type { World } from "./world.types.ts";

/** The sea floor is climate, not weather: it stays the same whatever the seed of the world. */
const SEED = 0x5eaf1007;

/** How fast a mid-ocean ridge spreads to each side, km per million years. */
const HALF_SPREADING = 28;

const MIN_DEPTH = 3;

/** How far out, in squared radii, the edge of a shoal may wind. */
const WIDEST = 1.8;

/**
 * Depth of the sea floor, metres, positive down; NaN on land. A likeness of the real one (shelves, slopes, ridges,
 * trenches), not a chart.
 *
 * @returns (latitude, longitude) row-major, south to north.
 */
export function depth(world: World, grid: Grid): Float32Array {
  const nodes = nodesOf(grid);
  const metres = sampleWorld(world.static.depth, nodes);
  const land = landAt(world.static.land, nodes);
  for (let node = 0; node < metres.length; node++) {
    metres[node] = land[node] === 1 ? Number.NaN : Math.max(MIN_DEPTH, metres[node]!);
  }
  return metres;
}

/**
 * Makes the depth at the cells of `worldGrid`, metres; 0 on land.
 *
 * @param coast From `coastDistance`, km.
 */
export function deriveDepth(land: LandMask, coast: Float32Array): Float32Array {
  const nodes = nodesOf(worldGrid);
  const noise = (degrees: number, salt: number): Float32Array => {
    const out = new Float32Array(land.length);
    splineNoise(nodes, SEED + salt, degrees, out);
    return out;
  };
  const shelfNoise = noise(9, 1);
  const rough = [noise(6, 2), noise(2.5, 3), noise(1, 4)] as const;
  const toRidge = distanceTo(drawn(ridges));
  const toTrench = distanceTo(drawn(trenches));
  const metres = new Float32Array(land.length);
  for (let cell = 0; cell < metres.length; cell++) {
    if (land[cell] === 1) continue;
    const offshore = coast[cell]!;
    const edge = Math.max(25, 90 + 60 * shelfNoise[cell]!);
    const hills = 520 * rough[0][cell]! + 280 * rough[1][cell]! + 160 * rough[2][cell]!;
    const coastal = 12 + 118 * Math.min(1, offshore / edge) * (1 + 0.25 * rough[1][cell]!);
    // Age and depth of the sea floor: Parsons & Sclater (1977).
    const plain = Math.min(5700, 2600 + 350 * Math.sqrt(toRidge[cell]! / HALF_SPREADING)) + hills;
    const offTrench = toTrench[cell]! / 75;
    const floor = Math.max(900, plain + 3600 * Math.exp(-offTrench * offTrench));
    metres[cell] = coastal + (floor - coastal) * smoothstep(edge, edge + 200, offshore);
  }
  raiseShelves(metres, rough[0], rough[1]);
  return metres;
}

function raiseShelves(metres: Float32Array, broad: Float32Array, rough: Float32Array): void {
  const { sinLatitude, cosLatitude, latitude, longitude, columns } = nodesOf(worldGrid);
  for (const shoal of shelves) {
    const sin = Math.sin(shoal.latitude * RADIANS);
    const cos = Math.cos(shoal.latitude * RADIANS);
    const reach = 2 * Math.sin(shoal.km / DEGREE_KM / 2 / (180 / Math.PI));
    for (let row = 0; row < latitude.length; row++) {
      if (Math.abs(latitude[row]! - shoal.latitude) * DEGREE_KM > WIDEST * shoal.km) continue;
      for (let column = 0; column < columns; column++) {
        const turn = Math.cos((longitude[column]! - shoal.longitude) * RADIANS);
        const near = sinLatitude[row]! * sin + cosLatitude[row]! * cos * turn;
        const round = (2 - 2 * near) / (reach * reach);
        if (round >= WIDEST) continue;
        const cell = row * columns + column;
        // A shoal is not a disc: its edge winds.
        const q = round * (1 + clamp(1.2 * broad[cell]! + 0.9 * rough[cell]!, 1 / WIDEST - 1, 2));
        if (q >= 1) continue;
        const floor = shoal.depth * (1 + 0.25 * rough[cell]!);
        const deep = metres[cell]!;
        if (deep > floor) metres[cell] = deep + (floor - deep) * smoothstep(0, 0.6, 1 - q);
      }
    }
  }
}

/** Marks the cells that lines pass through, with points every few kilometres. */
function drawn(lines: readonly (readonly (readonly [number, number])[])[]): Uint8Array {
  const marked = new Uint8Array(worldGrid.latitude.count * worldGrid.longitude.count);
  for (const line of lines) {
    for (let leg = 1; leg < line.length; leg++) {
      const [fromLatitude, from] = line[leg - 1]!;
      const [toLatitude, unwrapped] = line[leg]!;
      // The shorter way round.
      const to = unwrapped - 360 * Math.round((unwrapped - from) / 360);
      const points = Math.ceil(8 * Math.max(Math.abs(toLatitude - fromLatitude), Math.abs(to - from)));
      for (let point = 0; point <= points; point++) {
        const share = point / points;
        const latitude = fromLatitude + share * (toLatitude - fromLatitude);
        marked[cellAt(latitude, from + share * (to - from))] = 1;
      }
    }
  }
  return marked;
}
