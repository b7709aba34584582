import { Unreadable } from "./grib-error.ts";

/** IEEE numbers as they are (template 5.4), first octet first. */
export function unpackIeee(bytes: Uint8Array, size: 4 | 8, count: number): Float32Array {
  if (count * size > bytes.length) {
    throw new Unreadable(`damaged: ${count} numbers of ${size} octets do not fit into ${bytes.length}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Float32Array(count);
  if (size === 4) for (let index = 0; index < count; index++) out[index] = view.getFloat32(index * 4);
  else for (let index = 0; index < count; index++) out[index] = view.getFloat64(index * 8);
  return out;
}
