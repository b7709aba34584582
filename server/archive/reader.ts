import type { StoredName } from "#lib/catalog/stored-names.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { turns } from "#server/platform/next-turn.ts";
import type { Catalog } from "./catalog.ts";
import { sampleCells } from "./cell-sampler.ts";
import { ChunkCache, isLocal, loadChunks, loadLocal } from "./chunks.ts";
import { damageReporter, type OnDamage } from "./errors.ts";
import { POINT_CHUNK_VALUES } from "./layout.ts";
import {
  type MapStep,
  type MapStepRequest,
  type MemberSteps,
  type MemberStepsRequest,
  memberOf,
  membersOfStep,
  readStepOf,
} from "./map-step.ts";
import { OpenArrays, type PointArray } from "./open-arrays.ts";
import { chunksToLoad, NOT_CACHED, sampleAt } from "./point-sampler.ts";
import type { Run } from "./run.ts";
import { type ChunkStore, hasCells } from "./store.ts";

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

/** The part of the archive that point answers need. */
export type PointSource = Catalog &
  Pick<ArchiveReader, "valuesAt"> & {
    /** Whether fields of a run are best read at the same time, because each waits for a network or for other threads. */
    waitsFor?(run: Run): boolean;
  };

export interface ReaderOptions {
  /** Budget for decoded chunks and their tables, bytes. */
  cacheBytes: number;
  /** Receives each damaged file of frames once; the points are read instead. */
  onDamage?: OnDamage;
  /** Milliseconds that never jump. */
  monotonic?: () => number;
}

/** Share of the budget for the tables that locate chunks. */
const TABLES_SHARE = 0.25;
/** Points sampled, and chunks loaded, between two readings of the clock: a millisecond or two. */
const POINTS_PER_CHECK = 8192;
const CHUNKS_PER_CHECK = 256;
/** Number of chunks requested together from a store behind a network. */
const CHUNKS_PER_REQUEST = 2048;
/** Up to this many points are loaded without yielding to other requests, which could evict their chunks again. */
const FEW_POINTS = 64;
const MAX_POINTS = 16_384;
/**
 * Up to this many points are read from whole chunks even if the store has single cells, because their neighbours are
 * usually requested next.
 */
const WHOLE_CHUNK_POINTS = 16;

export function openReader(store: ChunkStore, options: ReaderOptions): ArchiveReader {
  return new ArchiveReader(store, options);
}

/**
 * Reads published runs. Throws or rejects with `ObjectMissingError` if a run was replaced after its manifest was read (see
 * `withManifest`), with `DamagedChunkError` if stored bytes are damaged, and with the signal's reason.
 */
export class ArchiveReader {
  private readonly store: ChunkStore;
  private readonly cache: ChunkCache;
  private readonly arrays: OpenArrays;
  private readonly budget: number;
  private readonly monotonic: () => number;
  private readonly report: ((error: unknown) => void) | undefined;

  constructor(store: ChunkStore, { cacheBytes, onDamage, monotonic = monotonicMs }: ReaderOptions) {
    this.store = store;
    this.budget = cacheBytes;
    this.monotonic = monotonic;
    this.report = onDamage && damageReporter(onDamage);
    this.cache = new ChunkCache(cacheBytes * (1 - TABLES_SHARE), POINT_CHUNK_VALUES);
    this.arrays = new OpenArrays(store, this.cache, cacheBytes * TABLES_SHARE);
  }

  /** Returns the memory of the caches, bytes. Only a single huge array may exceed the budget. */
  memory(): { bytes: number; budget: number } {
    return { bytes: this.cache.byteLength + this.arrays.byteLength, budget: this.budget };
  }

  /** Drops everything that is cached of other runs, which were withdrawn. */
  retainOnly(runs: readonly Run[]): void {
    this.arrays.closeAllBut(new Set(runs.map(({ id }) => id)));
  }

  /** Reads one whole step, or a window of it, in the packing of the catalog. See `readMapStep`. */
  mapStep(...request: MapStepRequest): Promise<MapStep> {
    return readStepOf(this.store, request, (...wanted) => this.openPoints(...wanted), this.report);
  }

  /** Reads one step of all members of a field with members, in the order of `run.ensemble.members`. See `membersOfStep`. */
  memberSteps(...request: MemberStepsRequest): Promise<MemberSteps> {
    return membersOfStep(this.store, request, (...wanted) => this.openPoints(...wanted));
  }

  /** An array whose index is read as long as it is needed: closing it frees only what the sampler uses. */
  private async openPoints(run: Run, field: StoredName, signal: AbortSignal): Promise<PointArray> {
    let array = this.arrays.opened(run, field);
    if (!array) {
      array = await this.arrays.open(run, field, signal);
      array.users--;
    }
    array.usedIn = this.cache.batch;
    return array;
  }

  /**
   * Writes the field at each point into `out`, NaN = missing or outside the run: bilinear in space, linear between the
   * field's own steps. Each chunk is decoded once. Of a field with members reads the one that `run.member` names; all
   * members share their chunks.
   *
   * @param indices Positions of the points to read; undefined reads all of them.
   * @param out As long as the columns; only the selected points are written.
   */
  async valuesAt(
    run: Run,
    field: StoredName,
    points: PointColumns,
    indices: Int32Array | undefined,
    out: Float64Array,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    if (!(field in run.fields)) return fillMissing(points, indices, out);
    let array = this.arrays.opened(run, field);
    if (array) array.users++;
    else array = await this.arrays.open(run, field, signal);
    const read = { array, member: memberOf(run, field), points, indices, out, signal };
    const count = indices ? indices.length : points.count;
    try {
      if (count > MAX_POINTS) return await this.sampleMany(read, count);
      const cold = this.sampleSome(read, 0, count);
      if (cold) await this.load(read, cold);
    } finally {
      array.users--;
    }
  }

  /** Samples the points whose chunks are in the cache. @returns The points that need other chunks. */
  private sampleSome({ array, member, points, indices, out }: PointRead, from: number, to: number) {
    array.usedIn = this.cache.batch;
    const { latitude, longitude, time } = points;
    let cold: number[] | undefined;
    for (let i = from; i < to; i++) {
      const point = indices ? indices[i]! : i;
      const value = sampleAt(array, this.cache, latitude[point]!, longitude[point]!, time[point]!, member);
      if (value !== NOT_CACHED) out[point] = value;
      else if (cold) cold.push(point);
      else cold = [point];
    }
    return cold;
  }

  private async sampleMany(read: PointRead, count: number): Promise<void> {
    const turn = turns(read.signal, this.monotonic);
    for (let from = 0; from < count; from += POINTS_PER_CHECK) {
      const cold = this.sampleSome(read, from, Math.min(count, from + POINTS_PER_CHECK));
      if (cold) await this.load(read, cold);
      await turn();
    }
  }

  /** Loads the chunks that a few points need and samples the points before anything else can evict the chunks. */
  private async loadFew(read: PointRead, cold: readonly number[]): Promise<void> {
    let remaining: readonly number[] | undefined = cold;
    while (remaining) {
      this.cache.batch++;
      const chunks = missingChunks(read, remaining);
      if (isLocal(this.store)) loadLocal(this.store, this.cache, read.array, chunks);
      else await loadChunks(this.store, this.cache, read.array, chunks, read.signal);
      // Chunks that were cached when the load began may have been evicted meanwhile.
      remaining = this.sampleSome({ ...read, indices: Int32Array.from(remaining) }, 0, remaining.length);
    }
  }

  /** Loads the chunks that many points need, in the order of the file, and yields to other requests in between. */
  private async load(read: PointRead, cold: number[]): Promise<void> {
    const cells = hasCells(this.store) && !read.array.members ? this.store : undefined;
    if (cold.length <= (cells ? WHOLE_CHUNK_POINTS : FEW_POINTS)) return this.loadFew(read, cold);
    let window = Math.max(FEW_POINTS, Math.min(MAX_POINTS, this.cache.entries >> 4));
    const turn = turns(read.signal, this.monotonic);
    let waiting = cells ? await sampleCells(cells, this.cache, read, cold) : cold;
    while (waiting.length > 0) {
      const some = waiting.slice(0, window);
      const others = waiting.slice(window);
      if (window <= FEW_POINTS) {
        await this.loadFew(read, some);
        waiting = others;
        await turn();
        continue;
      }
      this.cache.batch++;
      const chunks = missingChunks(read, some);
      const step = this.store.getChanged ? CHUNKS_PER_REQUEST : CHUNKS_PER_CHECK;
      for (let from = 0; from < chunks.length; from += step) {
        const part = chunks.subarray(from, from + step);
        await loadChunks(this.store, this.cache, read.array, part, read.signal);
        await turn();
      }
      const remaining = this.sampleSome({ ...read, indices: Int32Array.from(some) }, 0, some.length);
      if (remaining) {
        // Other requests evicted our chunks meanwhile.
        window = FEW_POINTS;
        others.push(...remaining);
      }
      waiting = others;
    }
  }
}

/** One call of `valuesAt` with its array opened. */
interface PointRead {
  array: PointArray;
  /** Position of the member; 0 of a field without members. */
  member: number;
  points: PointColumns;
  indices: Int32Array | undefined;
  out: Float64Array;
  signal: AbortSignal;
}

/** The chunks that points need and the cache lacks, without duplicates, in the order of the file. */
function missingChunks({ array, points }: PointRead, cold: readonly number[]): Int32Array {
  const found: number[] = [];
  for (const point of cold)
    chunksToLoad(array, points.latitude[point]!, points.longitude[point]!, points.time[point]!, found);
  const sorted = Int32Array.from(found).sort();
  let unique = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[unique++] = sorted[i]!;
  return sorted.subarray(0, unique);
}

function fillMissing(points: PointColumns, indices: Int32Array | undefined, out: Float64Array): void {
  if (!indices) out.fill(Number.NaN, 0, points.count);
  else for (let i = 0; i < indices.length; i++) out[indices[i]!] = Number.NaN;
}
