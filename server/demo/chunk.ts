import { LRUCache } from "lru-cache";
import { FILL, type FieldName, fields } from "#lib/catalog/fields.ts";
import { type GridPart, partGrid } from "#lib/field/frame-chunks.ts";
import { type Grid, strided } from "#lib/field/grid.ts";
import { pack } from "#server/archive/field-writer.ts";
import { chunkCounts, levelGrid, mapChunk, type Shape } from "#server/archive/layout.ts";
import type { Run } from "#server/archive/run.ts";
import { crc32c } from "#server/archive/shard.ts";
import { groupOf } from "#server/demo/fields/field-groups.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { demoRunOf } from "./runs.ts";
import { weatherTime } from "./timing-error.ts";

/** One array of the demo world: a field of a run in one layout. */
export interface DemoArray {
  run: Run;
  field: FieldName;
  /** 0 for the points layout, else the stride of the level. */
  stride: number;
  shape: Shape;
  chunk: Shape;
}

const CRC_BYTES = 4;

/** Few steps: finding the weather systems of an hour costs more than the nodes of a chunk. */
const POINT_CHUNK: Shape = [2, 16, 16];

/**
 * The array of a folder `runs/<id>/points/<field>` or `runs/<id>/maps/<stride>/<field>`.
 *
 * @returns undefined if the demo world has no such array.
 */
export function demoArray(folder: string): DemoArray | undefined {
  const match = /^runs\/([^/]+)\/(?:points|maps\/([1-9]\d*))\/([^/]+)$/.exec(folder);
  const run = match && demoRunOf(match[1]!);
  const field = match?.[3] as FieldName;
  if (!run || !Object.hasOwn(run.fields, field)) return undefined;
  const stride = Number(match[2] ?? 0);
  if (stride !== 0 && !run.levels.includes(stride)) return undefined;
  const { latitude, longitude } = run.grid;
  const rows = strided(latitude, stride || 1).count;
  const columns = strided(longitude, stride || 1).count;
  const shape: Shape = [run.times.length, rows, columns];
  return { run, field, stride, shape, chunk: stride === 0 ? POINT_CHUNK : mapChunk(shape) };
}

/** How many chunks an array has. */
export function chunkCount({ shape, chunk }: DemoArray): number {
  return chunkCounts(shape, chunk).reduce((product, count) => product * count, 1);
}

/** Bytes of every chunk of an array, its checksum included. */
export function chunkBytes({ chunk }: DemoArray): number {
  return 2 * chunk[0] * chunk[1] * chunk[2] + CRC_BYTES;
}

/**
 * Computes one chunk of an array, and the same chunk of the fields that are computed together with it.
 *
 * @param number In C order of the chunk grid.
 * @returns Int16 as little-endian bytes and their crc32c, as a file would hold them.
 */
export function computeChunk(
  world: World,
  array: DemoArray,
  number: number,
): Map<FieldName, Uint8Array<ArrayBuffer>> {
  const { run, shape, chunk } = array;
  const [, chunkRows, chunkColumns] = chunkCounts(shape, chunk);
  const firstStep = Math.floor(number / (chunkRows * chunkColumns)) * chunk[0];
  const firstRow = (Math.floor(number / chunkColumns) % chunkRows) * chunk[1];
  const firstColumn = (number % chunkColumns) * chunk[2];
  const rows = Math.min(chunk[1], shape[1] - firstRow);
  const columns = Math.min(chunk[2], shape[2] - firstColumn);
  const part = { row: firstRow, rows, column: firstColumn, columns };
  const grid = gridOf(run, array.stride || 1, part);

  const group = groupOf(array.field);
  const names = group.fields.filter((name) => Object.hasOwn(run.fields, name));
  const stepValues = chunk[1] * chunk[2];
  const stored = new Map(names.map((name) => [name, new Int16Array(chunk[0] * stepValues).fill(FILL)]));
  const packed = new Int16Array(rows * columns);
  const steps = run.fields[array.field]?.steps;
  for (let step = firstStep; step < Math.min(firstStep + chunk[0], shape[0]); step++) {
    if (steps && !steps.includes(step)) continue;
    const values = group.compute(world, { grid, time: weatherTime(run, group, run.times[step]!) });
    for (const [name, out] of stored) {
      pack(values[name]!, fields[name], packed, { values: 0, missing: 0, outOfRange: 0 });
      const at = (step - firstStep) * stepValues;
      for (let row = 0; row < rows; row++) {
        out.set(packed.subarray(row * columns, (row + 1) * columns), at + row * chunk[2]);
      }
    }
  }
  return new Map([...stored].map(([name, values]) => [name, withChecksum(values)]));
}

const grids = new LRUCache<string, Grid>({ max: 1024 });

/** The same grid object for the same part, so that `nodesOf` computes each grid once. */
function gridOf(run: Run, stride: number, part: GridPart): Grid {
  const { row, rows, column, columns } = part;
  const key = `${stride} ${row} ${rows} ${column} ${columns}`;
  const known = grids.get(key);
  if (known) return known;
  const grid = partGrid(levelGrid(run, stride), part);
  grids.set(key, grid);
  return grid;
}

function withChecksum(values: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(values.byteLength + CRC_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) view.setInt16(2 * i, values[i]!, true);
  view.setUint32(values.byteLength, crc32c(bytes, 0, values.byteLength), true);
  return bytes;
}
