import { type MapView, northing, type ScreenPoint } from "#components/map/map-view.ts";
import { RADIANS } from "#lib/geo/sphere.ts";

/** Minimum distance between symbols on the canvas, CSS pixels; it grows by up to √2. */
const MIN_GAP = 50;

/** Margin outside the canvas in which symbols are placed, so that those at its edge are whole, CSS pixels. */
const MARGIN = 48;

/** Limit towards the limb of the globe, where symbols would crowd: how squarely the place must be seen, 0..1. */
const MIN_SQUARENESS = 0.16;

/** Closer to a pole bearings mean nothing. */
const LAST_LATITUDE = 88;

/**
 * Places of symbols: a lattice fixed to the earth, not to the canvas, so that symbols move with the map. On zooming in,
 * each lattice contains the previous one and adds the centres of its squares.
 *
 * @returns Latitude and longitude (−180 ≤ λ < 180), interleaved; each place once, however many copies of the world are
 *   visible.
 */
export function latticePlaces(view: MapView): number[] {
  return view.onGlobe ? globePlaces(view) : mercatorPlaces(view);
}

function mercatorPlaces(view: MapView): number[] {
  const world = view.pixelsPerDegree * 360 * Math.cos(view.centre.latitude * RADIANS);
  // The density doubles at every second step; in between every other node is omitted, as on a chessboard.
  const step = Math.floor(2 * Math.log2(world / MIN_GAP / 9));
  const chequered = step % 2 !== 0;
  const columns = Math.max(18, 9 * 2 ** Math.ceil(step / 2));
  const size = world / columns;
  const west = ((view.centre.longitude + 180) / 360) * columns - (view.width / 2 + MARGIN) / size;
  const east = west + (view.width + 2 * MARGIN) / size;
  const middle = (northing(view.centre.latitude) / (2 * Math.PI)) * columns;
  const half = (view.height / 2 + MARGIN) / size;
  const first = Math.max(Math.ceil(middle - half), Math.ceil(-columns / 2) + 1);
  const last = Math.min(Math.floor(middle + half), Math.floor(columns / 2) - 1);
  const firstColumn = Math.ceil(west);
  const lastColumn = Math.min(Math.floor(east), firstColumn + columns - 1);
  const places: number[] = [];
  for (let row = first; row <= last; row++) {
    const latitude = Math.atan(Math.sinh((row / columns) * 2 * Math.PI)) / RADIANS;
    for (let column = firstColumn; column <= lastColumn; column++) {
      if (chequered && (row + column) % 2 !== 0) continue;
      places.push(latitude, ((((column % columns) + columns) % columns) / columns) * 360 - 180);
    }
  }
  return places;
}

function globePlaces(view: MapView): number[] {
  const step = Math.floor(2 * Math.log2((view.pixelsPerDegree * 180) / MIN_GAP / 8));
  const rows = Math.max(8, Math.round(8 * 2 ** (step / 2)));
  const places: number[] = [];
  const at: ScreenPoint = { x: 0, y: 0 };
  for (let row = 1; row < rows; row++) {
    const latitude = -90 + (row * 180) / rows;
    if (Math.abs(latitude) > LAST_LATITUDE) continue;
    const columns = Math.max(3, Math.round(2 * rows * Math.cos(latitude * RADIANS)));
    for (let column = 0; column < columns; column++) {
      const longitude = -180 + ((column + (row % 2) / 2) * 360) / columns;
      if (view.project(latitude, longitude, at) < MIN_SQUARENESS) continue;
      const seen =
        at.x > -MARGIN && at.x < view.width + MARGIN && at.y > -MARGIN && at.y < view.height + MARGIN;
      if (seen) places.push(latitude, longitude);
    }
  }
  return places;
}
