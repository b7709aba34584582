import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { isBlobKey } from "#server/platform/blob-store.ts";
import type { ChunkStore } from "./store.ts";

/**
 * Opens a folder with published runs as a store. No key reaches outside of it. It answers synchronously, from files that
 * it keeps open.
 *
 * @param maxOpenFiles How many files stay open between reads.
 */
export function directoryStore(root: string, maxOpenFiles = 64) {
  const open = new LRUCache<string, number>({ max: maxOpenFiles, dispose: (file) => closeSync(file) });

  function descriptor(key: string): number | undefined {
    const known = open.get(key);
    if (known !== undefined) return known;
    const opened = unlessMissing(root, key, (path) => openSync(path, "r"));
    if (opened !== undefined) open.set(key, opened);
    return opened;
  }

  return {
    get: (key) => unlessMissing(root, key, (path) => readFileSync(path)),
    getRange(key, offset, length) {
      const file = descriptor(key);
      if (file === undefined) return undefined;
      const from = offset < 0 ? Math.max(0, fstatSync(file).size + offset) : offset;
      const bytes = Buffer.allocUnsafeSlow(length);
      return bytes.subarray(0, fill(file, bytes, from));
    },
    readInto(key, offset, into) {
      const file = descriptor(key);
      return file === undefined ? undefined : fill(file, into, offset);
    },
    version: (key) =>
      unlessMissing(root, key, (path) => {
        const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
        return stat && `${stat.ino}-${stat.size}-${stat.mtimeNs}`;
      }),
    release: () => open.clear(),
  } satisfies ChunkStore;
}

/** Reads until the buffer is full or the file ends; returns how many bytes were read. */
function fill(file: number, buffer: Uint8Array, from: number): number {
  let filled = 0;
  while (filled < buffer.length) {
    const read = readSync(file, buffer, filled, buffer.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return filled;
}

function unlessMissing<T>(root: string, key: string, read: (path: string) => T): T | undefined {
  if (!isBlobKey(key)) return undefined;
  try {
    return read(join(root, key));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return undefined;
    throw error;
  }
}
