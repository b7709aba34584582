import { computeChunks } from "#server/demo/compute-chunks.ts";
import type { DemoPool } from "#server/demo/pool.ts";
import { demoWorld } from "./demo-world.ts";

/** One call of a pool. */
export interface PoolCall {
  folder: string;
  chunks: number[];
  signal?: AbortSignal;
}

/** The demo world computed in this thread, in two parts as by two threads; `calls` records every call. */
export function inlinePool(seed = 1): Pick<DemoPool, "compute"> & { calls: PoolCall[] } {
  const world = demoWorld(seed);
  const calls: PoolCall[] = [];
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  return {
    calls,
    async compute(folder, chunks, signal) {
      signal?.throwIfAborted();
      calls.push({ folder, chunks, signal });
      const half = Math.ceil(chunks.length / 2);
      return [chunks.slice(0, half), chunks.slice(half)]
        .filter((part) => part.length > 0)
        .map((part) => computeChunks(world, { folder, chunks: part, stopped })!);
    },
  };
}
