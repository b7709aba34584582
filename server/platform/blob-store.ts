/** Names without a dot in front, joined by slashes: no key leads out of the store. */
const KEY = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/** Key of a store's id, which is not a blob and is not listed. */
export const MARKER_KEY = ".store-id";

/** @throws TypeError if the text is not a valid key of a blob. */
export function checkedKey(key: string): string {
  if (!KEY.test(key) && key !== MARKER_KEY) throw new TypeError(`${key} is not a key of a blob`);
  return key;
}

export function isBlobKey(text: string): boolean {
  return KEY.test(text);
}

export interface BlobEntry {
  key: string;
  bytes: number;
  /** Time of the last write, Unix seconds. */
  modified: number;
}

/**
 * Stores bytes under keys, in a folder or in an object store. A key is names joined by `/`. A blob is written once and
 * never changes.
 *
 * A store that has the bytes locally may answer synchronously (no promise), which makes small reads cheap.
 */
export interface BlobStore {
  /** A whole blob; undefined where there is no such blob. */
  get(key: string, signal?: AbortSignal): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /**
   * Part of a blob, owned by the caller; undefined where there is no such blob.
   *
   * @param offset Bytes; counted from the end of the blob where negative.
   * @param length Bytes. The result is shorter where the blob ends earlier.
   */
  getRange(
    key: string,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** A blob that may be larger than memory, read as it is taken. @throws BlobMissingError before the first byte. */
  read(key: string, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Stores a blob while it is made. It is whole and durable when this returns, or not there at all.
   *
   * @throws What the pieces throw, the signal's reason, or NoSpaceError.
   */
  put(key: string, pieces: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /** Deletes a blob. Does nothing if there is no such blob. */
  delete(key: string): Promise<void>;
  /**
   * Lists all blobs, and leftovers of killed writers, whose keys `delete` accepts too.
   *
   * @param below Only keys that begin with it and a slash.
   */
  list(below?: string): AsyncIterable<BlobEntry>;
}

/** A whole blob with its ETag, which distinguishes this version from others. */
export interface VersionedBlob {
  bytes: Uint8Array;
  version: string | undefined;
}

export class BlobMissingError extends Error {
  override readonly name = "BlobMissingError";
  constructor(key: string) {
    super(`There is no blob ${key}`);
  }
}
