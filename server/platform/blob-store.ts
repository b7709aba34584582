/**
 * Where requests and results of tasks lie: a directory now; an object store would answer the same calls. A name is
 * written once and never changes.
 */
export interface BlobStore {
  /**
   * Writes a file, gzip-compressed, as it is made. It is there whole and durable when this returns, or not at all.
   *
   * @param pieces Its plain bytes.
   * @returns Length and SHA-256 (hexadecimal) of the compressed bytes.
   * @throws Whatever the pieces throw, the signal's reason, or the system's error where there is no room.
   */
  write(
    name: string,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<StoredBlob>;
  /**
   * The compressed bytes, read as they are taken.
   *
   * @throws FileMissingError before the first byte; FileDamagedError, where a hash is given and is not that of the file,
   *   before the last.
   */
  read(name: string, hash?: string): AsyncIterable<Uint8Array>;
  /** Does nothing where there is none. */
  remove(name: string): Promise<void>;
  /** Every file that has not been written to since, drafts of killed writers included. @param before Unix seconds. */
  olderThan(before: number): AsyncIterable<string>;
}

export interface StoredBlob {
  bytes: number;
  hash: string;
}

export class BlobMissingError extends Error {
  override readonly name = "FileMissingError";
  constructor(file: string) {
    super(`There is no file ${file}`);
  }
}

export class BlobDamagedError extends Error {
  override readonly name = "FileDamagedError";
  constructor(file: string) {
    super(`The file ${file} is not what was written`);
  }
}
