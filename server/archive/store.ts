/** Part of a stored object, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/**
 * Where the bytes of published runs are: a directory now; S3, plain HTTP or a computed world behind the same calls.
 *
 * A store that has the bytes at hand answers at once (no promise), which is what makes small reads cheap.
 */
export interface ChunkStore {
  /** Whole object. Throws `ObjectMissingError` where there is none. */
  get(key: string, signal?: AbortSignal): Uint8Array | Promise<Uint8Array>;
  /**
   * Parts of one object, in the order asked for; the caller owns them. A negative offset counts from the end. A part
   * that reaches beyond the end of the object is as short as the object leaves it.
   */
  getRanges(
    key: string,
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Uint8Array[] | Promise<Uint8Array[]>;
  /**
   * Fills `into` from an offset of an object, at once. For stores that always have the bytes at hand: no allocation.
   *
   * @returns How many bytes there were.
   */
  readInto?(key: string, offset: number, into: Uint8Array): number;
  /**
   * Changes whenever the object does (an ETag, a file's inode and times), and is cheaper than to read it; undefined where
   * there is no such object. A store without it is read again instead.
   */
  version?(key: string): string | undefined | Promise<string | undefined>;
  /**
   * Bytes of every chunk of a shard, where the store knows without reading that all chunks are there, equally long and in
   * order; undefined where its index has to be read.
   */
  evenChunks?(key: string): number | undefined;
  /** Lets go of what is held open: runs may have been withdrawn. Reading goes on as before. */
  release?(): void;
}

export class ObjectMissingError extends Error {
  override readonly name = "ObjectMissingError";
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`The archive has no ${key}`, options);
    this.key = key;
  }
}
