import { FILL } from "#lib/catalog/fill.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { LZ4_OF_PLANES } from "./blosc.ts";
import { DamagedChunkError } from "./errors.ts";
import { MAX_PLANE_VALUES, PLANE_GROUP, planeKernels } from "./kernels/planes.ts";
import type { Shape } from "./layout.ts";
import { chunkLength, chunkOffset, crc32c, type ShardIndex } from "./shard.ts";
import { type ByteRange, type ChunkStore, existing, rangesOf } from "./store.ts";
import type { StoredArray } from "./zarr-metadata.ts";

/** One field of one run in one layout, ready to be read. */
export interface OpenArray extends StoredArray {
  run: string;
  field: StoredName;
  /** The shard in the store. */
  key: string;
  /** Chunks along each axis. */
  chunks: Shape;
  index: ShardIndex;
}

/** An array whose decoded chunks are cached. */
export interface CachedArray extends OpenArray {
  /** Cache entry of each chunk. */
  table: ChunkTable;
  /** Number in the cache. */
  number: number;
}

/** Values of each chunk of an array. */
export const chunkValues = ({ chunk: [steps, rows, columns], members }: StoredArray): number =>
  steps * rows * columns * (members?.places ?? 1);

const CRC_BYTES = 4;

/** Stored chunks are read into this memory and decoded from it. */
const { input } = planeKernels;

/** The stored bytes of chunks, in the order given. All of them must be stored. */
export function fetchChunks(
  store: ChunkStore,
  array: OpenArray,
  chunks: ArrayLike<number>,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const ranges = new Array<ByteRange>(chunks.length);
  for (let i = 0; i < chunks.length; i++)
    ranges[i] = {
      offset: chunkOffset(array.index, chunks[i]!),
      length: chunkLength(array.index, chunks[i]!),
    };
  return rangesOf(store, array.key, ranges, signal, isWholeChunk);
}

function isWholeChunk(stored: Uint8Array): boolean {
  const end = stored.length - CRC_BYTES;
  return end >= 0 && storedSum(stored, end) === crc32c(stored, 0, end);
}

/**
 * Decodes a stored chunk and checks it.
 *
 * @returns Its int16 as little-endian bytes, valid until the next call; they may share memory with `stored`.
 */
export function decodeChunk(array: OpenArray, chunk: number, stored: Uint8Array): Uint8Array {
  const { codec } = array;
  if (stored.length !== chunkLength(array.index, chunk)) throw damaged(array, chunk, "is cut short");
  const count = chunkValues(array);
  const plain = codec === "planes" ? decodePlanes(stored, count) : checked(stored, 2 * count);
  if (plain === "checksum") throw damaged(array, chunk, "fails its checksum");
  if (plain === "form") throw damaged(array, chunk, `is not ${2 * count} bytes in its codec, ${codec}`);
  return plain;
}

function decodePlanes(stored: Uint8Array, count: number): Uint8Array | "checksum" | "form" {
  const isThere = stored.buffer === input.buffer;
  if (stored.length > input.length || count > MAX_PLANE_VALUES || count % PLANE_GROUP !== 0) return "form";
  if (!isThere) input.set(stored);
  return planeKernels.decodeSealed(isThere ? stored.byteOffset : 0, stored.length, LZ4_OF_PLANES, count);
}

function checked(stored: Uint8Array, size: number): Uint8Array | "checksum" | "form" {
  const end = stored.length - CRC_BYTES;
  if (end !== size) return "form";
  return storedSum(stored, end) === crc32c(stored, 0, end) ? stored.subarray(0, end) : "checksum";
}

/** Reads the checksum that follows a chunk. */
function storedSum(stored: Uint8Array, end: number): number {
  return (stored[end]! | (stored[end + 1]! << 8) | (stored[end + 2]! << 16) | (stored[end + 3]! << 24)) >>> 0;
}

function damaged(array: OpenArray, chunk: number, what: string): DamagedChunkError {
  return new DamagedChunkError(array.run, array.field, `${array.key}: chunk ${chunk} ${what}`);
}

/** Reads chunks of the points layout into the cache, in ascending order. */
export async function loadChunks(
  store: ChunkStore,
  cache: ChunkCache,
  array: CachedArray,
  chunks: ArrayLike<number>,
  signal: AbortSignal,
): Promise<void> {
  if (isLocal(store)) return loadLocal(store, cache, array, chunks);
  const parts = await fetchChunks(store, array, chunks, signal);
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    // Another request may have loaded the chunk meanwhile.
    if (array.table.get(chunk) >= 0) continue;
    cache.put(array.number, chunk, decodeChunk(array, chunk, parts[i]!));
  }
}

/** Loads chunks synchronously, so that nothing else can evict a chunk before it is used. */
export function loadLocal(
  store: LocalStore,
  cache: ChunkCache,
  array: CachedArray,
  chunks: ArrayLike<number>,
): void {
  decodeLocal(store, array, chunks, (chunk, decoded) => cache.put(array.number, chunk, decoded));
}

/** A store that has all bytes locally. */
export type LocalStore = ChunkStore & Required<Pick<ChunkStore, "readInto">>;

export function isLocal(store: ChunkStore): store is LocalStore {
  return store.readInto !== undefined;
}

/** Reading through a gap of this many bytes costs less than a second read (measured with a warm page cache). */
const MAX_GAP_BYTES = 16 * 1024;

/**
 * Reads chunks that are neighbours in the file together. All reads use the same memory, which stays in the processor's
 * cache.
 *
 * @param chunks In ascending order.
 * @param take Called with each chunk as `decodeChunk` returns it; the bytes are valid until it returns.
 */
export function decodeLocal(
  store: LocalStore,
  array: OpenArray,
  chunks: ArrayLike<number>,
  take: (chunk: number, decoded: Uint8Array) => void,
): void {
  const { index } = array;
  let first = 0;
  while (first < chunks.length) {
    const from = chunkOffset(index, chunks[first]!);
    let to = from + chunkLength(index, chunks[first]!);
    let next = first + 1;
    for (; next < chunks.length; next++) {
      const offset = chunkOffset(index, chunks[next]!);
      const end = offset + chunkLength(index, chunks[next]!);
      if (offset < to || offset - to > MAX_GAP_BYTES || end - from > input.length) break;
      to = end;
    }
    const buffer = to - from <= input.length ? input.subarray(0, to - from) : new Uint8Array(to - from);
    const filled = existing(array.key, store.readInto(array.key, from, buffer));
    for (; first < next; first++) {
      const chunk = chunks[first]!;
      const at = Math.min(chunkOffset(index, chunk) - from, filled);
      const stored = buffer.subarray(at, Math.min(filled, at + chunkLength(index, chunk)));
      take(chunk, decodeChunk(array, chunk, stored));
    }
  }
}

/** Eviction looks at this many neighbours and replaces the least recently used of them. */
const SAMPLED = 8;
/** The minimum is twice the eight chunks that each of 64 points loaded together may need. */
const MIN_ENTRIES = 1024;
const BOOKKEEPING_BYTES = 12;

/**
 * Decoded chunks of all runs in one block of memory of fixed size.
 *
 * The block is divided into entries of equal size. Each array has a table with the entry of each of its chunks, so nothing
 * is looked up by name and nothing is allocated when a chunk comes or goes. (A map keyed by chunk, such as lru-cache, costs
 * several lookups for every value that is interpolated.)
 */
export class ChunkCache {
  readonly entryValues: number;
  readonly entries: number;
  /** Entry e begins at e · entryValues. */
  readonly values: Int16Array;
  /** Batch of loads in which an entry was last used. Chunks of the current batch never evict each other. */
  readonly usedIn: Uint32Array;
  /** The current batch of loads. Between loads it does not change, and reading writes nothing. */
  batch = 1;
  private readonly bytes: Uint8Array;
  private readonly ownerOf: Int32Array;
  private readonly chunkOf: Int32Array;
  private readonly tables: (ChunkTable | undefined)[] = [];
  /** Numbers of removed arrays, for reuse. */
  private readonly vacant: number[] = [];
  private hand = 1;

  /** @param bytes Budget for the cache itself, exceeded only where it does not hold what a few points need. */
  constructor(bytes: number, entryValues: number) {
    this.entryValues = entryValues;
    this.entries = Math.max(MIN_ENTRIES, Math.floor(bytes / (2 * entryValues + BOOKKEEPING_BYTES)));
    this.values = new Int16Array(this.entries * entryValues);
    this.bytes = new Uint8Array(this.values.buffer);
    this.values.fill(FILL, 0, entryValues);
    this.usedIn = new Uint32Array(this.entries);
    this.ownerOf = new Int32Array(this.entries).fill(-1);
    this.chunkOf = new Int32Array(this.entries);
  }

  /** Bytes that the cache takes. */
  get byteLength(): number {
    return this.entries * (2 * this.entryValues + BOOKKEEPING_BYTES);
  }

  /** Adds an array. @returns Its number. */
  register(table: ChunkTable): number {
    const number = this.vacant.pop() ?? this.tables.length;
    this.tables[number] = table;
    return number;
  }

  remove(array: number): void {
    for (let entry = 0; entry < this.entries; entry++) {
      if (this.ownerOf[entry] !== array) continue;
      this.ownerOf[entry] = -1;
      this.usedIn[entry] = 0;
    }
    this.tables[array] = undefined;
    this.vacant.push(array);
  }

  /** Copies a decoded chunk (its int16 as little-endian bytes) into an entry, where it stays until it is evicted. */
  put(array: number, chunk: number, decoded: Uint8Array): void {
    const entry = this.freeEntry();
    const owner = this.ownerOf[entry]!;
    if (owner >= 0) this.tables[owner]!.set(this.chunkOf[entry]!, NOT_LOADED);
    this.bytes.set(decoded, entry * this.entryValues * 2);
    this.ownerOf[entry] = array;
    this.chunkOf[entry] = chunk;
    this.usedIn[entry] = this.batch;
    this.tables[array]!.set(chunk, entry);
  }

  private freeEntry(): number {
    let oldest = MISSING_ENTRY;
    for (let seen = 1; seen < this.entries; seen++) {
      const entry = this.hand;
      this.hand = entry + 1 === this.entries ? 1 : entry + 1;
      const usedIn = this.usedIn[entry]!;
      if (usedIn === 0) return entry;
      if (usedIn !== this.batch && (oldest === MISSING_ENTRY || usedIn < this.usedIn[oldest]!))
        oldest = entry;
      if (seen >= SAMPLED && oldest !== MISSING_ENTRY) return oldest;
    }
    return oldest === MISSING_ENTRY ? this.hand : oldest;
  }
}

/** The chunk must be loaded. The value is lower by one for each of its cells that was computed alone. */
export const NOT_LOADED = -1;
/** Entry shared by all chunks that are not stored: every value in it is missing. */
export const MISSING_ENTRY = 0;

const PAGE_SHIFT = 5;
const PAGE = 2 ** PAGE_SHIFT;
const PAGE_MASK = PAGE - 1;

/** The initial number of pages of a table, and the number by which it grows. */
const FIRST_PAGES = 16;
const GROWTH = 1.5;

/**
 * The entry of each chunk of an array in the cache of decoded chunks.
 *
 * It is a page table: a field of some months has half a million chunks, of which the cache holds a few. Neighbouring
 * chunks share a page, and only pages with a chunk that was asked for take memory.
 */
export class ChunkTable {
  /** Offset of each page in `entries`. Pages without a requested chunk share the page at 0, which is never written. */
  private readonly starts: Int32Array;
  // The field is not `#entries` because the sampler would read that more slowly.
  private entries: Int32Array;
  readonly #isMissing: ((chunk: number) => boolean) | undefined;
  readonly #onGrowth: () => void;
  readonly #count: number;
  #used = PAGE;
  /** Value of `#used` after the last trim. */
  #trimmed = 0;

  /**
   * @param isMissing Which chunks are not stored; undefined where all of them are.
   * @param onGrowth Called when the table takes more memory.
   */
  constructor(count: number, isMissing: ((chunk: number) => boolean) | undefined, onGrowth: () => void) {
    this.#count = count;
    this.#isMissing = isMissing;
    this.#onGrowth = onGrowth;
    this.starts = new Int32Array((count + PAGE_MASK) >> PAGE_SHIFT);
    this.entries = new Int32Array(FIRST_PAGES * PAGE).fill(NOT_LOADED);
  }

  get byteLength(): number {
    return this.starts.byteLength + this.entries.byteLength;
  }

  /**
   * Returns the entry of a chunk; at most `NOT_LOADED` if the chunk is not in the cache or `find` was not called for
   * it.
   */
  get(chunk: number): number {
    return this.entries[this.starts[chunk >> PAGE_SHIFT]! + (chunk & PAGE_MASK)]!;
  }

  /**
   * Does the same as `get`, but returns `MISSING_ENTRY` for a chunk that is not stored, and allocates the page of the
   * chunk.
   */
  find(chunk: number): number {
    const at = this.#startOf(chunk >> PAGE_SHIFT) + (chunk & PAGE_MASK);
    return this.entries[at]!;
  }

  set(chunk: number, entry: number): void {
    // The page comes first because a new page may replace `entries`.
    const at = this.#startOf(chunk >> PAGE_SHIFT) + (chunk & PAGE_MASK);
    this.entries[at] = entry;
  }

  /**
   * Frees the pages without a cached chunk if there are more pages than after the last trim. The counts of cells in
   * those pages start again.
   */
  trim(): void {
    // Without this check every growth of another table would scan this one for nothing.
    if (this.#used === this.#trimmed) return;
    const [entries, starts] = [this.entries, this.starts];
    const isUsed = (from: number) => {
      for (let at = from; at < from + PAGE; at++) if (entries[at]! > MISSING_ENTRY) return true;
      return false;
    };
    const used: number[] = [];
    // The loop is plain because there are tens of thousands of pages, and `entries()` allocates an array for each.
    for (let page = 0; page < starts.length; page++) {
      const from = starts[page]!;
      if (from === 0) continue;
      if (isUsed(from)) used.push(page);
      else starts[page] = 0;
    }
    this.entries = new Int32Array((used.length + FIRST_PAGES) * PAGE).fill(NOT_LOADED);
    this.#used = PAGE;
    for (const page of used) {
      const from = starts[page]!;
      this.entries.set(entries.subarray(from, from + PAGE), this.#used);
      starts[page] = this.#used;
      this.#used += PAGE;
    }
    this.#trimmed = this.#used;
  }

  /** Returns the offset of a page, which is created if needed. */
  #startOf(page: number): number {
    const start = this.starts[page]!;
    if (start > 0) return start;
    if (this.#used === this.entries.length) this.#grow();
    const from = this.#used;
    this.#used += PAGE;
    this.starts[page] = from;
    if (this.#isMissing) {
      const first = page << PAGE_SHIFT;
      const last = Math.min(first + PAGE, this.#count);
      for (let chunk = first; chunk < last; chunk++)
        if (this.#isMissing(chunk)) this.entries[from + chunk - first] = MISSING_ENTRY;
    }
    return from;
  }

  #grow(): void {
    const before = this.entries;
    const pages = Math.ceil((GROWTH * before.length) / PAGE);
    this.entries = new Int32Array(pages * PAGE).fill(NOT_LOADED, before.length);
    this.entries.set(before);
    this.#onGrowth();
  }
}
