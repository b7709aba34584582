import { setImmediate as nextTurn } from "node:timers/promises";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { GridPart } from "#lib/field/frame-chunks.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { ChunkCache } from "./chunk-cache.ts";
import { POINT_CHUNK_VALUES } from "./layout.ts";
import { loadChunks } from "./load-chunks.ts";
import { type MapStep, readMapStep } from "./map-step.ts";
import { OpenArrays } from "./open-arrays.ts";
import { chunksToLoad, NOT_AT_HAND, sampleAt } from "./point-sampler.ts";
import type { Run } from "./run.ts";
import type { ChunkStore } from "./store.ts";
import type { PointArray } from "./stored-array.ts";

/** Places and times, one entry a point in each column. */
export interface PointColumns {
  readonly count: number;
  /** Degrees, −90..90. */
  readonly latitude: Float64Array;
  /** Degrees, any convention. */
  readonly longitude: Float64Array;
  /** Unix seconds. */
  readonly time: Float64Array;
}

/**
 * Reads published runs. Throws or rejects with `ObjectMissingError` where a run has been replaced since its manifest was read (see
 * `withManifest`), with `DamagedChunkError` where what is stored is damaged, and with the signal's reason.
 */
export interface ArchiveReader {
  /**
   * Writes the field at each point into `out`, NaN = missing or outside the run: bilinear in space, linear between the
   * field's own steps. Each chunk is decoded once. Done when it returns no promise: small reads from the cache or from a
   * directory.
   *
   * @param indices Which points; all of them where undefined.
   * @param out As long as the columns; only the entries of the points asked for are written.
   */
  valuesAt(
    run: Run,
    field: FieldName,
    points: PointColumns,
    indices: Int32Array | undefined,
    out: Float64Array,
    signal: AbortSignal,
  ): void | Promise<void>;
  /** Reads one step of the maps layout, or a window of it, as stored. See `readMapStep`. */
  mapStep(
    run: Run,
    field: FieldName,
    timeIndex: number,
    stride: number,
    signal: AbortSignal,
    part?: GridPart,
  ): Promise<MapStep>;
  /** Lets go of all that is kept of runs other than these: they were withdrawn. */
  forgetAllBut(runs: readonly Run[]): void;
  /** What the reader keeps in memory, bytes: never more than its budget, which a single huge array alone may exceed. */
  memory(): { bytes: number; budget: number };
}

export interface ReaderOptions {
  /** Budget for decoded chunks and their tables, bytes. */
  cacheBytes: number;
  /** Milliseconds that never jump. */
  monotonic?: () => number;
  /** Largest chunk of the points layout. For measurements. */
  chunkValues?: number;
}

/** Part of the budget for the tables that say where chunks are. */
const TABLES_SHARE = 0.25;
/** Synchronous work after which others get their turn. */
const TURN_MS = 8;
/** Points sampled, and chunks loaded, between two looks at the clock: a millisecond or two. */
const POINTS_A_LOOK = 8192;
const CHUNKS_A_LOOK = 256;
/** So few points are loaded in one go, without giving way to others that could push their chunks out again. */
const FEW_POINTS = 64;
const MAX_POINTS = 16_384;

export function openReader(store: ChunkStore, options: ReaderOptions): ArchiveReader {
  return new StoreReader(store, options);
}

class StoreReader implements ArchiveReader {
  private readonly store: ChunkStore;
  private readonly cache: ChunkCache;
  private readonly arrays: OpenArrays;
  private readonly budget: number;
  private readonly monotonic: () => number;

  constructor(store: ChunkStore, { cacheBytes, monotonic = monotonicMs, chunkValues }: ReaderOptions) {
    this.store = store;
    this.budget = cacheBytes;
    this.monotonic = monotonic;
    this.cache = new ChunkCache(cacheBytes * (1 - TABLES_SHARE), chunkValues ?? POINT_CHUNK_VALUES);
    this.arrays = new OpenArrays(store, this.cache, cacheBytes * TABLES_SHARE);
  }

  memory(): { bytes: number; budget: number } {
    return { bytes: this.cache.byteLength + this.arrays.byteLength, budget: this.budget };
  }

  forgetAllBut(runs: readonly Run[]): void {
    this.arrays.closeAllBut(new Set(runs.map(({ id }) => id)));
  }

  mapStep(
    run: Run,
    field: FieldName,
    timeIndex: number,
    stride: number,
    signal: AbortSignal,
    part?: GridPart,
  ) {
    return readMapStep(this.store, run, field, timeIndex, stride, signal, part);
  }

  valuesAt(
    run: Run,
    field: FieldName,
    points: PointColumns,
    indices: Int32Array | undefined,
    out: Float64Array,
    signal: AbortSignal,
  ): void | Promise<void> {
    signal.throwIfAborted();
    if (!(field in run.fields)) return fillMissing(points, indices, out);
    const array = this.arrays.get(run, field, signal);
    if (array instanceof Promise)
      return array.then((opened) => this.sample({ array: opened, points, indices, out, signal }));
    return this.sample({ array, points, indices, out, signal });
  }

  private sample(read: PointRead): void | Promise<void> {
    const count = read.indices ? read.indices.length : read.points.count;
    if (count > MAX_POINTS) return this.inUse(read.array, () => this.sampleMany(read, count));
    const cold = this.sampleSome(read, 0, count);
    if (cold) return this.finish(read, cold);
  }

  /** Samples what is in the cache. @returns The points that need chunks which are not. */
  private sampleSome({ array, points, indices, out }: PointRead, from: number, to: number) {
    array.usedIn = this.cache.batch;
    const { latitude, longitude, time } = points;
    let cold: number[] | undefined;
    for (let i = from; i < to; i++) {
      const point = indices ? indices[i]! : i;
      const value = sampleAt(array, this.cache, latitude[point]!, longitude[point]!, time[point]!);
      if (value !== NOT_AT_HAND) out[point] = value;
      else if (cold) cold.push(point);
      else cold = [point];
    }
    return cold;
  }

  private async sampleMany(read: PointRead, count: number): Promise<void> {
    let since = this.monotonic();
    for (let from = 0; from < count; from += POINTS_A_LOOK) {
      const cold = this.sampleSome(read, from, Math.min(count, from + POINTS_A_LOOK));
      if (cold) await this.load(read, cold);
      since = await this.giveWay(since, read.signal);
    }
  }

  private finish(read: PointRead, cold: number[]): void | Promise<void> {
    if (cold.length > FEW_POINTS) return this.inUse(read.array, () => this.load(read, cold));
    const loaded = this.loadFew(read, cold);
    if (loaded instanceof Promise) return this.inUse(read.array, () => loaded);
  }

  /** Loads what a few points need and samples them before anything else can happen. */
  private loadFew(read: PointRead, cold: readonly number[]): void | Promise<void> {
    this.cache.batch++;
    const chunks = missingChunks(read, cold, 0, cold.length);
    const loaded = loadChunks(this.store, this.cache, read.array, chunks, read.signal);
    const sampleAll = (): void | Promise<void> => {
      const still = this.sampleSome({ ...read, indices: Int32Array.from(cold) }, 0, cold.length);
      // What was in the cache when the bytes were asked for may have gone until they came.
      if (still) return this.loadFew(read, still);
    };
    return loaded instanceof Promise ? loaded.then(sampleAll) : sampleAll();
  }

  /** Loads what many points need, in the order of the file, and gives way to others in between. */
  private async load(read: PointRead, cold: number[]): Promise<void> {
    let window = Math.max(FEW_POINTS, Math.min(MAX_POINTS, this.cache.slots >> 4));
    let since = this.monotonic();
    let waiting = cold;
    while (waiting.length > 0) {
      const some = waiting.slice(0, window);
      const others = waiting.slice(window);
      if (window <= FEW_POINTS) {
        await this.loadFew(read, some);
        waiting = others;
        since = await this.giveWay(since, read.signal);
        continue;
      }
      this.cache.batch++;
      const chunks = missingChunks(read, some, 0, some.length);
      for (let from = 0; from < chunks.length; from += CHUNKS_A_LOOK) {
        const part = chunks.subarray(from, from + CHUNKS_A_LOOK);
        const loaded = loadChunks(this.store, this.cache, read.array, part, read.signal);
        if (loaded instanceof Promise) await loaded;
        since = await this.giveWay(since, read.signal);
      }
      const still = this.sampleSome({ ...read, indices: Int32Array.from(some) }, 0, some.length);
      if (still) {
        // Others pushed our chunks out while we gave way to them.
        window = FEW_POINTS;
        others.push(...still);
      }
      waiting = others;
    }
  }

  private async giveWay(since: number, signal: AbortSignal): Promise<number> {
    if (this.monotonic() - since < TURN_MS) return since;
    await nextTurn();
    signal.throwIfAborted();
    return this.monotonic();
  }

  /** Keeps an array open while a call is under way on it. */
  private async inUse(array: PointArray, work: () => Promise<void>): Promise<void> {
    array.users++;
    try {
      await work();
    } finally {
      array.users--;
    }
  }
}

/** One call of `valuesAt`, its array opened. */
interface PointRead {
  array: PointArray;
  points: PointColumns;
  indices: Int32Array | undefined;
  out: Float64Array;
  signal: AbortSignal;
}

/** The chunks that points need and the cache lacks, each once, in the order of the file. */
function missingChunks(
  { array, points }: PointRead,
  cold: readonly number[],
  from: number,
  to: number,
): Int32Array {
  const found: number[] = [];
  for (let i = from; i < to; i++) {
    const point = cold[i]!;
    chunksToLoad(array, points.latitude[point]!, points.longitude[point]!, points.time[point]!, found);
  }
  const sorted = Int32Array.from(found).sort();
  let kept = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i]!;
  return sorted.subarray(0, kept);
}

function fillMissing(points: PointColumns, indices: Int32Array | undefined, out: Float64Array): void {
  if (!indices) out.fill(Number.NaN, 0, points.count);
  else for (let i = 0; i < indices.length; i++) out[indices[i]!] = Number.NaN;
}
