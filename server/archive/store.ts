import type { BlobStore, VersionedBlob } from "#server/platform/blob-store.ts";

/** Part of a stored object, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/**
 * The keyed store that published runs are read from: a directory, a bucket, a web server, or a world computed on demand.
 */
export interface ChunkStore extends Pick<BlobStore, "get" | "getRange"> {
  /** Returns parts of one object in the order given; for stores that answer many at once faster than one by one. */
  getRanges?(
    key: string,
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Uint8Array[] | undefined | Promise<Uint8Array[] | undefined>;
  /**
   * Fills `into` from an offset of an object, synchronously and without allocation. Only for stores that have all bytes
   * locally.
   *
   * @returns How many bytes there were; undefined where there is no such object.
   */
  readInto?(key: string, offset: number, into: Uint8Array): number | undefined;
  /**
   * Changes whenever the object changes (an ETag, a file's inode and times), and costs less than reading it; undefined
   * where there is no such object. Without this method the object is read again instead.
   */
  version?(key: string): string | undefined | Promise<string | undefined>;
  /**
   * Bytes of every chunk of a shard, if the store knows without reading that all chunks are present, equally long and in
   * order; undefined where the shard's index has to be read.
   */
  evenChunks?(key: string): number | undefined;
  /**
   * Single cells of an array, for stores to which a whole chunk costs more: see `CellStore`. Only for global grids.
   *
   * @param key The array's shard.
   * @param cells Index of the step, and row and column of the south-west node, three numbers a cell.
   * @returns As stored: south-west, south-east, north-west and north-east node, four numbers a cell.
   */
  getCells?(key: string, cells: Int32Array, signal?: AbortSignal): Promise<Int16Array>;
  /** How many cells cost as much as a chunk of the points layout. */
  cellsPerChunk?: number;
  /**
   * Returns a whole object, unless it still has this version; for stores in which reading the version costs as much as
   * reading the object. A store has either this method or `version`.
   */
  getChanged?(key: string, version: string | undefined): Promise<VersionedBlob | "unchanged" | undefined>;
  /** Drops cached bytes of these ranges, which fail their checksum; the bytes at their source may be intact. */
  forget?(key: string, ranges: readonly ByteRange[]): void;
  /** Closes open files because runs may have been withdrawn. Reading still works afterwards. */
  release?(): void;
}

/** A store that computes single cells, each of two rows and two columns at one step. */
export type CellStore = ChunkStore & Required<Pick<ChunkStore, "getCells" | "cellsPerChunk">>;

export function hasCells(store: ChunkStore): store is CellStore {
  return store.getCells !== undefined && store.cellsPerChunk !== undefined;
}

/**
 * Parts of one object, in the order given. Throws `ObjectMissingError`.
 *
 * @param isWhole Returns whether a part has its checksum. If the store caches bytes from a network, damaged parts are
 *   read again once.
 */
export async function rangesOf(
  store: ChunkStore,
  key: string,
  ranges: readonly ByteRange[],
  signal?: AbortSignal,
  isWhole?: (part: Uint8Array, at: number) => boolean,
): Promise<Uint8Array[]> {
  const parts = await partsOf(store, key, ranges, signal);
  if (!store.forget || !isWhole) return parts;
  const damaged = ranges.filter((_, at) => !isWhole(parts[at]!, at));
  if (damaged.length === 0) return parts;
  store.forget(key, damaged);
  return partsOf(store, key, ranges, signal);
}

async function partsOf(
  store: ChunkStore,
  key: string,
  ranges: readonly ByteRange[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array[]> {
  if (store.getRanges) return existing(key, await store.getRanges(key, ranges, signal));
  const parts = await Promise.all(
    ranges.map(({ offset, length }) => store.getRange(key, offset, length, signal)),
  );
  return parts.map((part) => existing(key, part));
}

/**
 * Passes on what a store returned for a key that the manifest names. Throws `ObjectMissingError` if it returned
 * nothing.
 */
export function existing<T>(key: string, found: T | undefined): T {
  if (found === undefined) throw new ObjectMissingError(key);
  return found;
}

export class ObjectMissingError extends Error {
  override readonly name = "ObjectMissingError";
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`The archive has no ${key}`, options);
    this.key = key;
  }
}
