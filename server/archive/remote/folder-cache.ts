import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { realClock } from "#server/platform/clock.ts";
import { freeBytes, ifMissing } from "#server/platform/files.ts";
import type { BlockCache } from "./remote-store.ts";

export interface FolderCacheOptions {
  folder: string;
  /** Budget of the folder, bytes. Each process that uses the folder may exceed it by an eighth. */
  maxBytes: number;
  /** Free space that the cache leaves on the disk, bytes. */
  minFreeBytes?: number;
  /** Distinguishes the objects of one store from those of another. */
  store: string;
}

const CRC_BYTES = 4;
/** Files take whole pages of a disk. */
const PAGE_BYTES = 4096;
/**
 * After this share of the budget is written, the folder is scanned, and the oldest files beyond seven eighths of the
 * budget are removed.
 */
const TRIM_SHARE = 1 / 8;
/** Maximum number of blocks that wait to be written, 8 MiB; further blocks are not cached. */
const MAX_WAITING = 512;

/**
 * Caches blocks in a folder with one file per block. Each ends with a CRC-32 of its store, key, number and bytes: a
 * file that was torn by a kill or a power cut, or that lies under another name, is ignored. So nothing is synced or
 * renamed, and any number of processes and threads may use the same folder. The least recently used files are removed
 * first; a file's modification time is that of its last use, set when the folder is scanned.
 */
export class FolderCache implements BlockCache {
  readonly #options: FolderCacheOptions;
  /** Blocks that are being written, by file; an entry without bytes is being removed. */
  readonly #waiting = new Map<string, { bytes?: Uint8Array; written: Promise<void> }>();
  /** Files that were read since the folder was last scanned. */
  readonly #used = new Set<string>();
  /** Bytes written since the last scan. */
  #written = 0;
  #trimming: Promise<void> | undefined;

  constructor(options: FolderCacheOptions) {
    this.#options = options;
  }

  get(key: string, block: number): Uint8Array | undefined {
    const file = this.#fileOf(key, block);
    const waiting = this.#waiting.get(file);
    if (waiting) return waiting.bytes;
    let stored: Buffer;
    try {
      stored = readFileSync(file);
    } catch {
      return undefined;
    }
    const end = stored.length - CRC_BYTES;
    if (end < 0) return undefined;
    const bytes = stored.subarray(0, end);
    if (stored.readUInt32LE(end) !== this.#sum(key, block, bytes)) return undefined;
    this.#used.add(file);
    return bytes;
  }

  put(key: string, block: number, bytes: Uint8Array): void {
    if (this.#waiting.size >= MAX_WAITING) return;
    const file = this.#fileOf(key, block);
    const sealed = Buffer.allocUnsafe(bytes.length + CRC_BYTES);
    sealed.set(bytes);
    sealed.writeUInt32LE(this.#sum(key, block, bytes), bytes.length);
    this.#then(file, () => this.#write(file, sealed), bytes);
  }

  forget(key: string, block: number): void {
    const file = this.#fileOf(key, block);
    if (this.#waiting.has(file)) {
      this.#then(file, () => rm(file, { force: true }));
      return;
    }
    try {
      rmSync(file, { force: true });
    } catch {
      // The entry belongs to another user or is not a file; the next block that is put there may replace it.
    }
  }

  /** Changes a file after its earlier changes. @param bytes Contents of the file after the change. */
  #then(file: string, change: () => Promise<void>, bytes?: Uint8Array): void {
    const before = this.#waiting.get(file)?.written ?? Promise.resolve();
    // A full disk only costs the cached block.
    const waiting = { bytes, written: before.then(change).catch(() => {}) };
    this.#waiting.set(file, waiting);
    waiting.written.then(() => {
      if (this.#waiting.get(file) === waiting) this.#waiting.delete(file);
    });
  }

  /** Resolves when all blocks put so far are on the disk and the folder is within its budget. */
  async settled(): Promise<void> {
    await Promise.all([...this.#waiting.values()].map(({ written }) => written));
    await this.#trimming;
  }

  async #write(file: string, sealed: Uint8Array): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, sealed);
    this.#written += onDisk(sealed.length);
    if (this.#written >= TRIM_SHARE * this.#options.maxBytes) void this.trim();
  }

  /** Brings the folder within its budget. */
  trim(): Promise<void> {
    this.#trimming ??= this.#trim()
      // The folder was removed, or cannot be read: it is only a cache.
      .catch(() => {})
      .finally(() => {
        this.#trimming = undefined;
      });
    return this.#trimming;
  }

  async #trim(): Promise<void> {
    const { folder, maxBytes, minFreeBytes = 0 } = this.#options;
    this.#written = 0;
    const now = realClock.now();
    const files: { file: string; bytes: number; usedAt: number }[] = [];
    // An entry that is not a file in a subfolder does not belong to the cache and must not stop the scan.
    for (const name of await readdir(folder).catch(ifMissing([])))
      for (const inner of await readdir(path.join(folder, name)).catch(() => [])) {
        const file = path.join(folder, name, inner);
        const found = await stat(file).catch(() => undefined);
        if (!found?.isFile()) continue;
        const isUsed = this.#used.delete(file);
        if (isUsed) await utimes(file, now, now).catch(() => {});
        files.push({ file, bytes: onDisk(found.size), usedAt: isUsed ? now : found.mtimeMs / 1000 });
      }
    this.#used.clear();
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const room = files.length > 0 ? total + (await freeBytes(folder)) - minFreeBytes : maxBytes;
    const allowed = Math.max(0, Math.min((1 - TRIM_SHARE) * maxBytes, room));
    for (const { file, bytes } of files.sort((one, other) => one.usedAt - other.usedAt)) {
      if (total <= allowed) return;
      const isRemoved = await rm(file, { force: true }).then(
        () => true,
        () => false,
      );
      if (isRemoved) total -= bytes;
    }
  }

  #fileOf(key: string, block: number): string {
    const hash = createHash("sha256").update(`${this.#options.store}\n${key}`).digest("hex").slice(0, 32);
    return path.join(this.#options.folder, hash.slice(0, 2), `${hash}.${block}`);
  }

  #sum(key: string, block: number, bytes: Uint8Array): number {
    return crc32(bytes, crc32(`${this.#options.store}\n${key}\n${block}`));
  }
}

const onDisk = (bytes: number) => Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
