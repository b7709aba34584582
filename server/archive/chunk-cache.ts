import { FILL } from "#lib/catalog/fields.ts";
import { type ChunkTable, MISSING_ENTRY, NOT_LOADED } from "./chunk-table.ts";

/** Eviction looks at this many neighbours and replaces the least recently used of them. */
const SAMPLED = 8;
/** Eight chunks for each of 64 points that are loaded together, twice over. */
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

  /** Removes an array and all its chunks. */
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
