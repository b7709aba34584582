import { MANIFEST_KEY } from "#server/archive/manifest.ts";
import type { ByteRange, ChunkStore } from "#server/archive/store.ts";
import { isBlobKey, type VersionedBlob } from "#server/platform/blob-store.ts";
import { StoreUnavailableError, UnavailableError } from "#server/platform/errors.ts";

/**
 * Unit of reading and caching, bytes: with the checksum of the cache, four pages of a disk. Chunks of points have about
 * 500 bytes, and their neighbours are usually requested next.
 */
export const BLOCK_BYTES = 16 * 1024 - 4;
/** Reading through a gap of 64 KiB costs less than another request. */
const MAX_GAP_BLOCKS = 4;
const MAX_REQUEST_BLOCKS = 256;
const REQUESTS_AT_ONCE = 64;
/** Object requested to see whether the store answers; it need not exist. */
const PROBED = MANIFEST_KEY;
/** Time limit of one read with all its attempts, milliseconds. */
const READ_MS = 20_000;

export type RemoteStore = ChunkStore &
  Required<Pick<ChunkStore, "getRanges" | "getChanged" | "forget">> & {
    /** Whether the last read failed. */
    isAway(): boolean;
    /** Checks whether an unavailable store answers again; does nothing otherwise. */
    probe(): Promise<void>;
    close(): void;
  };

/** Undefined where there is no such object. */
type Block = Uint8Array | undefined;

/** Blocks that are requested together. */
interface BlockRequest {
  /** How many readers wait for any of the blocks. A request that all readers left before it is sent is never sent. */
  readers: number;
}

/**
 * Opens an archive behind a network. Objects are read in blocks: neighbours by one request, and a block under way is
 * not requested again. No key reaches outside of the archive: an invalid key has no object.
 */
export function remoteStore(source: ObjectSource, cache: BlockCache): RemoteStore {
  /** Blocks under way, by key and number. */
  const arriving = new Map<string, { block: Promise<Block>; request: BlockRequest }>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let isFailing = false;
  let probing: Promise<unknown> | undefined;

  /** @throws If the work had to wait and is no longer wanted. */
  async function whenFree<T>(work: () => Promise<T>, isWanted: () => boolean): Promise<T> {
    if (running >= REQUESTS_AT_ONCE) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (!isWanted()) {
        waiting.shift()?.();
        throw new Error("All who asked have gone");
      }
    }
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  /** Requests blocks by one read, with what lies between them. @param group In ascending order. */
  function send(key: string, group: readonly number[]): void {
    const first = group[0]!;
    const count = group.at(-1)! - first + 1;
    const request: BlockRequest = { readers: 0 };
    const drop = () => {
      for (const block of group)
        if (arriving.get(`${key} ${block}`)?.request === request) arriving.delete(`${key} ${block}`);
    };
    const read = async () => {
      const bytes = await noting(
        inTime((signal) => source.getRange(key, first * BLOCK_BYTES, count * BLOCK_BYTES, signal)),
      );
      if (bytes) for (let i = 0; i < count; i++) cache.put(key, first + i, blockAt(bytes, i));
      return bytes;
    };
    const reading = whenFree(read, () => {
      // The request is dropped at once, so that a later reader sends its own.
      if (request.readers === 0) drop();
      return request.readers > 0;
    });
    for (const number of group) {
      const block = reading.then((bytes) => bytes && blockAt(bytes, number - first));
      // All readers may have left, which must not make the rejection unhandled.
      block.catch(() => {});
      arriving.set(`${key} ${number}`, { block, request });
    }
    reading.catch(() => {}).finally(drop);
  }

  async function getRanges(key: string, ranges: readonly ByteRange[], signal?: AbortSignal) {
    if (!isBlobKey(key)) return undefined;
    // A reader that has already aborted requests nothing.
    signal?.throwIfAborted();
    const blocks = new Map<number, Block>();
    for (const range of ranges) for (const block of blocksOf(range)) blocks.set(block, undefined);
    const wanted: number[] = [];
    for (const block of blocks.keys()) {
      if (arriving.has(`${key} ${block}`)) continue;
      const cached = cache.get(key, block);
      if (cached) blocks.set(block, cached);
      else wanted.push(block);
    }
    for (const group of together(wanted)) send(key, group);
    const requests = new Set<BlockRequest>();
    const missing = [...blocks].filter(([, found]) => !found);
    const arrived = missing.map(async ([number]) => {
      const { block, request } = arriving.get(`${key} ${number}`)!;
      requests.add(request);
      blocks.set(number, await block);
    });
    for (const request of requests) request.readers++;
    try {
      if (arrived.length > 0) await unlessAborted(Promise.all(arrived), signal);
    } finally {
      for (const request of requests) request.readers--;
    }
    if ([...blocks.values()].some((block) => !block)) return undefined;
    return ranges.map((range) => cut(range, blocks as Map<number, Uint8Array>));
  }

  /** Notes whether the store answers. */
  async function noting<T>(reading: Promise<T>): Promise<T> {
    try {
      const found = await reading;
      isFailing = false;
      return found;
    } catch (error) {
      isFailing = true;
      throw error;
    }
  }

  return {
    async get(key, signal) {
      return isBlobKey(key)
        ? unlessAborted(
            inTime((own) => source.get(key, own)),
            signal,
          )
        : undefined;
    },
    getChanged: (key, version) => inTime((own) => source.getChanged(key, version, own)),
    async getRange(key, offset, length, signal) {
      if (offset >= 0 || !isBlobKey(key)) return (await getRanges(key, [{ offset, length }], signal))?.[0];
      return unlessAborted(
        inTime((own) => source.getRange(key, offset, length, own)),
        signal,
      );
    },
    getRanges,
    forget(key, ranges) {
      for (const range of ranges) for (const block of blocksOf(range)) cache.forget(key, block);
    },
    isAway: () => isFailing,
    async probe() {
      if (!isFailing) return;
      probing ??= noting(inTime((own) => source.getRange(PROBED, 0, 1, own)))
        .catch(() => {})
        .finally(() => {
          probing = undefined;
        });
      await probing;
    },
    close: () => source.close(),
  };
}

/** Numbers of the blocks that a range touches. */
function* blocksOf({ offset, length }: ByteRange): Generator<number> {
  const last = Math.floor((offset + length - 1) / BLOCK_BYTES);
  for (let block = Math.floor(offset / BLOCK_BYTES); block <= last; block++) yield block;
}

const blockAt = (bytes: Uint8Array, i: number) => bytes.subarray(i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES);

/** The bytes of a range; fewer where the object ends earlier. */
function cut({ offset, length }: ByteRange, blocks: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const at = offset + filled;
    const block = blocks.get(Math.floor(at / BLOCK_BYTES))!;
    const from = at % BLOCK_BYTES;
    const part = block.subarray(from, from + length - filled);
    if (part.length === 0) break;
    bytes.set(part, filled);
    filled += part.length;
  }
  return bytes.subarray(0, filled);
}

/** The blocks that are requested together, in ascending order. */
function together(blocks: number[]): number[][] {
  const groups: number[][] = [];
  for (const block of blocks.sort((a, b) => a - b)) {
    const group = groups.at(-1);
    const joins =
      group && block - group.at(-1)! <= MAX_GAP_BLOCKS + 1 && block - group[0]! < MAX_REQUEST_BLOCKS;
    if (joins) group.push(block);
    else groups.push([block]);
  }
  return groups;
}

/** A read ends by its own time limit, never because one reader aborts: others may wait for the same bytes. */
async function inTime<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = AbortSignal.timeout(READ_MS);
  try {
    return await read(own);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    throw own.aborted
      ? new StoreUnavailableError("The archive's store is too slow", { cause: error })
      : error;
  }
}

/** Rejects with the signal's reason as soon as it aborts; the work goes on for others. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Source of the objects of a remote archive: a bucket (`S3BlobStore`) or a web server (`httpSource`). A request that
 * fails is sent again a few times. All reject with StoreUnavailableError, or with the signal's reason.
 */
export interface ObjectSource {
  /** @returns undefined where there is no such object. */
  get(key: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /**
   * @param offset Bytes; counted from the end where negative.
   * @returns Fewer bytes where the object ends earlier; undefined where there is no such object.
   */
  getRange(key: string, offset: number, length: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Returns a whole object, unless it still has this version. */
  getChanged(
    key: string,
    version: string | undefined,
    signal: AbortSignal,
  ): Promise<VersionedBlob | "unchanged" | undefined>;
  close(): void;
}

/** Caches blocks of objects. A cache may drop any block at any time, and never returns bytes that were not put in. */
export interface BlockCache {
  get(key: string, block: number): Uint8Array | undefined;
  put(key: string, block: number, bytes: Uint8Array): void;
  forget(key: string, block: number): void;
}

export const noCache: BlockCache = { get: () => undefined, put() {}, forget() {} };
