import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as zarr from "zarrita";
import { z } from "zod";
import { readTimeUnits } from "#server/ingest/netcdf/cf.ts";
import {
  type AttributeValue,
  DamagedFileError,
  type NetcdfFile,
  type NetcdfVariable,
  type RawValues,
} from "#server/ingest/netcdf/file.ts";
import { checkGridMemory } from "#server/ingest/netcdf-file.ts";

/** Allowed names of arrays. They become names of folders, which must not leave the store. */
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

/** One array of a store, with its metadata and a way to read its chunks. */
export interface ZarrArray {
  name: string;
  shape: readonly number[];
  chunks: readonly number[];
  /** Separates the indices of a chunk in its key. */
  separator: "." | "/";
  /** NumPy's name of the type, such as "<f4". */
  dtype: string;
  fill: unknown;
  /** Name of the codec; undefined where chunks are not compressed. */
  compressor: string | undefined;
  attributes: Readonly<Record<string, unknown>>;
  /** Names of its dimensions, by xarray's convention. */
  dimensions: readonly string[];
  /** Reads a block, row-major, or all of the array without a selection. Chunks that are not on disk are an error. */
  read(selection?: readonly zarr.Slice[]): Promise<RawValues>;
}

/**
 * Opens a folder with a part of a Zarr v2 store: its consolidated metadata, and chunks under the store's keys.
 *
 * In a whole store a missing chunk means fill values. Here it is one that was not fetched, and reading it is an error.
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
      if (compressor?.id === "blosc") checkFrameHead(key.slice(1), bytes, bytes.length, chunkBytes);
      return bytes;
    },
  };
  const array = await explained(name, () =>
    zarr.open.v2(zarr.root(store).resolve(name), { kind: "array", attrs: false }),
  );
  const getChunk = array.getChunk.bind(array);
  array.getChunk = async (indices, ...options) => {
    const chunk = await getChunk(indices, ...options);
    if (chunk.data.length === cells) return chunk;
    const key = indices.join(dimension_separator);
    throw new DamagedFileError(`the chunk ${name}/${key} does not have ${cells} numbers`);
  };
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
    read: (selection) =>
      explained(`the array ${name}`, async () => {
        if (!array.is("number") && !array.is("bigint")) throw new DamagedFileError("it has no numbers");
        const found = await zarr.get(array, selection ? [...selection] : null, { createQueue: oneByOne });
        if (typeof found !== "object") return Float64Array.of(Number(found));
        const data = inRowOrder(found);
        return data instanceof BigInt64Array || data instanceof BigUint64Array
          ? Float64Array.from(data, Number)
          : (data as RawValues);
      }),
  };
}

/** A queue that reads chunks one after another: all at once would need the memory of the array and a file each. */
function oneByOne(): { add(read: () => Promise<void>): void; onIdle(): Promise<[]> } {
  const waiting: (() => Promise<void>)[] = [];
  return {
    add: (read) => void waiting.push(read),
    async onIdle() {
      for (const read of waiting) await read();
      return [];
    },
  };
}

/** Reorders a block to row-major, because the library returns arrays of order "F" column by column. */
function inRowOrder({ data, shape, stride }: zarr.Chunk<zarr.NumberDataType | zarr.BigintDataType>) {
  const rows = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1));
  if (rows.every((step, axis) => step === stride[axis] || shape[axis] === 1)) return data;
  const ordered = data.slice();
  for (let at = 0; at < ordered.length; at++) {
    const from = rows.reduce(
      (sum, step, axis) => sum + (Math.floor(at / step) % shape[axis]!) * stride[axis]!,
      0,
    );
    ordered[at] = data[from]!;
  }
  return ordered;
}

/**
 * Compares the lengths in the header of a Blosc frame with those of the chunk, because the decoder itself reads past
 * the end of a frame that is cut.
 *
 * @param head At least the first 16 bytes. @param length Bytes of the whole chunk. @throws DamagedFileError
 */
export function checkFrameHead(key: string, head: Buffer, length: number, expected: number): void {
  const whole = head.length >= 16 && head.readUInt32LE(12) === length;
  if (!whole) throw new DamagedFileError(`the chunk ${key} is not a whole Blosc frame`);
  const unpacked = head.readUInt32LE(4);
  if (unpacked !== expected)
    throw new DamagedFileError(`the chunk ${key} unpacks to ${unpacked} bytes, not ${expected}`);
}

/** Turns errors of the library and of its codecs into a defect of the data. */
async function explained<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DamagedFileError || !(error instanceof Error)) throw error;
    throw new DamagedFileError(`${what}: ${error.message}`, { cause: error });
  }
}

/** Reads an array with one dimension, a coordinate. @throws DamagedFileError, also if it is too long to be one. */
async function readCoordinate(array: ZarrArray): Promise<RawValues> {
  if (array.shape.length !== 1 || Math.max(array.shape[0]!, array.chunks[0]!) > MAX_COORDINATE)
    throw new DamagedFileError(`the array ${array.name} is not a coordinate`);
  return array.read();
}

/** Largest number of coordinates: a century of hours, and more than the finest grid of any ocean model. */
const MAX_COORDINATE = 1 << 20;

/**
 * The whole time axis of a store whose metadata and chunks of coordinates have been fetched.
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
  return Array.from(await readCoordinate(time), (value) => Math.round(since + Number(value) * seconds));
}

/** Most chunks of an array. A day of any ocean model has fewer; the limit bounds what damaged metadata can request. */
const MAX_CHUNKS = 100_000;

/**
 * Keys of the chunks of an array that have the given positions of its time axis, along all of its other axes.
 *
 * @param array Its dimensions are named by xarray's convention.
 * @param positions Positions along "time"; all where the array has no such axis.
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

/**
 * Opens a folder with a part of a store in the form of a NetCDF file, so that one reader of the CF conventions reads
 * both. It has the steps of which a chunk is present. A step with only some of its chunks is listed too, and reading it
 * fails.
 *
 * @param maxMemory Bytes that decoding one grid may use.
 * @throws DamagedFileError
 */
export async function openZarrFile(folder: string, maxMemory: number): Promise<NetcdfFile> {
  const { attributes, arrays } = await openZarrStore(folder);
  const variables = new Map<string, NetcdfVariable>();
  /** Values of the coordinates. The step that was loaded last is kept beside them. */
  const coordinates = new Map<string, RawValues>();
  let loaded: { name: string; values: RawValues } | undefined;
  for (const array of arrays.values()) {
    const { name, shape, dimensions } = array;
    const isScalar = shape.length === 0;
    // Most arrays without dimensions only describe the store and need not be fetched.
    if (isScalar && !existsSync(join(folder, name, "0"))) continue;
    variables.set(name, variableOf(array));
    if (isScalar) coordinates.set(name, await array.read());
    else if (dimensions.length === 1 && dimensions[0] === name)
      coordinates.set(name, await readCoordinate(array));
  }
  return {
    attributes: plain(attributes),
    variables,
    steps: (name, timeAxis) => fetchedSteps(folder, arrays.get(name)!, timeAxis),
    async load(name, start, count) {
      loaded = undefined;
      const array = arrays.get(name)!;
      checkGridMemory(
        array.chunks.reduce((product, length) => product * length, 1),
        maxMemory,
      );
      const values = await array.read(start.map((from, axis) => zarr.slice(from, from + count[axis]!)));
      loaded = { name, values };
    },
    read(name, start, count) {
      const coordinate = coordinates.get(name);
      if (coordinate) return coordinate.slice(start[0] ?? 0, (start[0] ?? 0) + (count[0] ?? 1));
      if (loaded?.name !== name) throw new DamagedFileError(`${name} of the Zarr store is not loaded`);
      return loaded.values;
    },
    close() {
      loaded = undefined;
    },
  };
}

/** The steps of which a chunk is on disk; empty if nothing of the array was fetched. */
function fetchedSteps(
  folder: string,
  { name, chunks, shape, separator, dimensions }: ZarrArray,
  timeAxis: string | undefined,
): Set<number> {
  const time = dimensions.indexOf(timeAxis ?? "");
  const steps = new Set<number>();
  const at = join(folder, name);
  for (const key of existsSync(at) ? readdirSync(at, { recursive: true, encoding: "utf8" }) : []) {
    if (!/^\d+([./]\d+)*$/.test(key)) continue;
    const index = time < 0 ? 0 : Number(key.split(separator)[time]);
    const length = time < 0 ? 1 : chunks[time]!;
    const end = time < 0 ? 1 : shape[time]!;
    for (let step = index * length; step < Math.min((index + 1) * length, end); step++) steps.add(step);
  }
  return steps;
}

/** Matches NumPy's names of types that JavaScript can read. */
const numeric = /^[<>|][fiu][1248]$/;

function variableOf({ name, shape, dimensions, dtype, fill, attributes }: ZarrArray): NetcdfVariable {
  const named = dimensions.length === shape.length ? dimensions : shape.map((_, axis) => `axis ${axis}`);
  return {
    name,
    dimensions: named.map((dimension, axis) => ({ name: dimension, length: shape[axis]! })),
    // The fill value of an axis does not mean missing: writers leave 0 there.
    attributes: {
      ...(shape.length !== 1 && typeof fill === "number" ? { _FillValue: fill } : {}),
      ...plain(attributes),
    },
    numeric: numeric.test(dtype),
    float: dtype[1] === "f",
  };
}

const attribute = z.union([z.string(), z.number(), z.array(z.number())]);

function plain(attributes: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      const read = attribute.safeParse(value);
      return read.success ? [[name, read.data]] : [];
    }),
  );
}
