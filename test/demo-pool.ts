import { compute, type Task } from "#server/demo/compute.ts";
import type { DemoPool } from "#server/demo/store.ts";
import { demoWorld } from "./demo-world.ts";

export type PoolCall = Pick<Task, "folder" | "items"> & { signal?: AbortSignal };

/** The demo computed in this thread, in two parts as by two threads; `calls` records every call. */
export function inlinePool(seed = 1): Pick<DemoPool, "compute"> & { calls: PoolCall[] } {
  const world = demoWorld(seed);
  const calls: PoolCall[] = [];
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  return {
    calls,
    async compute(folder, items, signal) {
      signal?.throwIfAborted();
      calls.push({ folder, items, signal });
      return halves(items).map((part) => compute(world, { folder, items: part, stopped })!);
    },
  };
}

function halves(items: Task["items"]): Task["items"][] {
  if ("chunks" in items) {
    const half = Math.ceil(items.chunks.length / 2);
    return [{ chunks: items.chunks.slice(0, half) }, { chunks: items.chunks.slice(half) }];
  }
  const half = 3 * Math.ceil(items.cells.length / 6);
  return [{ cells: items.cells.slice(0, half) }, { cells: items.cells.slice(half) }];
}
