import { FILL } from "#lib/catalog/fields.ts";
import { LARGEST, type Packing } from "./packing.ts";

const tables = new Map<string, Int16Array>();

/**
 * What each stored number of one packing is in another, rounded to its nearest, at index `stored + 32768`. Older versions
 * packed some fields in finer steps.
 *
 * @returns undefined if both are the same.
 */
export function repackingTable(from: Packing, to: Packing): Int16Array | undefined {
  if (from.scale === to.scale && from.offset === to.offset) return undefined;
  const key = [from.scale, from.offset, to.scale, to.offset].join();
  const known = tables.get(key);
  if (known) return known;
  const table = Int16Array.from({ length: 65_536 }, (_, i) => {
    const stored = Math.round(((i + FILL) * from.scale + from.offset - to.offset) / to.scale);
    return i === 0 || Math.abs(stored) > LARGEST ? FILL : stored;
  });
  tables.set(key, table);
  return table;
}

/** @param table From `repackingTable`. */
export function repacked(values: Int16Array, table: Int16Array): Int16Array {
  const out = new Int16Array(values.length);
  for (let i = 0; i < values.length; i++) out[i] = table[values[i]! - FILL]!;
  return out;
}
