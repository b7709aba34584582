import { cellAt } from "./land.ts";
import { EARTH_KM, RADIANS } from "./patch.ts";

/** How many bearings the fetch is known for: every 22.5°, from north clockwise. */
export const BEARINGS = 16;
const ROWS = 180;
const COLUMNS = 360;
/** Cells of one bearing. */
export const FETCH_CELLS = ROWS * COLUMNS;

/** Fetch beyond this makes no difference, km. */
export const LONGEST_FETCH = 10_000;

/** Rays of one sector, whose mean is its fetch, so that one small island does not shadow a whole ocean. */
const RAYS = 3;

/** A ray steps at least this far, so that it does not creep along a coast, km. */
const SHORTEST_STEP = 20;

/** Cells of land next to the sea take its fetch, so that interpolation near a coast reads no zeros. */
const DILATION = 3;

/**
 * Water to windward: how far the sea is open along each of 16 bearings, km.
 *
 * @param coast From `coastDistance`: a ray may go as far as the nearest coast at once (sphere tracing).
 * @returns (bearing 16, latitude 180, longitude 360); centres of 1° cells from −89.5 northwards, −179.5 eastwards.
 */
export function buildFetch(coast: Float32Array): Uint16Array {
  const km = new Uint16Array(BEARINGS * FETCH_CELLS);
  for (let row = 0; row < ROWS; row++) {
    const latitude = row - 89.5;
    for (let column = 0; column < COLUMNS; column++) {
      const longitude = column - 179.5;
      if (coast[cellAt(latitude, longitude)]! <= 0) continue;
      for (let bearing = 0; bearing < BEARINGS; bearing++) {
        let sum = 0;
        for (let ray = 0; ray < RAYS; ray++) {
          const offset = (ray - (RAYS - 1) / 2) / RAYS;
          sum += openWater(coast, latitude, longitude, ((bearing + offset) * 2 * Math.PI) / BEARINGS);
        }
        km[bearing * FETCH_CELLS + row * COLUMNS + column] = sum / RAYS;
      }
    }
  }
  for (let bearing = 0; bearing < BEARINGS; bearing++) {
    dilate(km.subarray(bearing * FETCH_CELLS, (bearing + 1) * FETCH_CELLS));
  }
  return km;
}

/**
 * Water to windward at a place, km; linear between bearings and between cells.
 *
 * @param bearing Degrees, where the wind comes FROM, any turn.
 */
export function fetchAt(km: Uint16Array, latitude: number, longitude: number, bearing: number): number {
  const turn = bearing * (BEARINGS / 360);
  const sector = Math.floor(turn);
  const beyond = turn - sector;
  const plane = ((sector % BEARINGS) + BEARINGS) % BEARINGS;
  const near = fetchOnPlane(km, plane, latitude, longitude);
  return near + beyond * (fetchOnPlane(km, (plane + 1) % BEARINGS, latitude, longitude) - near);
}

/** `fetchAt` for one of the 16 bearings. */
export function fetchOnPlane(km: Uint16Array, plane: number, latitude: number, longitude: number): number {
  const y = Math.min(ROWS - 1, Math.max(0, latitude + 89.5));
  const south = Math.min(ROWS - 2, Math.floor(y));
  const x = longitude + 179.5;
  const floor = Math.floor(x);
  const west = ((floor % COLUMNS) + COLUMNS) % COLUMNS;
  const east = west + 1 === COLUMNS ? 0 : west + 1;
  const eastward = x - floor;
  const at = plane * FETCH_CELLS + south * COLUMNS;
  const below = km[at + west]! + eastward * (km[at + east]! - km[at + west]!);
  const above = km[at + COLUMNS + west]! + eastward * (km[at + COLUMNS + east]! - km[at + COLUMNS + west]!);
  return below + (y - south) * (above - below);
}

function openWater(coast: Float32Array, latitude: number, longitude: number, bearing: number): number {
  const sinLatitude = Math.sin(latitude * RADIANS);
  const cosLatitude = Math.cos(latitude * RADIANS);
  const sinLongitude = Math.sin(longitude * RADIANS);
  const cosLongitude = Math.cos(longitude * RADIANS);
  const north = Math.cos(bearing);
  const east = Math.sin(bearing);
  // The ray is the great circle x·cos s + t·sin s from the place x along its tangent t.
  const px = cosLatitude * cosLongitude;
  const py = cosLatitude * sinLongitude;
  const tx = -north * sinLatitude * cosLongitude - east * sinLongitude;
  const ty = -north * sinLatitude * sinLongitude + east * cosLongitude;
  const tz = north * cosLatitude;
  let gone = 0;
  let clear = coast[cellAt(latitude, longitude)]!;
  while (clear > 0) {
    gone += Math.max(SHORTEST_STEP, 0.95 * clear);
    if (gone >= LONGEST_FETCH) return LONGEST_FETCH;
    const cos = Math.cos(gone / EARTH_KM);
    const sin = Math.sin(gone / EARTH_KM);
    const z = sinLatitude * cos + tz * sin;
    clear =
      coast[cellAt(Math.asin(z) / RADIANS, Math.atan2(py * cos + ty * sin, px * cos + tx * sin) / RADIANS)]!;
  }
  return Math.max(0, gone + clear);
}

/** Gives cells without fetch (land) the mean of their neighbours that have it, a few cells deep. */
function dilate(km: Uint16Array): void {
  for (let round = 0; round < DILATION; round++) {
    const before = km.slice();
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        const at = row * COLUMNS + column;
        if (before[at] !== 0) continue;
        let sum = 0;
        let count = 0;
        for (let up = row === 0 ? 0 : -1; up <= (row === ROWS - 1 ? 0 : 1); up++) {
          for (let right = -1; right <= 1; right++) {
            const value = before[(row + up) * COLUMNS + ((column + right + COLUMNS) % COLUMNS)]!;
            if (value === 0) continue;
            sum += value;
            count++;
          }
        }
        if (count > 0) km[at] = sum / count;
      }
    }
  }
}
