import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { MapView, ScreenPoint } from "#components/map/map-view.ts";
import { type LabelBox, markLabels } from "#components/map/symbols/placed-symbols.ts";
import { layerRow, paintedOutput, variableOfBands } from "#lib/catalog/colours.ts";
import type { Frame } from "#lib/field/frame.ts";
import { type FramePair, sampleBand } from "#lib/field/interpolate.ts";

/** Velocity of the field as seen on the canvas. */
export interface VelocityGrid {
  /** CSS pixels between nodes; the first node is at the top left. */
  cell: number;
  columns: number;
  rows: number;
  /**
   * Four numbers per node: right and down (CSS pixels per second), then 1 and 0 if there is a value; all 0 on
   * land or where it is missing. The third number is a weight: a mean of neighbours divided by it is the mean
   * of the valid ones.
   */
  values: Float32Array;
}

/** Distance between nodes, CSS pixels; it is smaller than any visible eddy. */
const CELL = 10;

/**
 * One entry per node of a view's grid: 1 on land and off the Earth, where there are no particles.
 */
export type LandMask = Uint8Array;

/** Whether a frame contains a quantity that moves particles. */
export function hasFlow(frame: Frame): boolean {
  return flowOf(frame) !== undefined;
}

/** Mask of the land and the space around the Earth in a view. */
export function landMask(view: MapView, onLand: (latitude: number, longitude: number) => boolean): LandMask {
  const { columns, rows } = sizeOf(view);
  const mask = new Uint8Array(columns * rows);
  for (let node = 0; node < mask.length; node++) {
    const place = view.unproject((node % columns) * CELL, Math.floor(node / columns) * CELL);
    mask[node] = !place || onLand(place.latitude, normaliseLongitude(place.longitude)) ? 1 : 0;
  }
  return mask;
}

/** A mask with the places of labels, which particles above the map would strike through. */
export function withoutLabels(view: MapView, mask: LandMask, labels: readonly LabelBox[]): LandMask {
  const { columns, rows } = sizeOf(view);
  const masked = mask.slice();
  markLabels(view, labels, { marked: masked, columns, rows, size: CELL }, Math.round);
  return masked;
}

/**
 * Samples a field as the API does, at the nodes of a grid over the canvas; undefined if the frames have no
 * flow.
 */
export function velocityGrid(view: MapView, pair: FramePair, mask: LandMask): VelocityGrid | undefined {
  const flow = flowOf(pair.before);
  if (!flow) return undefined;
  const { columns, rows } = sizeOf(view);
  const values = new Float32Array(4 * columns * rows);
  const east: ScreenPoint = { x: 0, y: 0 };
  const north: ScreenPoint = { x: 0, y: 0 };
  for (let node = 0; node < mask.length; node++) {
    if (mask[node] !== 0) continue;
    const place = view.unproject((node % columns) * CELL, Math.floor(node / columns) * CELL);
    if (!place) continue;
    const { latitude, longitude } = place;
    const u = sampleBand(pair, flow.eastward, latitude, longitude) * flow.pace;
    const v = sampleBand(pair, flow.northward, latitude, longitude) * flow.pace;
    if (Number.isNaN(u + v)) continue;
    view.along(latitude, longitude, 90, east);
    view.along(latitude, longitude, 0, north);
    values[4 * node] = u * east.x + v * north.x;
    values[4 * node + 1] = u * east.y + v * north.y;
    values[4 * node + 2] = 1;
  }
  return { cell: CELL, columns, rows, values };
}

function sizeOf({ width, height }: MapView): { columns: number; rows: number } {
  return { columns: Math.ceil(width / CELL) + 1, rows: Math.ceil(height / CELL) + 1 };
}

/** Bands of the vector that moves particles, and CSS pixels per second for each m s-1. */
function flowOf({ bands }: Frame) {
  const names = bands.map(({ name }) => name);
  const variable = variableOfBands(names);
  if (!variable) return undefined;
  const { particlePace: pace } = layerRow(variable);
  if (!pace) return undefined;
  const [eastward = -1, northward = -1] = paintedOutput(variable).of.map((field) => names.indexOf(field));
  return { eastward, northward, pace };
}
