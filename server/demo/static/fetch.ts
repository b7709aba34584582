import { EARTH_KM, RADIANS } from "#lib/geo/sphere.ts";
import { cellAt } from "./land.ts";

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
const SHORTEST_STEP = 35;

/** Cells of land next to the sea take its fetch, so that interpolation near a coast reads no zeros. */
const DILATION = 3;

/**
 * Water to windward: how far the sea is open along each of 16 bearings, km.
 *
 * @param coast From `coastDistance`: a ray may go as far as the nearest coast at once (sphere tracing).
 * @returns (bearing 16, latitude 180, longitude 360); centres of 1° cells from −89.5 northwards, −179.5 eastwards.
 */
export function deriveFetch(coast: Float32Array): Uint16Array {
  const km = new Uint16Array(BEARINGS * FETCH_CELLS);
  // Bearing by bearing: rays that run side by side read the same memory.
  for (let bearing = 0; bearing < BEARINGS; bearing++) {
    for (let ray = 0; ray < RAYS; ray++) {
      const offset = (ray - (RAYS - 1) / 2) / RAYS;
      addRays(coast, ((bearing + offset) * 2 * Math.PI) / BEARINGS, km, bearing * FETCH_CELLS);
    }
  }
  spread(km);
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
  const whole = Math.floor(turn);
  const beyond = turn - whole;
  const sector = ((whole % BEARINGS) + BEARINGS) % BEARINGS;
  const near = fetchInSector(km, sector, latitude, longitude);
  return near + beyond * (fetchInSector(km, (sector + 1) % BEARINGS, latitude, longitude) - near);
}

/** Columns of the fetch that a patch needs, and where its own columns lie between them. */
export interface FetchColumns {
  used: Int32Array;
  west: Int32Array;
  east: Int32Array;
  eastward: Float64Array;
  /** Written by `fetchRow`: fetch on the row, (bearing 16, longitude 360). */
  row: Float32Array;
}

/** Shared: a row is made ready and read before the next one. */
const rowOfFetch = new Float32Array(BEARINGS * COLUMNS);

/** @param longitude Degrees, one a column of the patch. */
export function fetchColumns(longitude: Float64Array): FetchColumns {
  const west = new Int32Array(longitude.length);
  const east = new Int32Array(longitude.length);
  const eastward = new Float64Array(longitude.length);
  const used = new Set<number>();
  for (let column = 0; column < longitude.length; column++) {
    const x = longitude[column]! + 179.5;
    const floor = Math.floor(x);
    west[column] = ((floor % COLUMNS) + COLUMNS) % COLUMNS;
    east[column] = (west[column]! + 1) % COLUMNS;
    eastward[column] = x - floor;
    used.add(west[column]!).add(east[column]!);
  }
  return { used: Int32Array.from(used), west, east, eastward, row: rowOfFetch };
}

/** Makes ready to read the fetch along a row of a patch. */
export function fetchRow(km: Uint16Array, latitude: number, columns: FetchColumns): void {
  const y = Math.min(ROWS - 1, Math.max(0, latitude + 89.5));
  const south = Math.min(ROWS - 2, Math.floor(y));
  for (let sector = 0; sector < BEARINGS; sector++) {
    const low = sector * FETCH_CELLS + south * COLUMNS;
    for (const column of columns.used) {
      const below = km[low + column]!;
      columns.row[sector * COLUMNS + column] = below + (y - south) * (km[low + COLUMNS + column]! - below);
    }
  }
}

/** The fetch of a wind at a column of the row that was made ready, km; 0 in a calm. */
export function fetchOnRow(
  { row, west, east, eastward }: FetchColumns,
  column: number,
  eastwardWind: number,
  northwardWind: number,
): number {
  if (eastwardWind === 0 && northwardWind === 0) return 0;
  const turn = angleOf(-northwardWind, -eastwardWind) * (BEARINGS / (2 * Math.PI)) + BEARINGS;
  const sector = Math.floor(turn);
  const near = (sector & (BEARINGS - 1)) * COLUMNS;
  const next = ((sector + 1) & (BEARINGS - 1)) * COLUMNS;
  const w = west[column]!;
  const e = east[column]!;
  const right = eastward[column]!;
  const here = row[near + w]! + right * (row[near + e]! - row[near + w]!);
  const there = row[next + w]! + right * (row[next + e]! - row[next + w]!);
  return here + (turn - sector) * (there - here);
}

/** `fetchAt` for one of the 16 bearings. */
export function fetchInSector(km: Uint16Array, sector: number, latitude: number, longitude: number): number {
  const y = Math.min(ROWS - 1, Math.max(0, latitude + 89.5));
  const south = Math.min(ROWS - 2, Math.floor(y));
  const x = longitude + 179.5;
  const floor = Math.floor(x);
  const west = ((floor % COLUMNS) + COLUMNS) % COLUMNS;
  const east = west + 1 === COLUMNS ? 0 : west + 1;
  const eastward = x - floor;
  const at = sector * FETCH_CELLS + south * COLUMNS;
  const below = km[at + west]! + eastward * (km[at + east]! - km[at + west]!);
  const above = km[at + COLUMNS + west]! + eastward * (km[at + COLUMNS + east]! - km[at + COLUMNS + west]!);
  return below + (y - south) * (above - below);
}

/** Seas run to both sides of their mean direction: each sector takes a share of its neighbours'. */
function spread(km: Uint16Array): void {
  const around = new Float64Array(BEARINGS);
  for (let cell = 0; cell < FETCH_CELLS; cell++) {
    for (let bearing = 0; bearing < BEARINGS; bearing++) around[bearing] = km[bearing * FETCH_CELLS + cell]!;
    for (let bearing = 0; bearing < BEARINGS; bearing++) {
      const sides = around[(bearing + 1) % BEARINGS]! + around[(bearing + BEARINGS - 1) % BEARINGS]!;
      km[bearing * FETCH_CELLS + cell] = (0.56 * around[bearing]! + 0.22 * sides) / RAYS;
    }
  }
}

function addRays(coast: Float32Array, bearing: number, km: Uint16Array, first: number): void {
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const open = openWater(coast, row - 89.5, column - 179.5, bearing);
      km[first + row * COLUMNS + column]! += open;
    }
  }
}

/** Cosine and sine of the angle that each whole km of a great circle spans. */
const cosKm = Float64Array.from({ length: LONGEST_FETCH }, (_, km) => Math.cos(km / EARTH_KM));
const sinKm = Float64Array.from({ length: LONGEST_FETCH }, (_, km) => Math.sin(km / EARTH_KM));

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
    gone += Math.max(SHORTEST_STEP, Math.floor(0.95 * clear));
    if (gone >= LONGEST_FETCH) return LONGEST_FETCH;
    const cos = cosKm[gone]!;
    const sin = sinKm[gone]!;
    const z = sinLatitude * cos + tz * sin;
    clear = coast[cellToward(px * cos + tx * sin, py * cos + ty * sin, z)]!;
  }
  return Math.max(0, gone + clear);
}

const SINES = 8192;

/** Row of `worldGrid` by sine of latitude: exact enough for a ray, and much faster than an arcsine. */
const rowBySine = Uint16Array.from({ length: 2 * SINES + 1 }, (_, index) => {
  const latitude = Math.asin(Math.min(1, (index + 0.5) / SINES - 1)) / RADIANS;
  return Math.floor(Math.min(719, (latitude + 90) * 4));
});

/** atan2(y, x) to 2e-4 rad, several times faster. */
function angleOf(x: number, y: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const a = ax > ay ? ay / ax : ax / ay;
  const s = a * a;
  let angle = ((-0.0464964749 * s + 0.15931422) * s - 0.327622764) * s * a + a;
  if (ay > ax) angle = Math.PI / 2 - angle;
  if (x < 0) angle = Math.PI - angle;
  return y < 0 ? -angle : angle;
}

/** Cell of `worldGrid` around a unit vector, within a few hundredths of a degree. */
function cellToward(x: number, y: number, z: number): number {
  const column = Math.floor((Math.PI + angleOf(x, y)) * (720 / Math.PI));
  return rowBySine[((z + 1) * SINES) | 0]! * 1440 + (column >= 1440 ? 1439 : column);
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
