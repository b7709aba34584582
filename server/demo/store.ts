import { availableParallelism } from "node:os";
import { LRUCache } from "lru-cache";
import { type StoredName, storedField } from "#lib/catalog/stored-names.ts";
import {
  type ByteRange,
  type CellStore,
  type ChunkStore,
  ObjectMissingError,
} from "#server/archive/store.ts";
import { fieldMetadata, shardKey } from "#server/archive/zarr-metadata.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import { type Computed, chunkBytes, chunkCount, type DemoArray, demoArray, type Task } from "./compute.ts";
import type { DemoSettings } from "./demo-thread.ts";

/** Memory for fields that were computed together with a requested one, which are likely to be read next, bytes. */
const MAX_SIBLING_BYTES = 64 * 2 ** 20;

/**
 * Number of cells that cost as much as a chunk, which has two steps of 256 nodes. Most of the time goes into finding
 * the weather around a place (`bench -- passages`).
 */
const CELLS_PER_CHUNK = 8;

type DemoStore = CellStore & Required<Pick<ChunkStore, "getRanges">>;

/** Bytes of the requested items by field, one item after another. */
type Answer = Map<StoredName, Uint8Array<ArrayBuffer>>;

/**
 * Serves the demo under the keys of the archive: the metadata of every array, and its chunks, which are computed on
 * request. A value depends only on its node and hour, so chunks agree however they are cut.
 *
 * @param siblingBytes Memory for fields that were computed together with a requested one.
 */
export function demoStore(pool: Pick<DemoPool, "compute">, siblingBytes = MAX_SIBLING_BYTES): DemoStore {
  // Fields of a group are requested with the same chunks or cells, so answers are keyed by the whole request. The
  // reader caches what it takes, so a field is dropped here once it is returned.
  const answers = new LRUCache<string, Answer>({
    maxSize: Math.max(1, Math.min(siblingBytes, MAX_SIBLING_BYTES)),
    sizeCalculation: (answer, key) =>
      [...answer.values()].reduce((sum, { byteLength }) => sum + byteLength, 2 * key.length),
  });
  const underWay = new Map<string, Promise<Answer>>();

  /** Items of one array. Items that are just being computed for another field of the group are awaited. */
  async function itemsOf(
    folder: string,
    { field, together }: DemoArray,
    items: Task["items"],
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const question =
      "chunks" in items ? items.chunks.join() : Buffer.from(items.cells.buffer).toString("latin1");
    const key = `${folder.slice(0, -field.length)}${together[0]} ${question}`;
    // A computation that failed for another caller is repeated here.
    const running = underWay.get(key);
    const others = answers.get(key) ?? (running && (await running.catch(() => undefined)));
    const known = others?.get(field);
    if (others && known) {
      others.delete(field);
      return known;
    }
    const computing = pool.compute(folder, items, signal).then((parts) => {
      const answer: Answer = new Map(
        together.map((name, place) => [
          name,
          // The bytes are copied, because the reader reads the underlying buffer of a view.
          new Uint8Array(
            Buffer.concat(
              parts.map(({ bytes }) => {
                const length = bytes.length / together.length;
                return bytes.subarray(place * length, (place + 1) * length);
              }),
            ),
          ),
        ]),
      );
      return answer;
    });
    if (together.length === 1) return (await computing).get(field)!;
    underWay.set(key, computing);
    try {
      const answer = await computing;
      const own = answer.get(field)!;
      answer.delete(field);
      answers.set(key, answer);
      return own;
    } finally {
      if (underWay.get(key) === computing) underWay.delete(key);
    }
  }

  async function getRanges(
    key: string,
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Promise<Uint8Array[] | undefined> {
    const found = shardOf(key);
    if (!found) return undefined;
    const { folder, array } = found;
    const length = chunkBytes(array);
    const end = length * chunkCount(array);
    const isChunk = (range: ByteRange) =>
      range.length === length && range.offset >= 0 && range.offset < end && range.offset % length === 0;
    if (!ranges.every(isChunk)) return undefined;
    const bytes = await itemsOf(
      folder,
      array,
      { chunks: ranges.map(({ offset }) => offset / length) },
      signal,
    );
    // The bytes are copied, because a view would retain the chunks of the whole request.
    return ranges.map((_, index) => bytes.slice(index * length, (index + 1) * length));
  }

  return {
    async getCells(key, cells, signal) {
      const found = shardOf(key);
      if (!found) throw new ObjectMissingError(key);
      return new Int16Array((await itemsOf(found.folder, found.array, { cells }, signal)).buffer);
    },
    cellsPerChunk: CELLS_PER_CHUNK,
    get(key) {
      const array = key.endsWith(METADATA) ? demoArray(key.slice(0, -METADATA.length)) : undefined;
      if (!array) return undefined;
      const { run, field, shape, chunk, members } = array;
      const layout = { shape, chunk, members, codec: "plain" } as const;
      const metadata = fieldMetadata(storedField(field), layout, run.fields[field]?.comment);
      return new TextEncoder().encode(JSON.stringify(metadata));
    },
    getRange: async (key, offset, length, signal) =>
      (await getRanges(key, [{ offset, length }], signal))?.[0],
    getRanges,
    evenChunks(key) {
      const array = shardOf(key)?.array;
      return array && chunkBytes(array);
    },
  };
}

const METADATA = "/zarr.json";

/** The array that a key is the shard of. */
function shardOf(key: string): { folder: string; array: DemoArray } | undefined {
  const folder = key.slice(0, Math.max(0, key.lastIndexOf("/")));
  const array = demoArray(folder);
  return array && key === `${folder}/${shardKey(array)}` ? { folder, array } : undefined;
}

export type DemoPool = ReturnType<typeof demoPool>;

const MAX_THREADS = 4;

/** Young generation of a thread, MiB. It is small because the arrays lie outside the heap. */
const YOUNG_MB = 12;

/**
 * Time after which an idle thread ends. It is long, because a new thread first compiles its code while somebody waits
 * for a map.
 */
const IDLE_MS = 600_000;

/**
 * Sizes of a part, which takes about ten milliseconds. A cell takes a twentieth of a millisecond, a node of a chunk a
 * thousandth.
 */
const PART_CELLS = 256;
const PART_NODES = 16_384;

/**
 * Threads that compute the demo, so that the request thread stays free.
 *
 * @param maxThreads Lower where something else needs a core of its own.
 * @param shared Memory of the static world, if another pool has read it.
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
   * Reads the static part of the world, or derives it at the very first start, which takes some seconds.
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
  return {
    warm,
    /**
     * Computes chunks or cells of an array in parts, by all threads. A call queues at most as many parts as there are
     * threads, so that a small call waits only for some parts of large ones.
     *
     * @returns The parts, in order. Rejects with the signal's reason when the threads have stopped.
     */
    async compute(folder: string, items: Task["items"], signal?: AbortSignal): Promise<Computed[]> {
      const memory = await warm();
      signal?.throwIfAborted();
      // The flag is in shared memory, because a busy thread receives no messages.
      const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const stop = () => Atomics.store(stopped, 0, 1);
      signal?.addEventListener("abort", stop, { once: true });
      try {
        return await inParallel(threads, partsOf(folder, items, threads), async (part) => {
          signal?.throwIfAborted();
          // When a part fails, the others are not needed either.
          const work = { folder, items: part, stopped, memory };
          const computed = await pool.call<Computed>("compute", work).catch((error: unknown) => {
            stop();
            throw error;
          });
          signal?.throwIfAborted();
          return computed;
        });
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
    close: () => pool.terminate(),
  };
}

function partsOf(folder: string, items: Task["items"], threads: number): Task["items"][] {
  const isChunks = "chunks" in items;
  const count = isChunks ? items.chunks.length : items.cells.length / 3;
  const [steps, rows, columns] = demoArray(folder)?.chunk ?? [1, 1, PART_NODES];
  const maxPart = isChunks ? Math.max(1, Math.floor(PART_NODES / (steps * rows * columns))) : PART_CELLS;
  const size = Math.min(maxPart, Math.ceil(count / threads));
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => {
    const [from, to] = [index * size, (index + 1) * size];
    return isChunks
      ? { chunks: items.chunks.slice(from, to) }
      : { cells: items.cells.slice(3 * from, 3 * to) };
  });
}
