import { LRUCache } from "lru-cache";
import type { AnalyticField } from "./analytic.ts";
import { bloscFrame, bloscLength } from "./blosc-frame.ts";
import type { FileGrid } from "./grib-message.ts";
import { nodesOf, type Planet } from "./planet.ts";
import { type Host, type Piece, type Published, textPiece, type Variant } from "./published.ts";
import { currentGrid, seaValues } from "./sea-files.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
const MISSING = 9.969_209_968_386_869e36;

const DATASET =
  "/mdl-arco-time-015/arco/GLOBAL_ANALYSISFORECAST_PHY_001_024/cmems_mod_glo_phy_anfc_merged-uv_PT1H-i_202211";
const NAME = /^\/(timeChunked|downsampled4)\.zarr\/(.+)$/;

/** The store is overwritten with each daily run, so long after its base time, to ten days ahead. */
const DELAY_S = 12 * HOUR_S;
const AHEAD_HOURS = 10 * 24;
const FIRST_TIME = Date.UTC(2022, 5, 1) / 1000;
const SINCE = Date.UTC(1950, 0, 1) / 1000;

const CHUNK_ROWS = 512;
const CHUNK_COLUMNS = 2048;

const currents: Readonly<Record<string, AnalyticField>> = {
  utotal: "surface_eastward_sea_water_velocity",
  vtotal: "surface_northward_sea_water_velocity",
};

/** One state of a store. */
interface Store {
  name: string;
  grid: FileGrid;
  /** Rows and columns of a chunk. */
  chunk: readonly [number, number];
  hours: number;
}

/** Fields made before: a chunk is a part of one. */
const steps = new LRUCache<string, Float64Array>({
  maxSize: 192 * 2 ** 20,
  sizeCalculation: ({ byteLength }) => byteLength,
});

/** Copernicus Marine's Zarr v2 stores of the currents, at 1/12° and 1/3°. */
export const arcoHost: Host = ({ path, now }, planet) => {
  const [, name, key] = NAME.exec(path.slice(DATASET.length)) ?? [];
  if (!path.startsWith(DATASET) || name === undefined || key === undefined) return undefined;
  const run = Math.floor((now - DELAY_S) / DAY_S) * DAY_S;
  const storeOf = ({ hoursEarlier }: Variant): Store => {
    const grid = name === "timeChunked" ? currentGrid(planet) : coarser(planet);
    const hours = (run - FIRST_TIME) / HOUR_S + AHEAD_HOURS - hoursEarlier;
    return {
      name,
      grid,
      chunk: [Math.min(CHUNK_ROWS, grid.rows), Math.min(CHUNK_COLUMNS, grid.columns)],
      hours,
    };
  };
  const chunk = /^(\w+)\/([\d.]+)$/.exec(key);
  const published: Published = {
    from: run + DELAY_S,
    version: String(run),
    isUpdated: true,
    pieces: (variant) => {
      const store = storeOf(variant);
      const piece = chunk
        ? chunkPiece(store, chunk[1]!, chunk[2]!, variant)
        : metadataPiece(store, key, variant);
      return piece ? [piece] : [];
    },
  };
  const store = storeOf({ hoursEarlier: 0, revision: 0, whole: 1, wholeIndex: 1, distortion: undefined });
  const isThere = chunk
    ? isChunk(store, chunk[1]!, chunk[2]!)
    : metadata(store)[key] !== undefined || key === ".zmetadata";
  return isThere ? published : undefined;
};

/** A third of a degree, or as coarse as the planet. */
function coarser(planet: Planet): FileGrid {
  const fine = currentGrid(planet);
  if (planet.resolution !== 0.25) return fine;
  return {
    ...fine,
    rows: Math.floor((fine.rows - 1) / 4) + 1,
    columns: fine.columns / 4,
    latitudeStep: fine.latitudeStep * 4,
    longitudeStep: fine.longitudeStep * 4,
  };
}

/** Coordinates have one chunk each. */
function coordinates({ grid, hours }: Store): Readonly<Record<string, () => Uint8Array>> {
  const { latitudes, longitudes } = nodesOf(grid);
  const floats = (values: Float64Array) => new Uint8Array(Float32Array.from(values).buffer);
  return {
    time: () =>
      new Uint8Array(
        Float64Array.from({ length: hours }, (_, hour) => (FIRST_TIME - SINCE) / HOUR_S + hour).buffer,
      ),
    depth: () => floats(Float64Array.of(0.494)),
    latitude: () => floats(latitudes),
    longitude: () => floats(longitudes),
  };
}

function isChunk(store: Store, array: string, name: string): boolean {
  const at = name.split(".").map(Number);
  if (Object.hasOwn(coordinates(store), array)) return name === "0";
  if (currents[array] === undefined || at.length !== 4) return false;
  const { grid, chunk, hours } = store;
  const limits = [hours, 1, Math.ceil(grid.rows / chunk[0]), Math.ceil(grid.columns / chunk[1])];
  return at.every((index, axis) => index < limits[axis]!);
}

function chunkPiece(store: Store, array: string, name: string, variant: Variant): Piece | undefined {
  const coordinate = coordinates(store)[array];
  if (coordinate) {
    const frame = bloscFrame(coordinate(), array === "time" ? 8 : 4);
    return { length: () => frame.length, bytes: () => frame };
  }
  if (!isChunk(store, array, name)) return undefined;
  const [hour = 0, , row = 0, column = 0] = name.split(".").map(Number);
  const [rows, columns] = store.chunk;
  const whole = Math.floor(bloscLength(rows * columns * 4) * variant.whole);
  return {
    length: () => whole,
    bytes: () => {
      const values = stepOf(store, array, hour, variant);
      const out = new Float32Array(rows * columns).fill(MISSING);
      for (let i = 0; i < rows && row * rows + i < store.grid.rows; i++) {
        const start = (row * rows + i) * store.grid.columns + column * columns;
        const length = Math.min(columns, store.grid.columns - column * columns);
        for (let j = 0; j < length; j++) {
          const value = values[start + j]!;
          if (!Number.isNaN(value)) out[i * columns + j] = value;
        }
      }
      return bloscFrame(new Uint8Array(out.buffer), 4).subarray(0, whole);
    },
  };
}

function stepOf(store: Store, array: string, hour: number, variant: Variant): Float64Array {
  const key = `${store.name}:${store.grid.columns}:${array}:${hour}:${variant.distortion}`;
  const found = steps.get(key);
  if (found) return found;
  // An old store has the same hours in the same chunks: only its axis of time ends earlier.
  const current = { ...variant, hoursEarlier: 0 };
  const values = seaValues(currents[array]!, store.grid, FIRST_TIME + hour * HOUR_S, current);
  steps.set(key, values);
  return values;
}

function metadataPiece(store: Store, key: string, { wholeIndex }: Variant): Piece | undefined {
  const all = metadata(store);
  const content = key === ".zmetadata" ? { metadata: all, zarr_consolidated_format: 1 } : all[key];
  return content === undefined ? undefined : textPiece(JSON.stringify(content), wholeIndex);
}

/** Zarr v2, as xarray writes it. */
function metadata({ grid, hours, chunk }: Store): Readonly<Record<string, object>> {
  const array = (
    dtype: string,
    shape: readonly number[],
    chunks: readonly number[],
    fill: number | null,
  ) => ({
    chunks,
    compressor: { blocksize: 0, clevel: 5, cname: "lz4", id: "blosc", shuffle: 1 },
    dtype,
    fill_value: fill,
    filters: null,
    order: "C",
    shape,
    zarr_format: 2,
  });
  const axis = (name: string, length: number, units: string, more: object = {}) => ({
    [`${name}/.zarray`]: array(name === "time" ? "<f8" : "<f4", [length], [length], null),
    [`${name}/.zattrs`]: { _ARRAY_DIMENSIONS: [name], standard_name: name, units, ...more },
  });
  const dimensions = ["time", "depth", "latitude", "longitude"];
  return {
    ".zgroup": { zarr_format: 2 },
    ".zattrs": { title: "hourly merged surface currents", institution: "invented" },
    ...axis("time", hours, "hours since 1950-01-01", { calendar: "standard" }),
    ...axis("depth", 1, "m", { positive: "down" }),
    ...axis("latitude", grid.rows, "degrees_north"),
    ...axis("longitude", grid.columns, "degrees_east"),
    ...Object.fromEntries(
      Object.keys(currents).flatMap((name) => [
        [`${name}/.zarray`, array("<f4", [hours, 1, grid.rows, grid.columns], [1, 1, ...chunk], MISSING)],
        [`${name}/.zattrs`, { _ARRAY_DIMENSIONS: dimensions, units: "m s-1", standard_name: currents[name] }],
      ]),
    ),
  };
}
