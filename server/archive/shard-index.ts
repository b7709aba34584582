import { crc32c } from "#server/archive/crc32c.ts";

/** Offset and length of a chunk that is not stored: all of it is missing. */
const ABSENT = 0xffff_ffff_ffff_ffffn;

const ENTRY_BYTES = 16;
const CRC_BYTES = 4;
const ABSENT_HALF = 0xffff_ffff;

/** Where the chunks of one shard lie, in C order of the chunk grid. */
export interface ShardIndex {
  count: number;
  /** Offset in the shard, bytes; −1 where the chunk is not stored and all missing. None where `even`. */
  offsets: Float64Array | undefined;
  /** Bytes of each chunk. None where `even`. */
  lengths: Uint32Array | undefined;
  /** Bytes of every chunk where all are stored, equally long and in order: nothing else needs to be kept. */
  even: number | undefined;
}

/** Offset of a chunk in its shard, bytes; −1 where the chunk is not stored and all missing. */
export function chunkOffset({ offsets, even }: ShardIndex, chunk: number): number {
  return even === undefined ? offsets![chunk]! : chunk * even;
}

/** Bytes of a stored chunk. */
export function chunkLength({ lengths, even }: ShardIndex, chunk: number): number {
  return even ?? lengths![chunk]!;
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
 * @param entries Offset and length in turn, bytes; a negative offset means not stored.
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

/**
 * Reads the index of a shard.
 *
 * @returns What is wrong with it, in words, where it is damaged.
 */
export function decodeShardIndex(encoded: Uint8Array, count: number): ShardIndex | string {
  if (encoded.length !== shardIndexBytes(count)) return `its index has ${encoded.length} bytes`;
  const end = encoded.length - CRC_BYTES;
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.length);
  if (view.getUint32(end, true) !== crc32c(encoded, 0, end)) return "its index fails its checksum";

  const even = view.getUint32(8, true);
  if (isEven(view, count, even)) return { count, even, offsets: undefined, lengths: undefined };

  const offsets = new Float64Array(count);
  const lengths = new Uint32Array(count);
  for (let chunk = 0; chunk < count; chunk++) {
    const at = chunk * ENTRY_BYTES;
    const low = view.getUint32(at, true);
    const high = view.getUint32(at + 4, true);
    const absent = low === ABSENT_HALF && high === ABSENT_HALF;
    offsets[chunk] = absent ? -1 : high * 2 ** 32 + low;
    lengths[chunk] = absent ? 0 : view.getUint32(at + 8, true);
  }
  return { count, even: undefined, offsets, lengths };
}

function isEven(view: DataView, count: number, length: number): boolean {
  let offset = 0;
  for (let chunk = 0; chunk < count; chunk++, offset += length) {
    const at = chunk * ENTRY_BYTES;
    const stored = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    if (stored !== offset || view.getUint32(at + 8, true) !== length) return false;
  }
  return true;
}
