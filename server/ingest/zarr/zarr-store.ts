import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as zarr from "zarrita";
import { z } from "zod";
import { readTimeUnits } from "#server/ingest/netcdf/cf.ts";
import { DamagedFileError } from "#server/ingest/netcdf/file.ts";

/** Names of arrays become names of folders: nothing that leaves the store. */
const arrayName = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const sizes = z.array(z.int().nonnegative()).max(8);

const arrayMetadata = z.object({
  shape: sizes,
  chunks: z.array(z.int().positive()).max(8),
  dtype: z.string().regex(/^[<>|]?[a-zA-Z]\d*$/),
  compressor: z.object({ id: z.string() }).nullish(),
  fill_value: z.unknown(),
  dimension_separator: z.enum([".", "/"]).default("."),
});

const consolidated = z.object({ metadata: z.record(z.string(), z.unknown()) });

const attributes = z.record(z.string(), z.unknown());

/** One array of a store: what its metadata says, and its chunks. */
export interface ZarrArray {
  name: string;
  shape: readonly number[];
  chunks: readonly number[];
  /** Separates the indices of a chunk in its key. */
  separator: "." | "/";
  /** NumPy's name: "<f4". */
  dtype: string;
  fill: unknown;
  /** Name of the codec; undefined where chunks are not compressed. */
  compressor: string | undefined;
  attributes: Readonly<Record<string, unknown>>;
  /** Names of its dimensions, by xarray's convention. */
  dimensions: readonly string[];
  /** Chunks that are not on disk are an error: see `openArray`. */
  chunkOf(indices: number[]): Promise<zarr.Chunk<zarr.NumberDataType | zarr.BigintDataType>>;
}

/**
 * Opens a folder with a part of a Zarr v2 store: its consolidated metadata, and chunks under the store's keys.
 *
 * In a whole store a missing chunk stands for one full of the fill value. Here it is one that was not fetched, and reading
 * it is an error.
 *
 * @throws DamagedFileError
 */
export async function openZarrStore(
  folder: string,
): Promise<{ attributes: Readonly<Record<string, unknown>>; arrays: ReadonlyMap<string, ZarrArray> }> {
  const metadata = await readMetadata(folder);
  const arrays = new Map<string, ZarrArray>();
  for (const key of Object.keys(metadata)) {
    const name = key.endsWith("/.zarray") ? key.slice(0, -"/.zarray".length) : "";
    if (arrayName.test(name)) arrays.set(name, await openArray(folder, metadata, name));
  }
  return { attributes: attributes.catch({}).parse(metadata[".zattrs"]), arrays };
}

async function readMetadata(folder: string): Promise<Record<string, unknown>> {
  if (existsSync(join(folder, "zarr.json"))) {
    throw new DamagedFileError("it is a Zarr store of version 3; only version 2, with .zmetadata, is read");
  }
  try {
    const text = await readFile(join(folder, ".zmetadata"), "utf8");
    return consolidated.parse(JSON.parse(text)).metadata;
  } catch (error) {
    throw new DamagedFileError("the Zarr store has no readable .zmetadata", { cause: error });
  }
}

async function openArray(
  folder: string,
  metadata: Readonly<Record<string, unknown>>,
  name: string,
): Promise<ZarrArray> {
  const parsed = arrayMetadata.safeParse(metadata[`${name}/.zarray`]);
  const known = attributes.catch({}).parse(metadata[`${name}/.zattrs`]);
  const dimensions = z.array(z.string()).catch([]).parse(known._ARRAY_DIMENSIONS);
  if (!parsed.success || parsed.data.chunks.length !== parsed.data.shape.length) {
    throw new DamagedFileError(`the metadata of the array ${name} are not those of a Zarr v2 array`);
  }
  const { shape, chunks, dtype, compressor, fill_value, dimension_separator } = parsed.data;
  const cells = chunks.reduce((product, length) => product * length, 1);
  const chunkBytes = cells * Number(/\d*$/.exec(dtype)?.[0]);
  const store = {
    async get(key: string): Promise<Uint8Array | undefined> {
      const described = metadata[key.slice(1)];
      if (described !== undefined) return new TextEncoder().encode(JSON.stringify(described));
      if (/(^|\/)\.z[a-z]+$/.test(key)) return undefined;
      const bytes = await readFile(join(folder, key.slice(1))).catch((cause: unknown) => {
        throw new DamagedFileError(`the chunk ${key.slice(1)} was not fetched`, { cause });
      });
      if (compressor?.id === "blosc") checkFrame(key.slice(1), bytes, chunkBytes);
      return bytes;
    },
  };
  const array = await explained(name, () =>
    zarr.open.v2(zarr.root(store).resolve(name), { kind: "array", attrs: false }),
  );
  return {
    name,
    shape,
    chunks,
    separator: dimension_separator,
    dtype,
    fill: fill_value,
    compressor: compressor?.id,
    attributes: known,
    dimensions,
    async chunkOf(indices) {
      const chunk = await explained(`the chunk ${name}/${indices.join(dimension_separator)}`, () =>
        array.getChunk(indices),
      );
      if (chunk.data.length !== cells || !(array.is("number") || array.is("bigint"))) {
        throw new DamagedFileError(
          `the chunk ${name}/${indices.join(dimension_separator)} does not have ${cells} numbers`,
        );
      }
      return chunk as zarr.Chunk<zarr.NumberDataType | zarr.BigintDataType>;
    },
  };
}

/**
 * Compares the lengths in the header of a Blosc frame with those of the chunk: the decoder itself reads past the end of a
 * frame that is cut.
 */
function checkFrame(key: string, bytes: Buffer, expected: number): void {
  checkFrameHead(key, bytes, bytes.length, expected);
}

/** As `checkFrame`, by the first 16 bytes of a chunk. @param length Of the whole chunk. @throws DamagedFileError */
export function checkFrameHead(key: string, head: Buffer, length: number, expected: number): void {
  const whole = head.length >= 16 && head.readUInt32LE(12) === length;
  if (!whole) throw new DamagedFileError(`the chunk ${key} is not a whole Blosc frame`);
  const unpacked = head.readUInt32LE(4);
  if (unpacked !== expected)
    throw new DamagedFileError(`the chunk ${key} unpacks to ${unpacked} bytes, not ${expected}`);
}

/** Errors of the library and of its codecs, as a defect of the data. */
async function explained<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DamagedFileError || !(error instanceof Error)) throw error;
    throw new DamagedFileError(`${what}: ${error.message}`, { cause: error });
  }
}

/**
 * The numbers of an array with one dimension: a coordinate.
 *
 * @throws DamagedFileError, also if it is too long to be a coordinate.
 */
export async function readCoordinate(array: ZarrArray): Promise<Float64Array> {
  const [length = 0] = array.shape;
  const [step = 1] = array.chunks;
  if (array.shape.length !== 1 || length > MAX_COORDINATE || step > MAX_COORDINATE) {
    throw new DamagedFileError(`the array ${array.name} is not a coordinate`);
  }
  const values = new Float64Array(length);
  for (let start = 0; start < length; start += step) {
    const { data } = await array.chunkOf([start / step]);
    const count = Math.min(step, length - start);
    for (let i = 0; i < count; i++) values[start + i] = Number(data[i]);
  }
  return values;
}

/** A century of hours, and finer grids than any ocean model has. */
const MAX_COORDINATE = 1 << 20;

/**
 * The whole time axis of a store, of which the metadata and the chunks of coordinates have been fetched.
 *
 * @returns Unix seconds; the position is the index along `time`.
 * @throws DamagedFileError, TimeUnitsError
 */
export async function zarrTimes(folder: string): Promise<number[]> {
  const { arrays } = await openZarrStore(folder);
  const time = arrays.get("time");
  if (!time) throw new DamagedFileError("the Zarr store has no array named time");
  const { units, calendar } = time.attributes;
  const { since, seconds } = readTimeUnits(String(units ?? ""), calendar?.toString());
  return Array.from(await readCoordinate(time), (value) => Math.round(since + value * seconds));
}

/** More than a day of any ocean model has; bounds what damaged metadata can ask for. */
const MAX_CHUNKS = 100_000;

/**
 * Keys of the chunks of an array that have some positions of its time axis, and all of the other axes.
 *
 * @param array Its dimensions are named by xarray's convention.
 * @param positions Along "time"; all where the array has no such axis.
 * @throws DamagedFileError
 */
export function chunkKeys(
  { name, shape, chunks, dimensions, separator }: ZarrArray,
  positions: readonly number[],
): string[] {
  const time = dimensions.indexOf("time");
  const counts = shape.map((length, axis) =>
    axis === time ? positions.length : Math.ceil(length / chunks[axis]!),
  );
  if (counts.reduce((product, count) => product * count, 1) > MAX_CHUNKS)
    throw new DamagedFileError(`the array ${name} has too many chunks`);
  const wanted = shape.map((_, axis) => {
    if (axis === time) return [...new Set(positions.map((position) => Math.floor(position / chunks[axis]!)))];
    return Array.from({ length: counts[axis]! }, (_, chunk) => chunk);
  });
  const tuples = wanted.reduce<number[][]>(
    (before, along) => before.flatMap((tuple) => along.map((chunk) => [...tuple, chunk])),
    [[]],
  );
  return tuples.map((tuple) => `${name}/${tuple.join(separator)}`);
}
