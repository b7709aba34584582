import { FILL } from "#lib/catalog/fields.ts";

/** State of a chunk in a table of slots: it must be loaded. */
export const NOT_LOADED = -1;
/** Slot of all chunks that are not stored: everything in it is missing. */
export const EMPTY_SLOT = 0;

/** Of so many neighbours the one that was used longest ago gives way. */
const SAMPLED = 8;
/** Eight chunks for each of 64 points that are loaded in one go, twice over. */
const MIN_SLOTS = 1024;
const BYTES_PER_SLOT_BESIDE_VALUES = 12;

/**
 * Decoded chunks of all runs in one piece of memory of fixed size.
 *
 * The memory is cut into slots of one size. Each array has a table that says in which slot each of its chunks is; nothing
 * is looked up by name, and nothing is allocated when a chunk comes or goes.
 */
export class ChunkCache {
  readonly slotValues: number;
  readonly slots: number;
  /** Slot s begins at s · slotValues. */
  readonly values: Int16Array;
  /** In which batch of loads a slot was last used. Chunks of the present batch never give way to each other. */
  readonly usedIn: Uint32Array;
  /** The present batch of loads. While nothing is loaded, marks stay as they are and reading writes nothing. */
  batch = 1;
  private readonly bytes: Uint8Array;
  private readonly ownerOf: Int32Array;
  private readonly chunkOf: Int32Array;
  private readonly tables: (Int32Array | undefined)[] = [];
  /** Numbers of forgotten arrays, to be given again. */
  private readonly vacant: number[] = [];
  private hand = 1;

  /** @param bytes Budget: the memory of the cache itself never exceeds it, but there are slots for what a few points need. */
  constructor(bytes: number, slotValues: number) {
    this.slotValues = slotValues;
    this.slots = Math.max(MIN_SLOTS, Math.floor(bytes / (2 * slotValues + BYTES_PER_SLOT_BESIDE_VALUES)));
    this.values = new Int16Array(this.slots * slotValues);
    this.bytes = new Uint8Array(this.values.buffer);
    this.values.fill(FILL, 0, slotValues);
    this.usedIn = new Uint32Array(this.slots);
    this.ownerOf = new Int32Array(this.slots).fill(-1);
    this.chunkOf = new Int32Array(this.slots);
  }

  /** Bytes that the cache takes. */
  get byteLength(): number {
    return this.slots * (2 * this.slotValues + BYTES_PER_SLOT_BESIDE_VALUES);
  }

  /** Takes in an array. @returns Its number. */
  register(table: Int32Array): number {
    const number = this.vacant.pop() ?? this.tables.length;
    this.tables[number] = table;
    return number;
  }

  /** Forgets an array and all its chunks. */
  forget(array: number): void {
    for (let slot = 0; slot < this.slots; slot++) {
      if (this.ownerOf[slot] !== array) continue;
      this.ownerOf[slot] = -1;
      this.usedIn[slot] = 0;
    }
    this.tables[array] = undefined;
    this.vacant.push(array);
  }

  /** Puts a decoded chunk (its int16 as little-endian bytes) into a slot, where it stays until another needs the place. */
  put(array: number, chunk: number, decoded: Uint8Array): void {
    const slot = this.freeSlot();
    const owner = this.ownerOf[slot]!;
    if (owner >= 0) this.tables[owner]![this.chunkOf[slot]!] = NOT_LOADED;
    this.bytes.set(decoded, slot * this.slotValues * 2);
    this.ownerOf[slot] = array;
    this.chunkOf[slot] = chunk;
    this.usedIn[slot] = this.batch;
    this.tables[array]![chunk] = slot;
  }

  private freeSlot(): number {
    let oldest = EMPTY_SLOT;
    for (let looked = 1; looked < this.slots; looked++) {
      const slot = this.hand;
      this.hand = slot + 1 === this.slots ? 1 : slot + 1;
      const usedIn = this.usedIn[slot]!;
      if (usedIn === 0) return slot;
      if (usedIn !== this.batch && (oldest === EMPTY_SLOT || usedIn < this.usedIn[oldest]!)) oldest = slot;
      if (looked >= SAMPLED && oldest !== EMPTY_SLOT) return oldest;
    }
    return oldest === EMPTY_SLOT ? this.hand : oldest;
  }
}
