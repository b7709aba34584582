import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { ChunkTask, ComputedChunks } from "#server/archive/demo/compute-chunks.ts";
import type { DemoSettings } from "#server/archive/demo/worker.ts";

/** Threads that compute the demo world, so that the thread of the requests stays free. */
export interface DemoPool {
  /** Makes the world ready: some seconds at the very first start, then a blink. */
  warm(): Promise<void>;
  /** Rejects with the signal's reason, at the latest when the chunks under way are done. */
  compute(folder: string, chunks: number[], signal?: AbortSignal): Promise<ComputedChunks[]>;
  close(): Promise<void>;
}

const MOST_THREADS = 4;

/** @param mostThreads Less where something else has to have a core of its own. */
export function demoPool(settings: DemoSettings, mostThreads = MOST_THREADS): DemoPool {
  const threads = Math.min(mostThreads, availableParallelism());
  const pool = new Piscina<ChunkTask, ComputedChunks>({
    filename: new URL("./worker.ts", import.meta.url).href,
    workerData: settings,
    minThreads: 0,
    maxThreads: threads,
    // Long: a thread begins by reading the world and learning its way, and somebody waits for a map meanwhile.
    idleTimeout: 600_000,
  });
  return {
    warm: async () => {
      await pool.run({ folder: "", chunks: [], stopped: flag() });
    },
    async compute(folder, chunks, signal) {
      signal?.throwIfAborted();
      // Piscina would end the thread of a task whose signal aborts, and the next thread begins by reading the world.
      const stopped = flag();
      const stop = () => Atomics.store(stopped, 0, 1);
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const share = Math.ceil(chunks.length / threads);
        const tasks: ChunkTask[] = [];
        for (let from = 0; from < chunks.length; from += share) {
          tasks.push({ folder, chunks: chunks.slice(from, from + share), stopped });
        }
        const computed = await Promise.all(tasks.map((task) => pool.run(task)));
        signal?.throwIfAborted();
        return computed;
      } finally {
        // When one of them failed, the others are not wanted either.
        stop();
        signal?.removeEventListener("abort", stop);
      }
    },
    close: () => pool.destroy(),
  };
}

function flag(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
