import { LRUCache } from "lru-cache";
import { type ArcoArray, type ArcoProduct, products } from "./arco-products.ts";
import { bloscFrame, bloscLength } from "./blosc-frame.ts";
import type { FileGrid } from "./grib-message.ts";
import { nodesOf, type Planet } from "./planet.ts";
import { asPublished, type Host, type Piece, type Published, textPiece, type Variant } from "./published.ts";
import { currentGrid, seaValues } from "./sea-files.ts";

const HOUR_S = 3600;
const NAME = /^\/(timeChunked|downsampled4)\.zarr\/(.+)$/;
const SINCE = Date.UTC(1950, 0, 1) / 1000;

const CHUNK_ROWS = 512;
const CHUNK_COLUMNS = 2048;

/** One state of a store. */
interface Store {
  product: ArcoProduct;
  name: string;
  grid: FileGrid;
  /** Rows and columns of a chunk. */
  chunk: readonly [number, number];
  steps: number;
}

/** Cache of computed fields, because a chunk is a part of one. */
const steps = new LRUCache<string, Float64Array>({
  maxSize: 192 * 2 ** 20,
  sizeCalculation: ({ byteLength }) => byteLength,
});

/** Copernicus Marine's Zarr v2 stores of the currents, at 1/12° and 1/3°, and of the waves, at 1/3°. */
export const arcoHost: Host = ({ path, now }, planet) => {
  const product = products.find(({ path: prefix }) => path.startsWith(prefix));
  const [, name, key] = NAME.exec(path.slice(product?.path.length)) ?? [];
  if (!product?.stores.includes(name ?? "") || name === undefined || key === undefined) return undefined;
  const run = Math.floor((now - product.delay) / product.every) * product.every;
  const storeOf = ({ hoursEarlier }: Variant): Store => {
    const grid = name === "timeChunked" ? currentGrid(planet) : coarser(planet);
    const last = run + product.ahead - hoursEarlier * HOUR_S;
    return {
      product,
      name,
      grid,
      chunk: [Math.min(CHUNK_ROWS, grid.rows), Math.min(CHUNK_COLUMNS, grid.columns)],
      steps: Math.floor((last - product.first) / product.step),
    };
  };
  const chunk = /^(\w+)\/([\d.]+)$/.exec(key);
  const published: Published = {
    from: run + product.delay,
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
  const store = storeOf(asPublished);
  const isThere = chunk
    ? isChunk(store, chunk[1]!, chunk[2]!)
    : metadata(store)[key] !== undefined || key === ".zmetadata";
  return isThere ? published : undefined;
};

/** The grid of a third of a degree, or that of the planet if it is coarser. */
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
function coordinates({ grid, steps, product }: Store): Readonly<Record<string, () => Uint8Array>> {
  const { latitudes, longitudes } = nodesOf(grid);
  const floats = (values: Float64Array) => new Uint8Array(Float32Array.from(values).buffer);
  const hours = () => {
    const axis = product.timeBytes === 4 ? new Int32Array(steps) : new Float64Array(steps);
    for (let step = 0; step < steps; step++)
      axis[step] = (product.first - SINCE + step * product.step) / HOUR_S;
    return new Uint8Array(axis.buffer);
  };
  return {
    time: hours,
    ...(product.hasDepth && { depth: () => floats(Float64Array.of(0.494)) }),
    latitude: () => floats(latitudes),
    longitude: () => floats(longitudes),
  };
}

function isChunk(store: Store, array: string, name: string): boolean {
  const at = name.split(".").map(Number);
  if (Object.hasOwn(coordinates(store), array)) return name === "0";
  const { grid, chunk, steps, product } = store;
  if (product.arrays[array] === undefined) return false;
  const limits = [steps, Math.ceil(grid.rows / chunk[0]), Math.ceil(grid.columns / chunk[1])];
  if (product.hasDepth) limits.splice(1, 0, 1);
  return at.length === limits.length && at.every((index, axis) => index < limits[axis]!);
}

function chunkPiece(store: Store, name: string, key: string, variant: Variant): Piece | undefined {
  const { product, grid } = store;
  const coordinate = coordinates(store)[name];
  if (coordinate) {
    const frame = bloscFrame(coordinate(), name === "time" ? product.timeBytes : 4);
    return { length: () => frame.length, bytes: () => frame };
  }
  if (!isChunk(store, name, key)) return undefined;
  const array = product.arrays[name]!;
  const [step = 0, ...at] = key.split(".").map(Number);
  const [row = 0, column = 0] = at.slice(-2);
  const [rows, columns] = store.chunk;
  const { bytes: size, missing, packed } = array.type;
  const whole = Math.floor(bloscLength(rows * columns * size) * variant.whole);
  return {
    length: () => whole,
    bytes: () => {
      const values = stepOf(store, name, array, step, variant);
      const out = (size === 2 ? new Int16Array(rows * columns) : new Float32Array(rows * columns)).fill(
        missing,
      );
      for (let i = 0; i < rows && row * rows + i < grid.rows; i++) {
        const start = (row * rows + i) * grid.columns + column * columns;
        const length = Math.min(columns, grid.columns - column * columns);
        for (let j = 0; j < length; j++) {
          const value = values[start + j]!;
          if (!Number.isNaN(value))
            out[i * columns + j] = packed ? Math.round((value - packed.offset) / packed.scale) : value;
        }
      }
      return bloscFrame(new Uint8Array(out.buffer), size).subarray(0, whole);
    },
  };
}

function stepOf(
  store: Store,
  name: string,
  { of, change }: ArcoArray,
  step: number,
  variant: Variant,
): Float64Array {
  const { product, grid } = store;
  const key = `${store.name}:${grid.columns}:${name}:${step}:${variant.distortion}`;
  const found = steps.get(key);
  if (found) return found;
  // An old store has the same times in the same chunks; only its time axis ends earlier.
  const current = { ...variant, hoursEarlier: 0 };
  const made = seaValues(of, grid, product.first + step * product.step, current);
  const values = change ? made.map(change) : made;
  steps.set(key, values);
  return values;
}

function metadataPiece(store: Store, key: string, { wholeIndex, lacks }: Variant): Piece | undefined {
  const all = Object.fromEntries(
    Object.entries(metadata(store)).filter(([name]) => !lacks.includes(name.split("/")[0]!)),
  );
  const content = key === ".zmetadata" ? { metadata: all, zarr_consolidated_format: 1 } : all[key];
  return content === undefined ? undefined : textPiece(JSON.stringify(content), wholeIndex);
}

/** Metadata of Zarr v2, as xarray writes it. */
function metadata({ product, grid, steps: times, chunk }: Store): Readonly<Record<string, object>> {
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
  const timeType = product.timeBytes === 4 ? "<i4" : "<f8";
  const axis = (name: string, length: number, units: string, more: object = {}) => ({
    [`${name}/.zarray`]: array(name === "time" ? timeType : "<f4", [length], [length], null),
    [`${name}/.zattrs`]: { _ARRAY_DIMENSIONS: [name], standard_name: name, units, ...more },
  });
  const depth = product.hasDepth ? [1] : [];
  const dimensions = ["time", ...(product.hasDepth ? ["depth"] : []), "latitude", "longitude"];
  return {
    ".zgroup": { zarr_format: 2 },
    ".zattrs": { title: product.title, institution: "invented" },
    ...axis("time", times, "hours since 1950-01-01", { calendar: "standard" }),
    ...(product.hasDepth ? axis("depth", 1, "m", { positive: "down" }) : {}),
    ...axis("latitude", grid.rows, "degrees_north"),
    ...axis("longitude", grid.columns, "degrees_east"),
    ...Object.fromEntries(
      Object.entries(product.arrays).flatMap(([name, { units, type }]) => [
        [
          `${name}/.zarray`,
          array(
            type.bytes === 2 ? "<i2" : "<f4",
            [times, ...depth, grid.rows, grid.columns],
            [1, ...depth, ...chunk],
            type.missing,
          ),
        ],
        [
          `${name}/.zattrs`,
          {
            _ARRAY_DIMENSIONS: dimensions,
            units,
            ...(type.packed && { scale_factor: type.packed.scale, add_offset: type.packed.offset }),
          },
        ],
      ]),
    ),
  };
}
