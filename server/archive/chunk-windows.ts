import type { FieldName } from "#lib/catalog/fields.ts";
import type { GridPart } from "#lib/field/frame-chunks.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { decodeChunk, decodeLocal, fetchChunks, isLocal } from "./load-chunks.ts";
import type { OpenArray } from "./open-arrays.ts";
import type { Run } from "./run.ts";
import { chunkOffset } from "./shard-index.ts";
import type { ChunkStore } from "./store.ts";

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
export function chunksOf(
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
export async function decodeAll(
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
export function partOf(
  { chunk: [, rows, columns], chunks: [, , across] }: OpenArray,
  chunk: number,
): GridPart {
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
