import { FILL, type FieldName } from "#lib/catalog/fields.ts";
import { type GridPart, partGrid, wholePart } from "#lib/field/frame-chunks.ts";
import type { Grid } from "#lib/field/grid.ts";
import { chunksOf, decodeAll, partOf, place, type StepWindow } from "./chunk-windows.ts";
import { stepOfFrames } from "./frame-steps.ts";
import { levelGrid } from "./layout.ts";
import { int16Of } from "./little-endian.ts";
import { openArray } from "./open-arrays.ts";
import { stepOfPoints } from "./point-steps.ts";
import type { Run } from "./run.ts";
import type { ChunkStore } from "./store.ts";
import { mapsGroup } from "./zarr-metadata.ts";

/** Compressed chunks decoded before yielding to other requests: a few milliseconds of work. */
const CHUNKS_PER_TURN = 16;

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
  await decodeAll(store, array, chunksOf(array, window, first), CHUNKS_PER_TURN, take, signal);
  return values;
}
