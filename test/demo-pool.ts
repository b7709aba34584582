import { computeCells } from "#server/demo/compute-cells.ts";
import { computeChunks } from "#server/demo/compute-chunks.ts";
import type { DemoPool } from "#server/demo/pool.ts";
import { demoWorld } from "./demo-world.ts";

/** One call of a pool. */
export interface PoolCall {
  folder: string;
  chunks: number[];
  signal?: AbortSignal;
}

/** One call for single cells. */
export interface CellCall {
  folder: string;
  cells: Int32Array;
}

/** The demo world computed in this thread, in two parts as by two threads; `calls` records every call. */
export function inlinePool(
  seed = 1,
): Pick<DemoPool, "compute" | "computeCells"> & { calls: PoolCall[]; cells: CellCall[] } {
  const world = demoWorld(seed);
  const calls: PoolCall[] = [];
  const cellCalls: CellCall[] = [];
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  return {
    calls,
    cells: cellCalls,
    async computeCells(folder, cells, signal) {
      signal?.throwIfAborted();
      cellCalls.push({ folder, cells });
      const half = 3 * Math.ceil(cells.length / 6);
      return [cells.subarray(0, half), cells.subarray(half)]
        .filter((part) => part.length > 0)
        .map((part) => computeCells(world, { folder, cells: part, stopped })!);
    },
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
