import { open, opendir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { BlobMissingError, type BlobStore } from "./blob-store.ts";
import { ifMissing, makeFolder, replaceFile } from "./files.ts";

const READ_BYTES = 64 * 1024;

/** Names without a dot in front, joined by slashes: no key leads out of the folder. */
const KEY = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/** Blobs as files in a folder, which is created with the first one. Only the user of this process can read them. */
export function folderBlobStore(folder: string): BlobStore {
  function fileOf(key: string): string {
    if (!KEY.test(key)) throw new TypeError(`${key} is not a key of a blob`);
    return path.join(folder, key);
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
      await makeFolder(path.dirname(file), 0o700);
      await replaceFile(file, pieces, { signal, mode: 0o600 });
    },

    async delete(key) {
      await rm(fileOf(key), { force: true });
    },

    async *list() {
      const entries = await opendir(folder, { recursive: true }).catch(ifMissing([]));
      for await (const entry of entries) {
        if (!entry.isFile()) continue;
        const file = path.join(entry.parentPath, entry.name);
        const found = await stat(file).catch(ifMissing(undefined));
        const key = path.relative(folder, file).split(path.sep).join("/");
        if (found) yield { key, modified: found.mtimeMs / 1000 };
      }
    },
  };
}
