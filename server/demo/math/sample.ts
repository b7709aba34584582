import { cellAt, type LandMask, worldGrid } from "#server/demo/static/land.ts";
import type { Nodes } from "./patch.ts";

/**
 * Values of an array over `worldGrid` at the nodes of a patch, bilinear and cyclic in longitude; beyond the last row of
 * centres the last row holds.
 *
 * @returns (rows, columns), a new array.
 */
export function sampleWorld(values: Float32Array, nodes: Nodes): Float32Array {
  const { latitude: southToNorth, longitude: around } = worldGrid;
  const out = new Float32Array(nodes.rows * nodes.columns);
  const west = new Int32Array(nodes.columns);
  const east = new Int32Array(nodes.columns);
  const eastward = new Float64Array(nodes.columns);
  for (let column = 0; column < nodes.columns; column++) {
    const x = (nodes.longitude[column]! - around.start) / around.step;
    const floor = Math.floor(x);
    eastward[column] = x - floor;
    west[column] = (floor + around.count) % around.count;
    east[column] = (floor + 1 + around.count) % around.count;
  }
  for (let row = 0; row < nodes.rows; row++) {
    const y = Math.min(
      southToNorth.count - 1,
      Math.max(0, (nodes.latitude[row]! - southToNorth.start) / southToNorth.step),
    );
    const south = Math.min(southToNorth.count - 2, Math.floor(y));
    const northward = y - south;
    const low = south * around.count;
    const high = low + around.count;
    const at = row * nodes.columns;
    for (let column = 0; column < nodes.columns; column++) {
      const w = west[column]!;
      const e = east[column]!;
      const share = eastward[column]!;
      const below = values[low + w]! + share * (values[low + e]! - values[low + w]!);
      const above = values[high + w]! + share * (values[high + e]! - values[high + w]!);
      out[at + column] = below + northward * (above - below);
    }
  }
  return out;
}

/** Land (1) or sea (0) at the nodes of a patch: of the quarter-degree cell around each. */
export function landAt(land: LandMask, nodes: Nodes): Uint8Array {
  const out = new Uint8Array(nodes.rows * nodes.columns);
  const columns = Int32Array.from(nodes.longitude, (longitude) => cellAt(-90, longitude));
  for (let row = 0; row < nodes.rows; row++) {
    const start = cellAt(nodes.latitude[row]!, -180);
    const at = row * nodes.columns;
    for (let column = 0; column < nodes.columns; column++) out[at + column] = land[start + columns[column]!]!;
  }
  return out;
}
