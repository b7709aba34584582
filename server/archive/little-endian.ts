const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Little-endian bytes as numbers, without a copy where byte order and alignment allow. */
export function int16Of(bytes: Uint8Array): Int16Array {
  const count = bytes.length / 2;
  if (IS_LITTLE_ENDIAN && bytes.byteOffset % 2 === 0)
    return new Int16Array(bytes.buffer, bytes.byteOffset, count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Int16Array.from({ length: count }, (_, i) => view.getInt16(2 * i, true));
}

/** Does the same as `int16Of` for the first 32-bit numbers in bytes. */
export function uint32Of(bytes: Uint8Array, count: number): Uint32Array {
  if (IS_LITTLE_ENDIAN && bytes.byteOffset % 4 === 0)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true));
}
