import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import type { FieldName } from "#lib/catalog/fields.ts";
import { chunkBytes, computeChunk, demoArray } from "#server/archive/demo/chunk.ts";
import { staticWorld } from "#server/archive/demo/static-world.ts";
import type { World } from "#server/archive/demo/world.types.ts";

/** What a worker is started with. */
export interface DemoSettings {
  seed: number;
  /** Where the static world is kept. */
  folder: string;
}

/** Chunks of one array, by their numbers. */
export interface ChunkTask {
  folder: string;
  chunks: number[];
}

/** The chunks asked for of each of `fields`, field by field, all equally long. */
export interface ComputedChunks {
  fields: FieldName[];
  buffer: ArrayBuffer;
}

const { seed, folder: home } = workerData as DemoSettings;
const world: World = { seed, static: staticWorld(home) };

/** Runs in a thread of its own: see `demoPool`. No chunks only make the world ready. */
export default function computeChunks({ folder, chunks }: ChunkTask): unknown {
  if (chunks.length === 0) return undefined;
  const array = demoArray(folder);
  if (!array) throw new RangeError(`The demo world has no ${folder}`);
  const length = chunkBytes(array);
  const fields: FieldName[] = [];
  let all = new Uint8Array();
  chunks.forEach((number, index) => {
    const computed = computeChunk(world, array, number);
    if (index === 0) {
      fields.push(...computed.keys());
      all = new Uint8Array(fields.length * chunks.length * length);
    }
    fields.forEach((field, place) => {
      all.set(computed.get(field)!, (place * chunks.length + index) * length);
    });
  });
  const result: ComputedChunks = { fields, buffer: all.buffer };
  return move({ [transferableSymbol]: [all.buffer], [valueSymbol]: result } as never);
}
