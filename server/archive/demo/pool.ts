import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { ChunkTask, ComputedChunks, DemoSettings } from "#server/archive/demo/worker.ts";

/** Threads that compute the demo world, so that the thread of the requests stays free. */
export interface DemoPool {
  /** Makes the world ready: some seconds at the very first start, then a blink. */
  warm(): Promise<void>;
  compute(folder: string, chunks: number[], signal?: AbortSignal): Promise<ComputedChunks[]>;
  close(): Promise<void>;
}

const MOST_THREADS = 4;

export function demoPool(settings: DemoSettings): DemoPool {
  const threads = Math.min(MOST_THREADS, availableParallelism());
  const pool = new Piscina<ChunkTask, ComputedChunks>({
    filename: new URL("./worker.ts", import.meta.url).href,
    workerData: settings,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
  });
  return {
    warm: async () => {
      await pool.run({ folder: "", chunks: [] });
    },
    compute(folder, chunks, signal) {
      const share = Math.ceil(chunks.length / threads);
      const tasks: ChunkTask[] = [];
      for (let from = 0; from < chunks.length; from += share) {
        tasks.push({ folder, chunks: chunks.slice(from, from + share) });
      }
      return Promise.all(tasks.map((task) => pool.run(task, { signal })));
    },
    close: () => pool.destroy(),
  };
}
