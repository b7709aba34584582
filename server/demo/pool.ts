import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { ChunkTask, ComputedChunks } from "./compute-chunks.ts";
import type { DemoSettings, DemoTask } from "./worker.ts";

/** Threads that compute the demo world, so that the thread of the requests stays free. */
export interface DemoPool {
  /**
   * Makes the world ready: some seconds at the very first start, then a blink.
   *
   * @returns The memory of what does not change with time, for pools of other threads.
   */
  warm(): Promise<SharedArrayBuffer>;
  /** Rejects with the signal's reason, at the latest when the chunks under way are done. */
  compute(folder: string, chunks: number[], signal?: AbortSignal): Promise<ComputedChunks[]>;
  close(): Promise<void>;
}

const MAX_THREADS = 4;

/** Where a thread's garbage waits for its collection, MiB: its arrays lie elsewhere. */
const YOUNG_MB = 12;

/**
 * @param mostThreads Less where something else has to have a core of its own.
 * @param shared Memory of the world that another pool made ready.
 */
export function demoPool(
  settings: DemoSettings,
  mostThreads = MAX_THREADS,
  shared?: SharedArrayBuffer,
): DemoPool {
  const threads = Math.min(mostThreads, availableParallelism());
  const pool = new Piscina<DemoTask, unknown>({
    filename: new URL("./worker.ts", import.meta.url).href,
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    minThreads: 0,
    maxThreads: threads,
    // Long: a thread begins by learning its way, and somebody waits for a map meanwhile.
    idleTimeout: 600_000,
  });
  let ready = shared && Promise.resolve(shared);
  const warm = () => {
    ready ??= (pool.run({}) as Promise<SharedArrayBuffer>).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  return {
    warm,
    async compute(folder, chunks, signal) {
      const world = await warm();
      signal?.throwIfAborted();
      // Piscina would end the thread of a task whose signal aborts, and the next thread begins by learning its way.
      const stopped = flag();
      const stop = () => Atomics.store(stopped, 0, 1);
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const share = Math.ceil(chunks.length / threads);
        const tasks: (ChunkTask & { world: SharedArrayBuffer })[] = [];
        for (let from = 0; from < chunks.length; from += share) {
          tasks.push({ folder, chunks: chunks.slice(from, from + share), stopped, world });
        }
        const computed = await Promise.all(tasks.map((task) => pool.run(task) as Promise<ComputedChunks>));
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
