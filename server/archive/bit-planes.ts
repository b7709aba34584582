/** What planes.wat does, for processors without vector registers, and to check it. Order of blosc's bit shuffle. */

const BITS = 16;

/** @param values Little-endian int16, a multiple of eight of them. @returns Plane b holds bit b of every value. */
export function splitPlanes(values: Uint8Array): Uint8Array {
  const groups = values.length / BITS;
  const planes = new Uint8Array(values.length);
  for (let group = 0; group < groups; group++)
    for (let place = 0; place < 8; place++) {
      const at = BITS * group + 2 * place;
      const value = values[at]! | (values[at + 1]! << 8);
      for (let bit = 0; bit < BITS; bit++) planes[bit * groups + group]! |= ((value >> bit) & 1) << place;
    }
  return planes;
}

/** The inverse of `splitPlanes`. */
export function joinPlanes(planes: Uint8Array): Uint8Array {
  const groups = planes.length / BITS;
  const values = new Uint8Array(planes.length);
  for (let group = 0; group < groups; group++)
    for (let place = 0; place < 8; place++) {
      let value = 0;
      for (let bit = 0; bit < BITS; bit++) value |= ((planes[bit * groups + group]! >> place) & 1) << bit;
      values[BITS * group + 2 * place] = value;
      values[BITS * group + 2 * place + 1] = value >> 8;
    }
  return values;
}
