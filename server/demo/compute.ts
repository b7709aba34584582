import { type Grid, strided } from "@open-metocean/geo/grid";
import { LRUCache } from "lru-cache";
import type { FieldName } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { type StoredName, storedField } from "#lib/catalog/stored-names.ts";
import { type GridPart, partGrid } from "#lib/field/frame-chunks.ts";
import { pack } from "#server/archive/field-writer.ts";
import { chunkCounts, levelGrid, mapChunk, memberChunk, type Shape } from "#server/archive/layout.ts";
import type { Run } from "#server/archive/run.ts";
import { crc32c } from "#server/archive/shard.ts";
import type { MemberAxis } from "#server/archive/zarr-metadata.ts";
import { ensembleGroupOf, ensembleValues } from "./ensemble.ts";
import { groupOf } from "./field-groups.ts";
import { demoRunOf, weatherTime } from "./runs.ts";
import type { World } from "./static/world.ts";

/** One array of the demo: a field of a run in one layout. */
export interface DemoArray {
  run: Run;
  field: StoredName;
  /** 0 for the points layout, otherwise the stride of the level. */
  stride: number;
  shape: Shape;
  chunk: Shape;
  members?: MemberAxis | undefined;
  /** Fields of the run that are computed together with this one, including it. */
  together: StoredName[];
}

const CRC_BYTES = 4;
const CELL_BYTES = 8;

/** A chunk has few steps, because finding the weather systems of an hour costs more than computing its nodes. */
const POINT_CHUNK: Shape = [2, 16, 16];

/** A chunk of whole steps of members is smaller than others, because each member of it is computed. */
const MEMBER_MAP_CHUNK: Shape = [1, 46, 45];

/**
 * The array of a folder `runs/<id>/points/<field>` or `runs/<id>/maps/<stride>/<field>`.
 *
 * @returns undefined if the demo has no such array.
 */
export function demoArray(folder: string): DemoArray | undefined {
  const match = /^runs\/([^/]+)\/(?:points|maps\/([1-9]\d*))\/([^/]+)$/.exec(folder);
  const run = match && demoRunOf(match[1]!);
  const field = match?.[3] as StoredName;
  if (!run || !Object.hasOwn(run.fields, field)) return undefined;
  const stride = Number(match[2] ?? 0);
  if (stride !== 0 && !run.levels.includes(stride)) return undefined;
  const { latitude, longitude } = run.grid;
  const rows = strided(latitude, stride || 1).count;
  const columns = strided(longitude, stride || 1).count;
  const shape: Shape = [run.times.length, rows, columns];
  const together = togetherWith(run, field);
  if (!run.fields[field]?.members)
    return { run, field, stride, shape, chunk: stride === 0 ? POINT_CHUNK : mapChunk(shape), together };
  const count = run.ensemble!.members.length;
  if (stride !== 0) {
    const members = { count, places: count };
    return { run, field, stride, shape, chunk: MEMBER_MAP_CHUNK, members, together };
  }
  const { chunk, places } = memberChunk(run.times.length, count);
  return { run, field, stride, shape, chunk, members: { count, places }, together };
}

function togetherWith(run: Run, field: StoredName): StoredName[] {
  const names: readonly StoredName[] = run.ensemble
    ? ensembleGroupOf(field)
    : groupOf(field as FieldName).fields;
  return names.filter((name) => Object.hasOwn(run.fields, name));
}

export function chunkCount({ shape, chunk }: DemoArray): number {
  return chunkCounts(shape, chunk).reduce((product, count) => product * count, 1);
}

/** Size of every chunk of an array, with its checksum, bytes. */
export function chunkBytes({ chunk, members }: DemoArray): number {
  return 2 * chunk[0] * (members?.places ?? 1) * chunk[1] * chunk[2] + CRC_BYTES;
}

/**
 * Items to compute: chunks by their numbers in C order, or cells as in `ChunkStore.getCells`, with three numbers each.
 */
export interface Task {
  folder: string;
  items: { chunks: number[] } | { cells: Int32Array };
  /** Set to 1 when the result is no longer needed. */
  stopped: Int32Array<SharedArrayBuffer>;
}

/**
 * All items of the task for each of `fields`, one after another: chunks as stored, or the int16 values of four corners.
 */
export interface Computed {
  fields: StoredName[];
  bytes: Uint8Array<ArrayBuffer>;
}

/** @returns undefined if it was stopped before the last item. */
export function compute(world: World, { folder, items, stopped }: Task): Computed | undefined {
  const array = demoArray(folder);
  if (!array) throw new RangeError(`The demo world has no ${folder}`);
  const isChunks = "chunks" in items;
  const count = isChunks ? items.chunks.length : items.cells.length / 3;
  const length = isChunks ? chunkBytes(array) : CELL_BYTES;
  const { together } = array;
  const bytes = new Uint8Array(together.length * count * length);
  for (let item = 0; item < count; item++) {
    if (Atomics.load(stopped, 0) !== 0) return undefined;
    const outs = together.map((_, place) => {
      const at = (place * count + item) * length;
      return bytes.subarray(at, at + length);
    });
    if (isChunks) computeChunk(world, array, items.chunks[item]!, outs);
    else computeCell(world, array, items.cells.subarray(3 * item, 3 * item + 3), outs);
  }
  return { fields: together, bytes };
}

/** Computes one chunk of all fields that are computed together, each with its crc32c, as a file would contain it. */
function computeChunk(world: World, array: DemoArray, number: number, outs: readonly Uint8Array[]): void {
  const { run, shape, chunk, members = { count: 1, places: 1 }, together } = array;
  const [, chunkRows, chunkColumns] = chunkCounts(shape, chunk);
  const firstStep = Math.floor(number / (chunkRows * chunkColumns)) * chunk[0];
  const row = (Math.floor(number / chunkColumns) % chunkRows) * chunk[1];
  const column = (number % chunkColumns) * chunk[2];
  const rows = Math.min(chunk[1], shape[1] - row);
  const columns = Math.min(chunk[2], shape[2] - column);
  const grid = gridOf(run, array.stride || 1, { row, rows, column, columns });
  const stored = together.map(() =>
    new Int16Array(chunk[0] * members.places * chunk[1] * chunk[2]).fill(FILL),
  );
  const steps = run.fields[array.field]?.steps;
  for (let step = firstStep; step < Math.min(firstStep + chunk[0], shape[0]); step++) {
    if (steps && !steps.includes(step)) continue;
    for (const [place, packed] of packedAt(world, array, grid, step).entries()) {
      for (let line = 0; line < members.count * rows; line++) {
        const layer = (step - firstStep) * members.places + Math.floor(line / rows);
        const at = (layer * chunk[1] + (line % rows)) * chunk[2];
        stored[place]!.set(packed.subarray(line * columns, (line + 1) * columns), at);
      }
    }
  }
  for (const [place, out] of outs.entries()) {
    out.set(new Uint8Array(stored[place]!.buffer));
    const body = out.length - CRC_BYTES;
    new DataView(out.buffer, out.byteOffset).setUint32(body, crc32c(out, 0, body), true);
  }
}

/**
 * Computes a cell with the functions that compute chunks, so that every node has the value that it has in its chunk.
 */
function computeCell(world: World, array: DemoArray, cell: Int32Array, outs: readonly Uint8Array[]): void {
  const { latitude, longitude } = array.run.grid;
  const [step, row, column] = cell as unknown as [number, number, number];
  // The column after the last is the first, because nodes are the same in every longitude convention.
  const grid = {
    latitude: { start: latitude.start + row * latitude.step, step: latitude.step, count: 2 },
    longitude: { start: longitude.start + column * longitude.step, step: longitude.step, count: 2 },
  };
  for (const [place, packed] of packedAt(world, array, grid, step).entries())
    outs[place]!.set(new Uint8Array(packed.buffer));
}

/** Values of all fields that are computed together, quantised as stored: of each member where a field has members. */
function packedAt(world: World, { run, field, together }: DemoArray, grid: Grid, step: number): Int16Array[] {
  const values = run.ensemble
    ? ensembleValues(world, run, together, grid, step)
    : valuesOfPlanet(world, run, field as FieldName, grid, step);
  return together.map((name) => {
    const packed = new Int16Array(values[name]!.length);
    pack(values[name]!, storedField(name), packed, { values: 0, missing: 0, outOfRange: 0 });
    return packed;
  });
}

function valuesOfPlanet(world: World, run: Run, field: FieldName, grid: Grid, step: number) {
  const values = groupOf(field).compute(world, { grid, time: weatherTime(run, field, run.times[step]!) });
  return values as Partial<Record<StoredName, Float32Array>>;
}

const grids = new LRUCache<string, Grid>({ max: 1024 });

/** Returns the same grid object for the same part, so that `nodesOf` computes each grid once. */
function gridOf(run: Run, stride: number, part: GridPart): Grid {
  const key = `${stride} ${part.row} ${part.rows} ${part.column} ${part.columns}`;
  const known = grids.get(key) ?? partGrid(levelGrid(run, stride), part);
  grids.set(key, known);
  return known;
}
