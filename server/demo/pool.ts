import { availableParallelism } from "node:os";
import { workerPool } from "#server/platform/worker-pool.ts";
import { demoArray } from "./chunk.ts";
import type { CellTask } from "./compute-cells.ts";
import type { ChunkTask, Computed } from "./compute-chunks.ts";
import type { ComputeInput, DemoSettings } from "./demo-thread.ts";

export type DemoPool = ReturnType<typeof demoPool>;

const MAX_THREADS = 4;

/** Young generation of a thread, MiB: its arrays lie elsewhere. */
const YOUNG_MB = 12;

/** Long: a new thread compiles its code first, while somebody waits for a map. */
const IDLE_MS = 600_000;

/** A part takes about ten milliseconds: a cell a twentieth of one, a node of a chunk a thousandth. */
const PART_CELLS = 256;
const PART_NODES = 16_384;

/**
 * Threads that compute the demo world, so that the thread that answers requests stays free.
 *
 * @param maxThreads Fewer where something else needs a core of its own.
 * @param shared Memory of the static world, where another pool has read it.
 */
export function demoPool(settings: DemoSettings, maxThreads = MAX_THREADS, shared?: SharedArrayBuffer) {
  const threads = Math.min(maxThreads, availableParallelism());
  const pool = workerPool({
    entry: new URL("./demo-thread.ts", import.meta.url),
    data: settings,
    threads,
    idleMs: IDLE_MS,
    limits: { maxYoungGenerationSizeMb: YOUNG_MB },
    errors: [RangeError],
  });
  let ready = shared && Promise.resolve(shared);
  /**
   * Reads the static part of the world, or computes it at the very first start, which takes some seconds.
   *
   * @returns Its memory, for the pools of other threads.
   */
  const warm = (): Promise<SharedArrayBuffer> => {
    ready ??= pool.call<SharedArrayBuffer>("readStaticWorld", undefined).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
  /** Of a call no more parts are in the queue than there are threads: a small call waits for some parts of large ones. */
  async function inParts(
    count: number,
    maxPart: number,
    part: (from: number, to: number) => Omit<ChunkTask, "stopped"> | Omit<CellTask, "stopped">,
    signal?: AbortSignal,
  ): Promise<Computed[]> {
    const world = await warm();
    signal?.throwIfAborted();
    // A flag in shared memory: a thread that computes receives no message before it is done.
    const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const stop = () => Atomics.store(stopped, 0, 1);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const size = Math.min(maxPart, Math.ceil(count / threads));
      const computed = new Array<Computed>(Math.ceil(count / size));
      let next = 0;
      const computeRest = async () => {
        while (next < computed.length && stopped[0] === 0) {
          const index = next++;
          const range = part(index * size, Math.min(count, (index + 1) * size));
          computed[index] = await pool.call("compute", { ...range, stopped, world } satisfies ComputeInput);
        }
      };
      await Promise.all(Array.from({ length: threads }, computeRest));
      signal?.throwIfAborted();
      return computed;
    } finally {
      // When one of them failed, the others are not needed either.
      stop();
      signal?.removeEventListener("abort", stop);
    }
  }
  return {
    warm,
    /** Computes chunks of an array, in parts by all threads. Rejects with the signal's reason when the threads have left off. */
    compute: (folder: string, chunks: number[], signal?: AbortSignal): Promise<Computed[]> =>
      inParts(
        chunks.length,
        chunksOfPart(folder),
        (from, to) => ({ folder, chunks: chunks.slice(from, to) }),
        signal,
      ),
    /** Computes cells of an array likewise; see `ChunkStore.getCells`. */
    computeCells: (folder: string, cells: Int32Array, signal?: AbortSignal): Promise<Computed[]> =>
      inParts(
        cells.length / 3,
        PART_CELLS,
        (from, to) => ({ folder, cells: cells.slice(3 * from, 3 * to) }),
        signal,
      ),
    close: () => pool.terminate(),
  };
}

function chunksOfPart(folder: string): number {
  const array = demoArray(folder);
  if (!array) return 1;
  const [steps, rows, columns] = array.chunk;
  return Math.max(1, Math.floor(PART_NODES / (steps * rows * columns)));
}
