import { open, opendir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { BlobMissingError, type BlobStore, checkedKey } from "./blob-store.ts";
import type { BlobPlace } from "./blob-url.ts";
import { isNoSpace, NoSpaceError } from "./errors.ts";
import { freeBytes, ifMissing, makeFolder, replaceFile } from "./files.ts";

const READ_BYTES = 64 * 1024;

/** Free space is checked before the first byte of a blob, and again after this many bytes. */
const CHECK_BYTES = 8 * 2 ** 20;

export interface FolderOptions {
  /** Disk space that is left to others, above all the database, bytes. */
  reserveBytes?: number;
  /**
   * Whether other users, such as that of a web server, may read the files as far as the umask allows. Default: false.
   */
  isPublic?: boolean;
}

/** Stores blobs as files in a folder, which is created with the first blob. */
export function folderBlobStore(
  folder: string,
  { reserveBytes = 0, isPublic = false }: FolderOptions = {},
): BlobStore {
  function fileOf(key: string): string {
    return path.join(folder, checkedKey(key));
  }

  async function* withReserve(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let unchecked = CHECK_BYTES;
    for await (const piece of pieces) {
      unchecked += piece.length;
      if (unchecked > CHECK_BYTES) {
        unchecked = 0;
        if ((await freeBytes(folder)) < reserveBytes) throw new NoSpaceError();
      }
      yield piece;
    }
  }

  return {
    async get(key, signal) {
      return readFile(fileOf(key), { signal }).catch(ifMissing(undefined));
    },

    async getRange(key, offset, length) {
      await using file = await open(fileOf(key)).catch(ifMissing(undefined));
      if (!file) return undefined;
      const start = offset < 0 ? Math.max(0, (await file.stat()).size + offset) : offset;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    },

    async *read(key, signal) {
      const file = await open(fileOf(key)).catch(ifMissing(undefined));
      if (!file) throw new BlobMissingError(key);
      yield* file.createReadStream({ highWaterMark: READ_BYTES, signal });
    },

    async put(key, pieces, signal) {
      const file = fileOf(key);
      try {
        await makeFolder(path.dirname(file), isPublic ? 0o777 : 0o700);
        await replaceFile(file, withReserve(pieces), { signal, mode: isPublic ? 0o666 : 0o600 });
      } catch (error) {
        signal?.throwIfAborted();
        throw isNoSpace(error) && !(error instanceof NoSpaceError)
          ? new NoSpaceError(undefined, { cause: error })
          : error;
      }
    },

    async delete(key) {
      await rm(fileOf(key), { force: true });
    },

    async *list(below) {
      const from = below === undefined ? folder : fileOf(below);
      for await (const file of filesBelow(from)) {
        // A name that begins with a dot is not a blob; the store's own marker has one.
        if (path.basename(file).startsWith(".")) continue;
        const found = await stat(file).catch(ifMissing(undefined));
        const key = path.relative(folder, file).split(path.sep).join("/");
        if (found) yield { key, bytes: found.size, modified: found.mtimeMs / 1000 };
      }
    },
  };
}

/**
 * Paths of the files in a folder and its folders. One that is removed meanwhile is left out; a recursive `opendir` would end with
 * an error there.
 */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder).catch(ifMissing([]))) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (entry.isFile()) yield file;
  }
}

/** The blobs of tasks and stored answers. */
export interface OpenedBlobs extends BlobStore {
  /** Space that is left, bytes; Infinity in a bucket, whose size is not known. */
  freeBytes(): Promise<number>;
  close(): void;
}

/** @param reserveBytes Disk space that is left to others. Like `isPublic`, it has no effect on a bucket. */
export async function openBlobs(
  place: BlobPlace,
  reserveBytes = 0,
  { isPublic }: Pick<FolderOptions, "isPublic"> = {},
): Promise<OpenedBlobs> {
  if (place.kind === "folder")
    return {
      ...folderBlobStore(place.folder, { reserveBytes, isPublic }),
      freeBytes: () => freeBytes(place.folder),
      close: () => {},
    };
  // The S3 client takes memory and time to load, so it is loaded only where it is used.
  const { s3BlobStore } = await import("./s3-blob-store.ts");
  return { ...s3BlobStore(place), freeBytes: async () => Number.POSITIVE_INFINITY };
}
