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
  /** Parts of one object, in the order asked for. A negative offset counts from the end. */
  getRanges(
    key: string,
    ranges: readonly ByteRange[],
    signal?: AbortSignal,
  ): Uint8Array[] | Promise<Uint8Array[]>;
}

export class ObjectMissingError extends Error {
  override readonly name = "ObjectMissingError";
  readonly key: string;
  constructor(key: string, options?: ErrorOptions) {
    super(`The archive has no ${key}`, options);
    this.key = key;
  }
}
