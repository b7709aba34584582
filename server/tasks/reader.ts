import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { readVerified } from "./gzip-blobs.ts";
import type { TaskQueue } from "./queue.ts";
import type { TaskStore } from "./store.ts";
import type { Task } from "./task.ts";

/** A task, with its result if it has ended and the result is small. */
export interface TaskWithResult {
  task: Task;
  /** Whether the result may no longer be read, deleted or not. */
  expired: boolean;
  /** The result, compressed and uncompressed. */
  result?: { packed: Buffer; plain: Buffer };
}

/** An ended task is cached for this long only, milliseconds, because another process may delete it. */
const CACHE_MS = 2_000;

/** Results up to this compressed size, bytes, are cached. Larger ones are read from the store each time. */
const SMALL_BYTES = 8 * 1024;

const MAX_CACHED = 500;
/** Memory for cached results, compressed and uncompressed, bytes. */
const MAX_CACHED_BYTES = 16 * 2 ** 20;
/** Approximate size of the row of a task, bytes. */
const ROW_BYTES = 2048;

/** Queue positions are reused for this long, milliseconds. */
const POSITIONS_MS = 1_000;

/**
 * Reads tasks for their owners. The cache is keyed by owner and id together, so that a request for another owner's task
 * costs the same query as one for a task that never existed.
 */
export class TaskReader {
  readonly #store: Pick<TaskStore, "find" | "secondsLeft">;
  readonly #queue: Pick<TaskQueue, "waiting">;
  readonly #blobs: BlobStore;
  readonly #ended: LRUCache<string, TaskWithResult>;
  readonly #elapsed: () => number;
  #positions: Positions | undefined;

  /** @param elapsed Monotonic clock, milliseconds. */
  constructor(
    store: Pick<TaskStore, "find" | "secondsLeft">,
    queue: Pick<TaskQueue, "waiting">,
    blobs: BlobStore,
    elapsed = monotonicMs,
  ) {
    this.#elapsed = elapsed;
    this.#ended = new LRUCache({
      max: MAX_CACHED,
      maxSize: MAX_CACHED_BYTES,
      sizeCalculation: ({ result }) =>
        ROW_BYTES + (result ? result.packed.buffer.byteLength + result.plain.buffer.byteLength : 0),
      perf: { now: elapsed },
      ttlResolution: 0,
    });
    this.#store = store;
    this.#queue = queue;
    this.#blobs = blobs;
  }

  /** @returns undefined where the owner has no such task, or the id is malformed. */
  async find(owner: string, id: string): Promise<TaskWithResult | undefined> {
    const key = cacheKey(owner, id);
    const cached = this.#ended.get(key);
    if (cached) return cached;
    if (!UUID.test(id)) return undefined;
    const task = await this.#store.find(owner, id);
    if (!task || task.status === "PENDING") return task && { task, expired: false };
    const leftMs = 1000 * (await this.#store.secondsLeft(task.id));
    const found: TaskWithResult = { task, expired: leftMs <= 0 };
    const { resultFile, resultHash, resultBytes } = task;
    if (!found.expired && resultFile !== null && (resultBytes ?? 0) <= SMALL_BYTES) {
      const packed = await buffer(readVerified(this.#blobs, resultFile, resultHash!));
      found.result = { packed, plain: gunzipSync(packed) };
    }
    const ttl = found.expired ? CACHE_MS : Math.max(1, Math.min(CACHE_MS, leftMs));
    this.#ended.set(key, found, { ttl });
    return found;
  }

  /** Drops a task from the cache. Call it when this process removes or changes the row. */
  forget(owner: string, id: string): void {
    this.#ended.delete(cacheKey(owner, id));
  }

  /** @returns 1 for the next task to run; null for a task that is not waiting. The position may be a second old. */
  async position(task: Task): Promise<number | null> {
    if (task.status !== "PENDING") return null;
    const known = this.#positions;
    const found = known && this.#elapsed() - known.at <= POSITIONS_MS ? known : this.#readPositions();
    return (await found.reading).get(task.id) ?? null;
  }

  /** All concurrent callers share one read. */
  #readPositions(): Positions {
    const reading = this.#queue
      .waiting()
      .then((rows) => new Map(rows.map(({ id }, index) => [id, index + 1])));
    const positions: Positions = { at: Number.POSITIVE_INFINITY, reading };
    this.#positions = positions;
    reading.then(
      () => {
        positions.at = this.#elapsed();
      },
      () => {
        this.#positions = undefined;
      },
    );
    return positions;
  }
}

/** Queue positions. `at` is the time at which the read ended. */
interface Positions {
  at: number;
  reading: Promise<Map<string, number>>;
}

function cacheKey(owner: string, id: string): string {
  return `${owner}\0${id.toLowerCase()}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
