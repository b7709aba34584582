import { RADIANS } from "#lib/geo/sphere.ts";
import { clamp, type Nodes, nodesOf, type Patch, smoothstep } from "#server/demo/math/patch.ts";
import { sampleWorld } from "#server/demo/math/sample.ts";
import { localHour, winter } from "#server/demo/math/season.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { waterTemperature } from "./sst.ts";
import { smoothWind } from "./wind.ts";

/** Sea temperatures between which ice closes in and the air no longer feels the water, °C: wide, as drift ice is. */
const OPEN = 0.8;
const CLOSED = -1.75;

/**
 * Air temperature 2 m above the surface, °C, (rows, columns): the sea's own temperature over open water, a climate with
 * seasons and days inland, mixed within some 150 km of the coast; poleward winds bring warmth, equatorward winds cold.
 */
export function airTemperature(world: World, patch: Patch): Float32Array {
  const nodes = nodesOf(patch.grid);
  const water = waterTemperature(world, patch);
  const { northward } = smoothWind(world, patch);
  const coast = sampleWorld(world.static.coastDistance, nodes);
  const cold = winter(patch.time);
  const day = nodes.longitude.map((longitude) =>
    Math.cos(((localHour(patch.time, longitude) - 15) * Math.PI) / 12),
  );
  const out = new Float32Array(water.length);
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const poleward = Math.abs(latitude);
    const hemisphere = Math.tanh(latitude / 10);
    const yearly = 27.5 - 0.0082 * latitude * latitude;
    const swing = cold * hemisphere * (3 + 17 * Math.min(1, poleward / 55));
    const iceCap = 14 * smoothstep(-58, -72, latitude);
    // Nights and days are as long as the sun is high: there are none at the poles.
    const sun = smoothstep(80, 55, poleward);
    const iceAir = Math.max(yearly + 2 - 6 * cold * hemisphere, -28);
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      const distance = coast[at]!;
      const inland = Math.max(0, -distance);
      const wind = northward[at]! * hemisphere;
      const advected = 1.1 * clamp(0.22 * wind, -6, 6);

      const open = water[at]! - 0.8;
      const frozen = smoothstep(OPEN, CLOSED, water[at]!);
      const sea = open + frozen * (Math.min(open, iceAir) - open) + advected;

      const landShare = inland > 0 ? Math.min(1, 0.4 + inland / 60) : Math.max(0, 0.4 * (1 - distance / 60));
      if (landShare === 0) {
        out[at] = sea;
        continue;
      }
      const land =
        yearly -
        swing * Math.min(1, 0.35 + inland / 900) +
        6 * sun * Math.min(1, inland / 80) * day[column]! -
        iceCap * Math.min(1, 0.3 + inland / 300) -
        greenland(nodes, row, column) +
        1.5 * advected;
      out[at] = sea + landShare * (land - sea);
    }
  }
  return out;
}

/** Chill of the Greenland ice sheet, °C. */
function greenland(nodes: Nodes, row: number, column: number): number {
  const north = (nodes.latitude[row]! - 73) / 12;
  const east = ((nodes.longitude[column]! + 41) * Math.cos(73 * RADIANS)) / 5;
  const off = north * north + east * east;
  return off < 1 ? 14 * (1 - off) : 0;
}
