import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ByteRange, type ChunkStore, ObjectMissingError } from "./store.ts";

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** To read this many bytes more costs less than to ask a second time (measured with a warm page cache). */
const WORTH_READING_THROUGH = 16 * 1024;

/** Published runs in a folder. Answers at once, from files that it keeps open. */
export interface DirectoryStore extends ChunkStore {
  get(key: string): Uint8Array;
  getRanges(key: string, ranges: readonly ByteRange[]): Uint8Array[];
  readInto(key: string, offset: number, into: Uint8Array): number;
  version(key: string): string | undefined;
  release(): void;
}

/**
 * Opens a folder as a store. No key reaches outside of it.
 *
 * @param openFiles How many files are kept open at most.
 */
export function directoryStore(root: string, openFiles = 64): DirectoryStore {
  const open = new Map<string, number>();

  function descriptor(key: string): number {
    const known = open.get(key);
    if (known !== undefined) {
      // Last used, last closed: a Map keeps the order of insertion.
      open.delete(key);
      open.set(key, known);
      return known;
    }
    const opened = orMissing(key, () => openSync(pathOf(root, key), "r"));
    for (const [oldest, file] of open) {
      if (open.size < openFiles) break;
      open.delete(oldest);
      closeSync(file);
    }
    open.set(key, opened);
    return opened;
  }

  return {
    get: (key) => orMissing(key, () => readFileSync(pathOf(root, key))),
    getRanges: (key, ranges) => readRanges(descriptor(key), ranges),
    readInto: (key, offset, into) => fill(descriptor(key), into, offset),
    version(key) {
      if (!KEY.test(key)) return undefined;
      const stat = statSync(pathOf(root, key), { bigint: true, throwIfNoEntry: false });
      return stat && `${stat.ino}-${stat.size}-${stat.mtimeNs}`;
    },
    release() {
      for (const file of open.values()) closeSync(file);
      open.clear();
    },
  };
}

/** Reads ranges into one buffer; those that lie close together in ascending order are read in one go. */
function readRanges(file: number, ranges: readonly ByteRange[]): Uint8Array[] {
  const size = ranges.some(({ offset }) => offset < 0) ? fstatSync(file).size : 0;
  const starts = ranges.map(({ offset }) => (offset < 0 ? Math.max(0, size + offset) : offset));
  const parts = new Array<Uint8Array>(ranges.length);
  let first = 0;
  while (first < ranges.length) {
    const from = starts[first]!;
    let to = from + ranges[first]!.length;
    let next = first + 1;
    while (next < ranges.length && starts[next]! >= to && starts[next]! - to <= WORTH_READING_THROUGH) {
      to = starts[next]! + ranges[next]!.length;
      next++;
    }
    const buffer = Buffer.allocUnsafeSlow(to - from);
    const filled = fill(file, buffer, from);
    for (; first < next; first++) {
      const at = starts[first]! - from;
      const end = Math.min(filled, at + ranges[first]!.length);
      parts[first] = buffer.subarray(Math.min(at, end), end);
    }
  }
  return parts;
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

function pathOf(root: string, key: string): string {
  if (!KEY.test(key)) throw new ObjectMissingError(key);
  return join(root, key);
}

function orMissing<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR")
      throw new ObjectMissingError(key, { cause });
    throw cause;
  }
}
