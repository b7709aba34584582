import { andThen } from "#server/platform/and-then.ts";
import { crc32c } from "./crc32c.ts";
import { DamagedChunkError } from "./errors.ts";
import { type ChunkStore, existing } from "./store.ts";

/** Offset and length of a chunk that is not stored: every value in it is missing. */
const ABSENT = 0xffff_ffff_ffff_ffffn;

const ENTRY_BYTES = 16;
const CRC_BYTES = 4;
const ABSENT_HALF = 0xffff_ffff;
/** Larger than any chunk number. */
const NOT_STORED = 0xffff_ffff;

/**
 * Where the chunks of one shard lie, in C order of the chunk grid.
 *
 * An archive has millions of chunks, so memory per chunk is minimal: nothing where all chunks are stored in order and
 * equally long, one number where they are equally long but some are not stored.
 */
export interface ShardIndex {
  count: number;
  /** Bytes of every stored chunk; undefined where they differ. */
  length: number | undefined;
  lengths: Uint32Array | undefined;
  /** In bytes, −1 = not stored; where chunks are equally long, in chunks, `NOT_STORED` = not stored. */
  offsets: Float64Array | Uint32Array | undefined;
}

/** Offset in the shard, bytes; −1 where the chunk is not stored. */
export function chunkOffset({ offsets, length }: ShardIndex, chunk: number): number {
  const offset = offsets ? offsets[chunk]! : chunk;
  if (length === undefined) return offset;
  return offset === NOT_STORED ? -1 : offset * length;
}

/** Bytes of a stored chunk. */
export function chunkLength({ length, lengths }: ShardIndex, chunk: number): number {
  return length ?? lengths![chunk]!;
}

/** Bytes that an index takes in memory. */
export function indexBytes({ offsets, lengths }: ShardIndex): number {
  return (offsets?.byteLength ?? 0) + (lengths?.byteLength ?? 0);
}

/** Bytes of the index at the end of a shard. */
export function shardIndexBytes(count: number): number {
  return count * ENTRY_BYTES + CRC_BYTES;
}

/**
 * Writes the index of a shard: little-endian u64 offset and length a chunk, then their crc32c.
 *
 * @param entries Offset and length of each chunk, interleaved, bytes; a negative offset means not stored.
 */
export function encodeShardIndex(entries: Float64Array): Uint8Array {
  const encoded = new Uint8Array(shardIndexBytes(entries.length / 2));
  const view = new DataView(encoded.buffer);
  for (let i = 0; i < entries.length; i++) {
    const absent = entries[i & ~1]! < 0;
    view.setBigUint64(i * 8, absent ? ABSENT : BigInt(entries[i]!), true);
  }
  view.setUint32(encoded.length - CRC_BYTES, crc32c(encoded, 0, encoded.length - CRC_BYTES), true);
  return encoded;
}

/** Reads the index at the end of a shard. Throws `DamagedChunkError` and `ObjectMissingError`. */
export function readShardIndex(
  store: ChunkStore,
  key: string,
  count: number,
  run: string,
  field: string,
  signal?: AbortSignal,
): ShardIndex | Promise<ShardIndex> {
  const length = shardIndexBytes(count);
  return andThen(store.getRange(key, -length, length, signal), (bytes) => {
    const index = decodeShardIndex(existing(key, bytes), count);
    if (typeof index === "string") throw new DamagedChunkError(run, field, `${key}: ${index}`);
    return index;
  });
}

/** @returns What is wrong with the index, in words, if it is damaged. */
export function decodeShardIndex(encoded: Uint8Array, count: number): ShardIndex | string {
  if (encoded.length !== shardIndexBytes(count)) return `its index has ${encoded.length} bytes`;
  const end = encoded.length - CRC_BYTES;
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.length);
  if (view.getUint32(end, true) !== crc32c(encoded, 0, end)) return "its index fails its checksum";

  const length = commonLength(view, count);
  if (length === undefined) return unevenIndex(view, count);
  const offsets = new Uint32Array(count);
  let inOrder = true;
  for (let chunk = 0; chunk < count; chunk++) {
    const offset = offsetAt(view, chunk);
    offsets[chunk] = offset < 0 ? NOT_STORED : offset / length;
    if (offsets[chunk] !== chunk) inOrder = false;
  }
  return { count, length, lengths: undefined, offsets: inOrder ? undefined : offsets };
}

function unevenIndex(view: DataView, count: number): ShardIndex {
  const offsets = new Float64Array(count);
  const lengths = new Uint32Array(count);
  for (let chunk = 0; chunk < count; chunk++) {
    const offset = offsetAt(view, chunk);
    offsets[chunk] = offset;
    lengths[chunk] = offset < 0 ? 0 : view.getUint32(chunk * ENTRY_BYTES + 8, true);
  }
  return { count, length: undefined, lengths, offsets };
}

/** Bytes, or −1 where the chunk is not stored. */
function offsetAt(view: DataView, chunk: number): number {
  const low = view.getUint32(chunk * ENTRY_BYTES, true);
  const high = view.getUint32(chunk * ENTRY_BYTES + 4, true);
  return low === ABSENT_HALF && high === ABSENT_HALF ? -1 : high * 2 ** 32 + low;
}

/** Length of every stored chunk, if all are equally long and every offset is a multiple of that length. */
function commonLength(view: DataView, count: number): number | undefined {
  let common: number | undefined;
  for (let chunk = 0; chunk < count; chunk++) {
    const offset = offsetAt(view, chunk);
    if (offset < 0) continue;
    const length = view.getUint32(chunk * ENTRY_BYTES + 8, true);
    common ??= length;
    if (length !== common || offset % length !== 0) return undefined;
  }
  return common;
}
