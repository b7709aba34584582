import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { CfFile } from "#server/ingest/netcdf/cf.ts";
import {
  type AttributeValue,
  cellsOf,
  DamagedFileError,
  type NetcdfFile,
  type NetcdfVariable,
  type RawValues,
} from "#server/ingest/netcdf/file.ts";
import { checkGridMemory, netcdfRecords } from "#server/ingest/netcdf-file.ts";
import type { DataFile } from "#server/ingest/record.ts";
import { openZarrStore, readCoordinate, type ZarrArray } from "./zarr-store.ts";

/**
 * The records of a folder with a part of a Zarr v2 store: the steps of which a chunk is there. A step with only some of
 * its chunks is listed too, and decoding it fails.
 *
 * @throws DamagedFileError
 */
export async function openZarrRecords(path: string, maxMemory: number): Promise<DataFile> {
  const zarr = await openZarrFile(path);
  const file = new CfFile(zarr);
  return {
    path,
    scan() {
      const records = file.gridded.flatMap((variable) => {
        const array = zarr.arrays.get(variable.name)!;
        const steps = fetchedSteps(path, array, array.dimensions.indexOf(variable.timeAxis ?? ""));
        return netcdfRecords(path, variable, file.referenceTime).filter(({ step }) => steps.has(step));
      });
      const rejected = file.rejected.map(({ variable, reason }) => ({
        file: path,
        message: variable,
        reason,
        variable,
      }));
      return { records, rejected, messages: 1 };
    },
    async decode(record) {
      if (record.kind !== "netcdf") throw new Error("the record is of another kind of file");
      const { latitude, longitude } = record.grid;
      checkGridMemory(latitude.count * longitude.count, maxMemory);
      const array = zarr.arrays.get(record.variable);
      const block = file.blockOf(record.variable, record.step, record.levelIndex);
      checkGridMemory(array?.chunks.reduce((product, length) => product * length, 1) ?? 0, maxMemory);
      await zarr.load(record.variable, block.start, block.count);
      return file.readStep(record.variable, record.step, record.levelIndex);
    },
    nodes: (record) => (record.kind === "netcdf" ? file.nodes(record.variable) : undefined),
    close: () => file.close(),
  };
}

/** The steps of which a chunk is on disk. @param time Position of the time axis; −1 without one. */
function fetchedSteps(
  folder: string,
  { name, chunks, shape, separator }: ZarrArray,
  time: number,
): Set<number> {
  const steps = new Set<number>();
  for (const key of chunkKeys(join(folder, name))) {
    const index = time < 0 ? 0 : Number(key.split(separator)[time]);
    const length = time < 0 ? 1 : chunks[time]!;
    const end = time < 0 ? 1 : shape[time]!;
    for (let step = index * length; step < Math.min((index + 1) * length, end); step++) steps.add(step);
  }
  return steps;
}

/** Keys of the chunks in the folder of an array; none if nothing of it was fetched. */
function chunkKeys(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((key) =>
    /^\d+([./]\d+)*$/.test(key),
  );
}

/** A store in the form of a NetCDF file, so that one reader of the CF conventions reads both. */
interface ZarrFile extends NetcdfFile {
  arrays: ReadonlyMap<string, ZarrArray>;
  /**
   * Decodes a block of an array, of which `read` then returns rows. Reads are synchronous, and Zarr's codecs are not.
   *
   * @throws DamagedFileError
   */
  load(name: string, start: readonly number[], count: readonly number[]): Promise<void>;
}

interface Block {
  name: string;
  start: readonly number[];
  count: readonly number[];
  values: RawValues;
}

/** @throws DamagedFileError */
async function openZarrFile(folder: string): Promise<ZarrFile> {
  const { attributes, arrays } = await openZarrStore(folder);
  const variables = new Map<string, NetcdfVariable>();
  const coordinates = new Map<string, Float64Array>();
  for (const array of arrays.values()) {
    const isScalar = array.shape.length === 0;
    // Most arrays without dimensions only describe the store: they need not be fetched.
    if (isScalar && !existsSync(join(folder, array.name, "0"))) continue;
    variables.set(array.name, variableOf(array));
    if (isScalar) coordinates.set(array.name, Float64Array.from((await array.chunkOf([])).data, Number));
    else if (array.dimensions.length === 1 && array.dimensions[0] === array.name) {
      coordinates.set(array.name, await readCoordinate(array));
    }
  }
  let loaded: Block | undefined;
  return {
    attributes: plain(attributes),
    variables,
    arrays,
    async load(name, start, count) {
      loaded = undefined;
      loaded = { name, start, count, values: await readBlock(arrays.get(name)!, start, count) };
    },
    read(name, start, count) {
      const coordinate = coordinates.get(name);
      if (coordinate) return coordinate.slice(start[0] ?? 0, (start[0] ?? 0) + (count[0] ?? 1));
      if (loaded?.name !== name) throw new DamagedFileError(`${name} of the Zarr store is not loaded`);
      return partOf(loaded, start, count);
    },
    close() {
      loaded = undefined;
    },
  };
}

/** NumPy's names of numbers that JavaScript has. */
const numeric = /^[<>|][fiu][1248]$/;

function variableOf({ name, shape, dimensions, dtype, fill, attributes }: ZarrArray): NetcdfVariable {
  const named = dimensions.length === shape.length ? dimensions : shape.map((_, axis) => `axis ${axis}`);
  const isCoordinate = shape.length === 1;
  return {
    name,
    dimensions: named.map((dimension, axis) => ({ name: dimension, length: shape[axis]! })),
    // The fill value of an axis is not missing: writers leave 0 there.
    attributes: {
      ...(!isCoordinate && typeof fill === "number" ? { _FillValue: fill } : {}),
      ...plain(attributes),
    },
    numeric: numeric.test(dtype),
    float: dtype[1] === "f",
  };
}

/** The attributes that NetCDF could have. */
function plain(attributes: Readonly<Record<string, unknown>>): Record<string, AttributeValue> {
  const kept = Object.entries(attributes).filter(
    (entry): entry is [string, AttributeValue] =>
      typeof entry[1] === "string" ||
      typeof entry[1] === "number" ||
      (Array.isArray(entry[1]) && entry[1].every((value) => typeof value === "number")),
  );
  return Object.fromEntries(kept);
}

/** Decodes the chunks that a block touches. */
async function readBlock(
  array: ZarrArray,
  start: readonly number[],
  count: readonly number[],
): Promise<RawValues> {
  const cells = cellsOf(count);
  const out = array.dtype.endsWith("f4") ? new Float32Array(cells) : new Float64Array(cells);
  const strides = stridesOf(count);
  const first = start.map((index, axis) => Math.floor(index / array.chunks[axis]!));
  const last = start.map((index, axis) => Math.floor((index + count[axis]! - 1) / array.chunks[axis]!));
  for (const indices of cartesian(first, last)) {
    const { data, stride } = await array.chunkOf(indices);
    const begins = indices.map((index, axis) => index * array.chunks[axis]!);
    const from = begins.map((begin, axis) => Math.max(begin, start[axis]!));
    const to = begins.map((begin, axis) =>
      Math.min(begin + array.chunks[axis]!, start[axis]! + count[axis]!),
    );
    const copy = (axis: number, source: number, target: number): void => {
      const lastAxis = axis === indices.length - 1;
      for (let index = from[axis]!; index < to[axis]!; index++) {
        const sourceAt = source + (index - begins[axis]!) * stride[axis]!;
        const targetAt = target + (index - start[axis]!) * strides[axis]!;
        if (lastAxis) out[targetAt] = Number(data[sourceAt]);
        else copy(axis + 1, sourceAt, targetAt);
      }
    };
    copy(0, 0, 0);
  }
  return out;
}

/** A block within a loaded block. */
function partOf(block: Block, start: readonly number[], count: readonly number[]): RawValues {
  const inside = start.every(
    (index, axis) =>
      index >= block.start[axis]! && index + count[axis]! <= block.start[axis]! + block.count[axis]!,
  );
  if (!inside) throw new DamagedFileError(`a part of ${block.name} is read that is not loaded`);
  const strides = stridesOf(block.count);
  const out =
    block.values instanceof Float32Array
      ? new Float32Array(cellsOf(count))
      : new Float64Array(cellsOf(count));
  let at = 0;
  const copy = (axis: number, source: number): void => {
    for (let index = 0; index < count[axis]!; index++) {
      const next = source + (start[axis]! - block.start[axis]! + index) * strides[axis]!;
      if (axis === count.length - 1) out[at++] = block.values[next]!;
      else copy(axis + 1, next);
    }
  };
  copy(0, 0);
  return out;
}

/** Row-major strides. */
function stridesOf(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1);
  for (let axis = shape.length - 2; axis >= 0; axis--) strides[axis] = strides[axis + 1]! * shape[axis + 1]!;
  return strides;
}

/** All tuples of whole numbers between two, both included. */
function cartesian(first: readonly number[], last: readonly number[]): number[][] {
  return first.reduce<number[][]>(
    (tuples, from, axis) =>
      tuples.flatMap((tuple) =>
        Array.from({ length: last[axis]! - from + 1 }, (_, i) => [...tuple, from + i]),
      ),
    [[]],
  );
}
