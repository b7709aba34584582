import { FILL, type FieldName } from "#lib/catalog/fields.ts";
import { type GridPart, partGrid, wholePart } from "#lib/field/frame-chunks.ts";
import type { Grid } from "#lib/field/grid.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { everyNth, levelGrid } from "./layout.ts";
import { decodeChunk, decodeLocal, fetchChunks, isLocal } from "./load-chunks.ts";
import { type OpenArray, openArray } from "./open-arrays.ts";
import type { Run } from "./run.ts";
import { chunkOffset } from "./shard-index.ts";
import type { ChunkStore } from "./store.ts";
import { mapsGroup, pointsGroup } from "./zarr-metadata.ts";

/** Compressed chunks decoded before yielding to other requests: a few milliseconds of work. */
const CHUNKS_PER_TURN = 16;
const POINT_CHUNKS_PER_TURN = 4096;

/** One step of a field on the grid of a level, or on a window of it. */
export interface MapStep {
  grid: Grid;
  /** As stored: value = scale · stored + offset, `FILL` = missing; (rows, columns), south to north. */
  values: Int16Array;
}

/**
 * Which step to read.
 *
 * - timeIndex: into the run's times; every value is missing at a step that the field does not have.
 * - stride: one of the run's levels.
 * - part: window of the level's grid; the whole grid if absent. Only the chunks that it touches are read.
 */
export type MapStepRequest = [
  run: Run,
  field: FieldName,
  timeIndex: number,
  stride: number,
  signal: AbortSignal,
  part?: GridPart,
];

/** Reads one step of the maps layout. */
export async function readMapStep(
  store: ChunkStore,
  ...[run, field, timeIndex, stride, signal, part]: MapStepRequest
): Promise<MapStep> {
  signal.throwIfAborted();
  if (!(timeIndex in run.times)) throw new RangeError(`${run.id} has no step ${timeIndex}`);
  if (!run.levels.includes(stride)) throw new RangeError(`${run.id} has no level of stride ${stride}`);
  const level = levelGrid(run, stride);
  const window = part ?? wholePart(level);
  if (run.fields[field]?.maps === false)
    return {
      grid: partGrid(level, window),
      values: await stepOfPoints(store, run, field, timeIndex, stride, window, signal),
    };
  const array = await openArray(store, run, mapsGroup(stride), field, signal);
  const values = new Int16Array(window.rows * window.columns);
  const first = timeIndex * array.chunks[1] * array.chunks[2];
  const touched = chunksOf(array, window, first);
  const stored = touched.filter((chunk) => chunkOffset(array.index, chunk) >= 0);
  if (stored.length < touched.length) values.fill(FILL);
  const take = (chunk: number, decoded: Uint8Array) =>
    place(array, chunk - first, int16Of(decoded), window, values);
  await decodeAll(store, array, stored, CHUNKS_PER_TURN, take, signal);
  return { grid: partGrid(level, window), values };
}

/** Decodes chunks of an array, in the order of the file, and yields to other requests in between. */
async function decodeAll(
  store: ChunkStore,
  array: OpenArray,
  stored: readonly number[],
  chunksPerTurn: number,
  take: (chunk: number, decoded: Uint8Array) => void,
  signal: AbortSignal,
): Promise<void> {
  const parts = isLocal(store) ? [] : await fetchChunks(store, array, stored, signal);
  for (let from = 0; from < stored.length; from += chunksPerTurn) {
    if (from > 0) {
      await nextTurn();
      signal.throwIfAborted();
    }
    const turn = stored.slice(from, from + chunksPerTurn);
    if (isLocal(store)) decodeLocal(store, array, turn, take);
    else for (const [i, chunk] of turn.entries()) take(chunk, decodeChunk(array, chunk, parts[from + i]!));
  }
}

/** The same from the points layout, for a field whose steps are not stored whole: chunks with all their steps are decoded. */
async function stepOfPoints(
  store: ChunkStore,
  run: Run,
  field: FieldName,
  timeIndex: number,
  stride: number,
  window: GridPart,
  signal: AbortSignal,
): Promise<Int16Array> {
  const array = await openArray(store, run, pointsGroup, field, signal);
  const native = {
    row: window.row * stride,
    rows: (window.rows - 1) * stride + 1,
    column: window.column * stride,
    columns: (window.columns - 1) * stride + 1,
  };
  const [steps, height, width] = array.chunk;
  const first = Math.floor(timeIndex / steps) * array.chunks[1] * array.chunks[2];
  const at = (timeIndex % steps) * height * width;
  const stored = chunksOf(array, native, first).filter((chunk) => chunkOffset(array.index, chunk) >= 0);
  const values = new Int16Array(native.rows * native.columns).fill(FILL);
  const take = (chunk: number, decoded: Uint8Array) =>
    place(array, chunk - first, int16Of(decoded).subarray(at, at + height * width), native, values);
  await decodeAll(store, array, stored, POINT_CHUNKS_PER_TURN, take, signal);
  return stride === 1 ? values : everyNth(values, native.columns, stride, window.rows, window.columns);
}

/** Numbers of the chunks that a window touches, in the order of the file. @param first Number of the first of their steps. */
function chunksOf(
  { chunk: [, height, width], chunks: [, , across] }: OpenArray,
  window: GridPart,
  first: number,
): number[] {
  const chunks: number[] = [];
  const lastRow = Math.floor((window.row + window.rows - 1) / height);
  const lastColumn = Math.floor((window.column + window.columns - 1) / width);
  for (let row = Math.floor(window.row / height); row <= lastRow; row++)
    for (let column = Math.floor(window.column / width); column <= lastColumn; column++)
      chunks.push(first + row * across + column);
  return chunks;
}

/** Copies the part of a chunk that lies in the window to its place there. */
function place(
  array: OpenArray,
  chunk: number,
  values: Int16Array,
  window: GridPart,
  step: Int16Array,
): void {
  const [, height, width] = array.chunk;
  const south = Math.floor(chunk / array.chunks[2]) * height;
  const west = (chunk % array.chunks[2]) * width;
  const northEnd = Math.min(south + height, window.row + window.rows);
  const westStart = Math.max(west, window.column);
  const eastEnd = Math.min(west + width, window.column + window.columns);
  for (let row = Math.max(south, window.row); row < northEnd; row++) {
    const from = (row - south) * width - west;
    const to = (row - window.row) * window.columns - window.column;
    step.set(values.subarray(from + westStart, from + eastEnd), to + westStart);
  }
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Little-endian bytes as numbers, without a copy where byte order and alignment allow. */
function int16Of(bytes: Uint8Array): Int16Array {
  if (LITTLE_ENDIAN && bytes.byteOffset % 2 === 0)
    return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Int16Array.from({ length: bytes.length / 2 }, (_, i) => view.getInt16(2 * i, true));
}
