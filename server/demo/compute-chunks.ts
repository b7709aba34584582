import type { FieldName } from "#lib/catalog/fields.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { chunkBytes, computeChunk, demoArray } from "./chunk.ts";

/** Chunks of one array, by their numbers. */
export interface ChunkTask {
  folder: string;
  chunks: number[];
  /** Set to 1 when the result is no longer needed. */
  stopped: Int32Array<SharedArrayBuffer>;
}

/** What was asked for of each of `fields`, field by field, all equally long: chunks, or the stored values of cells. */
export interface Computed {
  fields: FieldName[];
  buffer: ArrayBuffer;
}

/** @returns undefined if it was stopped before the last chunk. */
export function computeChunks(world: World, { folder, chunks, stopped }: ChunkTask): Computed | undefined {
  const array = demoArray(folder);
  if (!array) throw new RangeError(`The demo world has no ${folder}`);
  const length = chunkBytes(array);
  const fields: FieldName[] = [];
  let all = new Uint8Array();
  for (const [index, number] of chunks.entries()) {
    if (Atomics.load(stopped, 0) !== 0) return undefined;
    const computed = computeChunk(world, array, number);
    if (index === 0) {
      fields.push(...computed.keys());
      all = new Uint8Array(fields.length * chunks.length * length);
    }
    for (const [place, field] of fields.entries()) {
      all.set(computed.get(field)!, (place * chunks.length + index) * length);
    }
  }
  return { fields, buffer: all.buffer };
}
