import { FILL, type FieldName } from "#lib/catalog/fields.ts";
import type { GridPart } from "#lib/field/frame-chunks.ts";
import { chunksOf, decodeAll, partOf, place, type StepWindow } from "./chunk-windows.ts";
import { everyNth } from "./layout.ts";
import { int16Of } from "./little-endian.ts";
import { type OpenArray, openArray } from "./open-arrays.ts";
import type { Run } from "./run.ts";
import type { ChunkStore } from "./store.ts";
import { pointsGroup } from "./zarr-metadata.ts";

/** Chunks decoded before yielding to other requests: a few milliseconds of work. */
const CHUNKS_PER_TURN = 4096;

/** A window of one step of a level, from the points layout: chunks with all their steps are decoded. */
export async function stepOfPoints(
  store: ChunkStore,
  { run, field, timeIndex, stride, window }: StepWindow,
  signal: AbortSignal,
): Promise<Int16Array> {
  const array = await openArray(store, run, pointsGroup, field, signal);
  const native = {
    row: window.row * stride,
    rows: (window.rows - 1) * stride + 1,
    column: window.column * stride,
    columns: (window.columns - 1) * stride + 1,
  };
  const [values] = await readSteps(store, array, [timeIndex], native, signal);
  return stride === 1 ? values! : everyNth(values!, native.columns, stride, window.rows, window.columns);
}

/** Whole steps of the native grid that share their chunks, of which each is decoded once. */
export interface StepsOfPoints {
  /** How many consecutive steps, from a multiple of it on, share their chunks. */
  together: number;
  /** @param timeIndices Within one multiple of `together`. @returns As stored, (rows, columns), in the order asked for. */
  read(timeIndices: readonly number[], signal: AbortSignal): Promise<Int16Array[]>;
}

/** Opens a field of a run to read all its steps. */
export async function openSteps(
  store: ChunkStore,
  run: Run,
  field: FieldName,
  signal: AbortSignal,
): Promise<StepsOfPoints> {
  const array = await openArray(store, run, pointsGroup, field, signal);
  const whole = { row: 0, rows: array.shape[1], column: 0, columns: array.shape[2] };
  return {
    together: array.chunk[0],
    read: (timeIndices, wanted) => readSteps(store, array, timeIndices, whole, wanted),
  };
}

async function readSteps(
  store: ChunkStore,
  array: OpenArray,
  timeIndices: readonly number[],
  window: GridPart,
  signal: AbortSignal,
): Promise<Int16Array[]> {
  const [steps, height, width] = array.chunk;
  const first = Math.floor((timeIndices[0] ?? 0) / steps) * array.chunks[1] * array.chunks[2];
  const read = timeIndices.map((timeIndex) => ({
    at: (timeIndex % steps) * height * width,
    values: new Int16Array(window.rows * window.columns).fill(FILL),
  }));
  const take = (chunk: number, decoded: Uint8Array) => {
    const of = partOf(array, chunk - first);
    const block = int16Of(decoded);
    for (const { at, values } of read) place(block.subarray(at, at + height * width), of, values, window);
  };
  await decodeAll(store, array, chunksOf(array, window, first), CHUNKS_PER_TURN, take, signal);
  return read.map(({ values }) => values);
}
