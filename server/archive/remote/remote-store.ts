import { isBlobKey, type VersionedBlob } from "#server/platform/blob-store.ts";
import { StoreUnavailableError, UnavailableError } from "#server/platform/errors.ts";
import { MANIFEST_KEY } from "../manifest.ts";
import type { ByteRange, ChunkStore } from "../store.ts";

/**
 * What is read and cached at once, bytes: with the checksum of the cache, four pages of a disk. Chunks of points have about
 * 500 bytes; their neighbours are mostly asked for next.
 */
export const BLOCK_BYTES = 16 * 1024 - 4;
/** Reading through a gap of 64 KiB costs less than another request. */
const MAX_GAP_BLOCKS = 4;
const MAX_REQUEST_BLOCKS = 256;
const REQUESTS_AT_ONCE = 64;
/** What is asked for to see whether the store answers; it need not be there. */
const PROBED = MANIFEST_KEY;
/** One read with all its attempts. Milliseconds. */
const READ_MS = 20_000;

export type RemoteStore = ChunkStore &
  Required<Pick<ChunkStore, "getRanges" | "getChanged" | "forget">> & {
    /** Whether the last read failed. */
    isAway(): boolean;
    /** Where it is away, asks whether it still is. */
    probe(): Promise<void>;
    close(): void;
  };

/** A block that was asked for. Undefined where there is no such object. */
type Block = Uint8Array | undefined;

interface Arrival extends PromiseWithResolvers<Block> {
  /** How many reads wait for it. Where all have gone before it is requested, it is not. */
  readers: number;
}

/**
 * An archive behind a network. Objects are read in blocks: those asked for in one turn are requested together, neighbours
 * by one request, and a block that is on its way is not requested again. What the disk cache has is returned synchronously.
 * No key reaches outside of the archive: what is no key is no object.
 */
export function remoteStore(source: ObjectSource, cache: BlockCache): RemoteStore {
  const arriving = new Map<string, Map<number, Arrival>>();
  /** Of those, what was not requested yet. */
  let wanted = new Map<string, number[]>();
  const queue: (() => Promise<void>)[] = [];
  let running = 0;
  let isFailing = false;
  let probing: Promise<unknown> | undefined;

  function blockOf(key: string, block: number): Block | Arrival {
    const known = arriving.get(key)?.get(block);
    if (known) {
      known.readers++;
      return known;
    }
    const cached = cache.get(key, block);
    if (cached) return cached;
    const arrival: Arrival = { ...Promise.withResolvers<Block>(), readers: 1 };
    // Those who asked may have gone.
    arrival.promise.catch(() => {});
    const ofKey = arriving.get(key) ?? new Map<number, Arrival>();
    arriving.set(key, ofKey.set(block, arrival));
    if (wanted.size === 0) setImmediate(request);
    const blocks = wanted.get(key);
    if (blocks) blocks.push(block);
    else wanted.set(key, [block]);
    return arrival;
  }

  /** Requests what was asked for in this turn. */
  function request(): void {
    const asked = wanted;
    wanted = new Map();
    for (const [key, blocks] of asked)
      for (const group of together(blocks)) queue.push(() => read(key, group));
    next();
  }

  function next(): void {
    while (running < REQUESTS_AT_ONCE) {
      const work = queue.shift();
      if (!work) return;
      running++;
      work().finally(() => {
        running--;
        next();
      });
    }
  }

  /** @param asked In ascending order; what lies between them is read too. */
  async function read(key: string, asked: readonly number[]): Promise<void> {
    if (!isWaitedFor(key, asked)) return;
    const first = asked[0]!;
    const count = asked.at(-1)! - first + 1;
    let end: (arrival: Arrival, at: number) => void;
    // What lies in a gap may be on its way by another request, which does not fail with this one.
    let ended = asked;
    try {
      const bytes = await noting(
        inTime((signal) => source.getRange(key, first * BLOCK_BYTES, count * BLOCK_BYTES, signal)),
      );
      const blocks = bytes && Array.from({ length: count }, (_, i) => blockAt(bytes, i));
      for (const [i, block] of (blocks ?? []).entries()) cache.put(key, first + i, block);
      end = (arrival, at) => arrival.resolve(blocks?.[at]);
      ended = Array.from({ length: count }, (_, i) => first + i);
    } catch (error) {
      end = (arrival) => arrival.reject(error);
    }
    const ofKey = arriving.get(key);
    for (const block of ended) {
      const arrival = ofKey?.get(block);
      if (arrival) end(arrival, block - first);
      ofKey?.delete(block);
    }
    if (ofKey?.size === 0) arriving.delete(key);
  }

  /** Where nobody waits for blocks any more, they are forgotten: who comes later asks again. */
  function isWaitedFor(key: string, blocks: readonly number[]): boolean {
    const ofKey = arriving.get(key);
    if (blocks.some((block) => (ofKey?.get(block)?.readers ?? 0) > 0)) return true;
    for (const block of blocks) ofKey?.delete(block);
    if (ofKey?.size === 0) arriving.delete(key);
    return false;
  }

  function getRanges(key: string, ranges: readonly ByteRange[], signal?: AbortSignal) {
    if (!isBlobKey(key)) return undefined;
    const blocks = new Map<number, Block>();
    const pending: Promise<void>[] = [];
    const waits: Arrival[] = [];
    for (const range of ranges) {
      for (const block of blocksOf(range)) {
        if (blocks.has(block)) continue;
        const found = blockOf(key, block);
        if (!found || !("promise" in found)) {
          blocks.set(block, found);
          continue;
        }
        blocks.set(block, undefined);
        waits.push(found);
        pending.push(
          found.promise.then((arrived) => {
            blocks.set(block, arrived);
          }),
        );
      }
    }
    const assemble = () => {
      for (const block of blocks.values()) if (!block) return undefined;
      return ranges.map((range) => cut(range, blocks as Map<number, Uint8Array>));
    };
    if (pending.length === 0) return assemble();
    const leave = () => {
      for (const arrival of waits) arrival.readers--;
    };
    return unlessAborted(Promise.all(pending), signal, leave).then(assemble);
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
    get: (key, signal) =>
      isBlobKey(key)
        ? unlessAborted(
            inTime((own) => source.get(key, own)),
            signal,
          )
        : undefined,
    getChanged: (key, version) => inTime((own) => source.getChanged(key, version, own)),
    getRange(key, offset, length, signal) {
      if (offset < 0 && isBlobKey(key))
        return unlessAborted(
          inTime((own) => source.getRange(key, offset, length, own)),
          signal,
        );
      const parts = getRanges(key, [{ offset, length }], signal);
      return parts instanceof Promise ? parts.then((found) => found?.[0]) : parts?.[0];
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

/** Others may wait for the same bytes: a read ends by its own time, never because one of those who asked has gone. */
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

/** @param leave Called where nobody waits any more. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, leave?: () => void): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) {
    leave?.();
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const abort = () => {
      leave?.();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Where the objects of a remote archive come from: a bucket (`S3BlobStore`) or a web server (`httpSource`). A request that
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
  /** A whole object, unless it is still of this version. */
  getChanged(
    key: string,
    version: string | undefined,
    signal: AbortSignal,
  ): Promise<VersionedBlob | "unchanged" | undefined>;
  close(): void;
}

/** Caches blocks of objects. It may drop any of them at any time, and never returns what was not put in. */
export interface BlockCache {
  get(key: string, block: number): Uint8Array | undefined;
  put(key: string, block: number, bytes: Uint8Array): void;
  forget(key: string, block: number): void;
}

export const noCache: BlockCache = { get: () => undefined, put() {}, forget() {} };
