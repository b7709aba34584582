import { FILL, type FieldName } from "#lib/catalog/fields.ts";
import { type GridPart, partGrid, wholePart } from "#lib/field/frame-chunks.ts";
import type { Grid } from "#lib/field/grid.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { int16Of } from "./blosc.ts";
import { stepOfFrames } from "./frame-steps.ts";
import { everyNth, levelGrid } from "./layout.ts";
import { decodeChunk, decodeLocal, fetchChunks, isLocal } from "./load-chunks.ts";
import { type OpenArray, openArray } from "./open-arrays.ts";
import type { Run } from "./run.ts";
import { chunkOffset } from "./shard.ts";
import type { ChunkStore } from "./store.ts";
import { mapsGroup, pointsGroup } from "./zarr-metadata.ts";

/** Compressed chunks decoded before yielding to other requests: a few milliseconds of work. */
const MAP_CHUNKS_PER_TURN = 16;

/** One step of a field on the grid of a level, or on a window of it. */
export interface MapStep {
  grid: Grid;
  /** As stored: value = scale · stored + offset, `FILL` = missing; (rows, columns), south to north. */
  values: Int16Array;
}

/**
 * Which step to read.
 *
 * - timeIndex: into the run's times; every value is missing at a step that the field does not have, and of a field that the run does not have.
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

/**
 * Reads one step: from the stored frames; where they do not have it, or are damaged, from the points layout, which takes
 * several times as long. In the demo world from the maps layout.
 */
export function readMapStep(store: ChunkStore, ...request: MapStepRequest): Promise<MapStep> {
  return readReportedStep(store, request);
}

/** As `readMapStep`. @param onDamage Told of frames that cannot be read, for which the points are. */
export async function readReportedStep(
  store: ChunkStore,
  [run, field, timeIndex, stride, signal, part]: MapStepRequest,
  onDamage?: (error: unknown) => void,
): Promise<MapStep> {
  signal.throwIfAborted();
  if (!(timeIndex in run.times)) throw new RangeError(`${run.id} has no step ${timeIndex}`);
  if (!run.levels.includes(stride)) throw new RangeError(`${run.id} has no level of stride ${stride}`);
  const level = levelGrid(run, stride);
  const window = part ?? wholePart(level);
  const step = { run, field, timeIndex, stride, window };
  if (!run.fields[field])
    return {
      grid: partGrid(level, window),
      values: new Int16Array(window.rows * window.columns).fill(FILL),
    };
  const values = run.maps
    ? await stepOfMaps(store, step, signal)
    : ((await stepOfFrames(store, step, signal, onDamage)) ?? (await stepOfPoints(store, step, signal)));
  return { grid: partGrid(level, window), values };
}

async function stepOfMaps(
  store: ChunkStore,
  { run, field, timeIndex, stride, window }: StepWindow,
  signal: AbortSignal,
): Promise<Int16Array> {
  const array = await openArray(store, run, mapsGroup(stride), field, signal);
  const values = new Int16Array(window.rows * window.columns).fill(FILL);
  const first = timeIndex * array.chunks[1] * array.chunks[2];
  const take = (chunk: number, decoded: Uint8Array) =>
    place(int16Of(decoded), partOf(array, chunk - first), values, window);
  await decodeAll(store, array, chunksOf(array, window, first), MAP_CHUNKS_PER_TURN, take, signal);
  return values;
}

/** Chunks decoded before yielding to other requests: a few milliseconds of work. */
const POINT_CHUNKS_PER_TURN = 4096;

/** A window of one step of a level, from the points layout: chunks with all their steps are decoded. */
async function stepOfPoints(
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
interface StepsOfPoints {
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
  await decodeAll(store, array, chunksOf(array, window, first), POINT_CHUNKS_PER_TURN, take, signal);
  return read.map(({ values }) => values);
}

/** One step of a field in a window of a level. */
export interface StepWindow {
  run: Run;
  field: FieldName;
  /** Index into the run's times. */
  timeIndex: number;
  /** One of the run's levels. */
  stride: number;
  window: GridPart;
}

/**
 * Numbers of the stored chunks that a window touches, in the order of the file.
 *
 * @param first Number of the first chunk of their steps.
 */
function chunksOf(
  { chunk: [, height, width], chunks: [, , across], index }: OpenArray,
  window: GridPart,
  first: number,
): number[] {
  const chunks: number[] = [];
  const lastRow = Math.floor((window.row + window.rows - 1) / height);
  const lastColumn = Math.floor((window.column + window.columns - 1) / width);
  for (let row = Math.floor(window.row / height); row <= lastRow; row++)
    for (let column = Math.floor(window.column / width); column <= lastColumn; column++) {
      const chunk = first + row * across + column;
      if (chunkOffset(index, chunk) >= 0) chunks.push(chunk);
    }
  return chunks;
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

/** The window of a chunk of the first steps of an array. At the edges of the grid it may reach beyond it. */
function partOf({ chunk: [, rows, columns], chunks: [, , across] }: OpenArray, chunk: number): GridPart {
  return { row: Math.floor(chunk / across) * rows, rows, column: (chunk % across) * columns, columns };
}

/** Copies the numbers that two windows share from one, `of`, to their places in the other. */
export function place(values: Int16Array, of: GridPart, into: Int16Array, window: GridPart): void {
  const northEnd = Math.min(of.row + of.rows, window.row + window.rows);
  const westStart = Math.max(of.column, window.column);
  const eastEnd = Math.min(of.column + of.columns, window.column + window.columns);
  for (let row = Math.max(of.row, window.row); row < northEnd; row++) {
    const from = (row - of.row) * of.columns - of.column;
    const to = (row - window.row) * window.columns - window.column;
    into.set(values.subarray(from + westStart, from + eastEnd), to + westStart);
  }
}
