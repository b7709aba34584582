/** The polynomial of gzip's CRC-32 (RFC 1952), bits reversed: bit 31 is x⁰. */
const POLYNOMIAL = 0xedb8_8320;
const ONE = 0x8000_0000;
/** x⁸: one more byte. */
const BYTE = 0x0080_0000;

/**
 * The CRC-32 of one text followed by another, from the checksums of both; neither is read again.
 *
 * crc(A‖B) = crc(A) · x^(8·|B|) + crc(B), in polynomials over GF(2) modulo the generator, as zlib's `crc32_combine`.
 *
 * @param length Bytes of the second text.
 * @returns Unsigned 32 bits.
 */
export function combinedCrc32(first: number, second: number, length: number): number {
  return (product(first, powerOfByte(length)) ^ second) >>> 0;
}

/** x^(8·count). */
function powerOfByte(count: number): number {
  let power = ONE;
  let square = BYTE;
  // Not by bit shifts: the length may exceed 32 bits.
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, square);
    square = product(square, square);
  }
  return power;
}

function product(a: number, b: number): number {
  let sum = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return sum >>> 0;
}
