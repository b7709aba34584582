import { setImmediate as nextTurn } from "node:timers/promises";
import { FILL, type FieldName } from "#lib/catalog/fields.ts";
import { type Grid, strided } from "#lib/field/grid.ts";
import { decodeChunk, rangesOf } from "#server/archive/load-chunks.ts";
import type { Run } from "#server/archive/run.ts";
import { chunkOffset } from "#server/archive/shard-index.ts";
import type { ChunkStore } from "#server/archive/store.ts";
import { type OpenArray, openArray } from "#server/archive/stored-array.ts";
import { mapsGroup } from "#server/archive/zarr-metadata.ts";

/** Compressed chunks decoded before others get their turn: a few milliseconds of work. */
const CHUNKS_A_TURN = 16;

/** One step of a field on the grid of a level. */
export interface MapStep {
  grid: Grid;
  /** As stored: value = scale · stored + offset, `FILL` = missing; (rows, columns), south to north. */
  values: Int16Array;
}

/**
 * Reads one whole step of the maps layout.
 *
 * @param timeIndex Into the run's times; a step that the field does not have is all missing.
 * @param stride One of the run's levels.
 */
export async function readMapStep(
  store: ChunkStore,
  run: Run,
  field: FieldName,
  timeIndex: number,
  stride: number,
  signal: AbortSignal,
): Promise<MapStep> {
  signal.throwIfAborted();
  if (!(timeIndex in run.times)) throw new RangeError(`${run.id} has no step ${timeIndex}`);
  if (!run.levels.includes(stride)) throw new RangeError(`${run.id} has no level of stride ${stride}`);
  const array = await openArray(store, run, mapsGroup(stride), field, signal);
  const [, rows, columns] = array.shape;
  const values = new Int16Array(rows * columns).fill(FILL);
  const [, chunkRows, chunkColumns] = array.chunks;
  const first = timeIndex * chunkRows * chunkColumns;
  const stored: number[] = [];
  for (let chunk = first; chunk < first + chunkRows * chunkColumns; chunk++)
    if (chunkOffset(array.index, chunk) >= 0) stored.push(chunk);
  const parts = await store.getRanges(array.key, rangesOf(array, stored), signal);
  for (const [i, chunk] of stored.entries()) {
    place(array, chunk - first, decodeChunk(array, chunk, parts[i]!), values);
    if (i % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) {
      await nextTurn();
      signal.throwIfAborted();
    }
  }
  const { latitude, longitude } = run.grid;
  return { grid: { latitude: strided(latitude, stride), longitude: strided(longitude, stride) }, values };
}

/** Copies a chunk to its place in the step, without what lies beyond the grid. */
function place(array: OpenArray, chunk: number, decoded: Uint8Array, step: Int16Array): void {
  const [, rows, columns] = array.shape;
  const [, height, width] = array.chunk;
  const south = Math.floor(chunk / array.chunks[2]) * height;
  const west = (chunk % array.chunks[2]) * width;
  const view = new DataView(decoded.buffer, decoded.byteOffset, decoded.byteLength);
  const northEnd = Math.min(south + height, rows);
  const eastEnd = Math.min(west + width, columns);
  for (let row = south; row < northEnd; row++) {
    let at = (row - south) * width * 2;
    for (let column = west; column < eastEnd; column++, at += 2)
      step[row * columns + column] = view.getInt16(at, true);
  }
}
