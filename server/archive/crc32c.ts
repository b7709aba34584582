/** Castagnoli polynomial, bits reversed (RFC 3720, appendix B.4). */
const POLYNOMIAL = 0x82f63b78;

const SLICES = 16;

/** Entry `256 · k + byte`: effect of `byte` on the register when k more bytes follow it. */
export const crc32cTables = sliceTables();

/**
 * CRC-32C of bytes, as Zarr's `crc32c` codec and iSCSI write it. Sixteen bytes per iteration: about 1 GB/s.
 *
 * @returns Unsigned 32 bits.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const t = crc32cTables;
  let crc = -1;
  let at = start;
  for (const whole = end - 15; at < whole; at += 16) {
    const a = view.getInt32(at, true) ^ crc;
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    crc =
      t[3840 + (a & 255)]! ^
      t[3584 + ((a >>> 8) & 255)]! ^
      t[3328 + ((a >>> 16) & 255)]! ^
      t[3072 + (a >>> 24)]! ^
      t[2816 + (b & 255)]! ^
      t[2560 + ((b >>> 8) & 255)]! ^
      t[2304 + ((b >>> 16) & 255)]! ^
      t[2048 + (b >>> 24)]! ^
      t[1792 + (c & 255)]! ^
      t[1536 + ((c >>> 8) & 255)]! ^
      t[1280 + ((c >>> 16) & 255)]! ^
      t[1024 + (c >>> 24)]! ^
      t[768 + (d & 255)]! ^
      t[512 + ((d >>> 8) & 255)]! ^
      t[256 + ((d >>> 16) & 255)]! ^
      t[d >>> 24]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}

function sliceTables(): Int32Array {
  const entries = new Int32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    entries[byte] = crc;
  }
  for (let byte = 0; byte < 256; byte++) {
    let crc = entries[byte]!;
    for (let slice = 1; slice < SLICES; slice++) {
      crc = (crc >>> 8) ^ entries[crc & 255]!;
      entries[slice * 256 + byte] = crc;
    }
  }
  return entries;
}
