import { EARTH_KM, RADIANS } from "@open-metocean/geo/sphere";
import { cellAt, clamp } from "#server/demo/math/grid.ts";

/** Number of bearings with a known fetch: every 22.5°, clockwise from north. */
export const BEARINGS = 16;
const ROWS = 180;
const COLUMNS = 360;
export const FETCH_CELLS = ROWS * COLUMNS;

/** Longest fetch, km. Longer ones make no difference. */
const LONGEST_FETCH = 10_000;

/** Shortest step of a ray, km, so that it does not creep along a coast. */
const SHORTEST_STEP = 35;

/**
 * Width of the strip of land cells that get the fetch of the adjacent sea, so that interpolation near a coast reads no
 * zeros.
 */
const DILATION = 3;

/**
 * Fetch: extent of open sea to windward along each of 16 bearings, km.
 *
 * @param coast From `coastDistance`. A ray may advance by the distance to the nearest coast in one step (sphere
 *   tracing).
 * @returns (latitude 180, longitude 360, bearing 16); centres of 1° cells from −89.5 northwards, −179.5 eastwards.
 */
export function deriveFetch(coast: Float32Array): Uint16Array {
  const km = new Uint16Array(FETCH_CELLS * BEARINGS);
  const around = new Float64Array(BEARINGS);
  for (let cell = 0; cell < FETCH_CELLS; cell++) {
    const latitude = Math.floor(cell / COLUMNS) - 89.5;
    const longitude = (cell % COLUMNS) - 179.5;
    if (coast[cellAt(latitude, longitude)]! <= 0) continue;
    for (let sector = 0; sector < BEARINGS; sector++)
      around[sector] = openWater(coast, latitude, longitude, (sector * 2 * Math.PI) / BEARINGS);
    // Seas spread to both sides of their mean direction, so each sector takes a share of its neighbours'.
    for (let sector = 0; sector < BEARINGS; sector++) {
      const sides = around[(sector + 1) % BEARINGS]! + around[(sector + BEARINGS - 1) % BEARINGS]!;
      km[cell * BEARINGS + sector] = 0.5 * around[sector]! + 0.25 * sides;
    }
  }
  for (let round = 0; round < DILATION; round++) dilate(km);
  return km;
}

/**
 * Fetch at a place, km; linear between bearings and between cells.
 *
 * @param longitude Degrees in −180 ≤ λ < 180.
 * @param bearing Radians, the direction that the wind comes FROM, −π ≤ bearing ≤ π.
 */
export function fetchAt(km: Uint16Array, latitude: number, longitude: number, bearing: number): number {
  const y = clamp(latitude + 89.5, 0, ROWS - 1);
  const south = Math.min(ROWS - 2, Math.floor(y));
  const up = y - south;
  const x = longitude + 179.5;
  const floor = Math.floor(x);
  const right = x - floor;
  const west = BEARINGS * (south * COLUMNS + (floor < 0 ? COLUMNS - 1 : floor));
  const east = BEARINGS * (south * COLUMNS + (floor + 1 === COLUMNS ? 0 : floor + 1));
  const turn = bearing * (BEARINGS / (2 * Math.PI)) + BEARINGS;
  const sector = Math.floor(turn);
  let open = 0;
  for (let side = 0; side < 2; side++) {
    const one = (sector + side) & (BEARINGS - 1);
    const line = COLUMNS * BEARINGS;
    const below = km[west + one]! + right * (km[east + one]! - km[west + one]!);
    const above = km[west + line + one]! + right * (km[east + line + one]! - km[west + line + one]!);
    const share = side === 0 ? 1 - (turn - sector) : turn - sector;
    open += share * (below + up * (above - below));
  }
  return open;
}

function openWater(coast: Float32Array, latitude: number, longitude: number, bearing: number): number {
  const sinLatitude = Math.sin(latitude * RADIANS);
  const cosLatitude = Math.cos(latitude * RADIANS);
  const [north, east] = [Math.cos(bearing), Math.sin(bearing)];
  let gone = 0;
  let clear = coast[cellAt(latitude, longitude)]!;
  while (clear > 0) {
    gone += Math.max(SHORTEST_STEP, 0.95 * clear);
    if (gone >= LONGEST_FETCH) return LONGEST_FETCH;
    const [cos, sin] = [Math.cos(gone / EARTH_KM), Math.sin(gone / EARTH_KM)];
    const there = Math.asin(clamp(sinLatitude * cos + cosLatitude * sin * north, -1, 1));
    const turn = Math.atan2(east * sin, cosLatitude * cos - sinLatitude * sin * north);
    clear = coast[cellAt(there / RADIANS, longitude + turn / RADIANS)]!;
  }
  return Math.max(0, gone + clear);
}

/** Gives cells without fetch (land) the mean of their neighbours that have it. */
function dilate(km: Uint16Array): void {
  const before = km.slice();
  for (let at = 0; at < km.length; at++) {
    if (before[at] !== 0) continue;
    const cell = Math.floor(at / BEARINGS);
    const [row, column] = [Math.floor(cell / COLUMNS), cell % COLUMNS];
    let sum = 0;
    let count = 0;
    for (let up = row === 0 ? 0 : -1; up <= (row === ROWS - 1 ? 0 : 1); up++) {
      for (let right = -1; right <= 1; right++) {
        const there = (row + up) * COLUMNS + ((column + right + COLUMNS) % COLUMNS);
        const value = before[there * BEARINGS + (at % BEARINGS)]!;
        if (value === 0) continue;
        sum += value;
        count++;
      }
    }
    if (count > 0) km[at] = sum / count;
  }
}
