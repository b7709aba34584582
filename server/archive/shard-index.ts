import { crc32c } from "#server/archive/crc32c.ts";

/** Offset and length of a chunk that is not stored: all of it is missing. */
const ABSENT = 0xffff_ffff_ffff_ffffn;

const ENTRY_BYTES = 16;
const CRC_BYTES = 4;
const ABSENT_OFFSET = 0xffff_ffff;

/** Where the chunks of one shard lie. */
export interface ShardIndex {
  /** Chunks in C order of the chunk grid. */
  count: number;
  /** Bytes that the index itself takes in memory. */
  bytes: number;
  /** Offset in the shard, bytes; −1 where the chunk is not stored and all missing. */
  offset(chunk: number): number;
  length(chunk: number): number;
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
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.length);
  const end = encoded.length - CRC_BYTES;
  if (view.getUint32(end, true) !== crc32c(encoded, 0, end)) return "its index fails its checksum";

  // 32 bits are enough for nearly all shards, and an archive has a million chunks.
  const offsets32 = new Uint32Array(count);
  let offsets64: Float64Array | undefined;
  const lengths = new Uint32Array(count);
  for (let chunk = 0; chunk < count; chunk++) {
    const low = view.getUint32(chunk * ENTRY_BYTES, true);
    const high = view.getUint32(chunk * ENTRY_BYTES + 4, true);
    const absent = low === ABSENT_OFFSET && high === ABSENT_OFFSET;
    lengths[chunk] = absent ? 0 : view.getUint32(chunk * ENTRY_BYTES + 8, true);
    if (!offsets64 && !absent && (high > 0 || low === ABSENT_OFFSET)) {
      offsets64 = Float64Array.from(offsets32, (known) => (known === ABSENT_OFFSET ? -1 : known));
    }
    if (offsets64) offsets64[chunk] = absent ? -1 : high * 2 ** 32 + low;
    else offsets32[chunk] = low;
  }
  const wide = offsets64;
  return {
    count,
    bytes: lengths.byteLength + (wide ?? offsets32).byteLength,
    offset: wide
      ? (chunk) => wide[chunk]!
      : (chunk) => (offsets32[chunk] === ABSENT_OFFSET ? -1 : offsets32[chunk]!),
    length: (chunk) => lengths[chunk]!,
  };
}
