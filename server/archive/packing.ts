import { FILL } from "#lib/catalog/fields.ts";

/** How numbers are packed: value = scale · stored + offset. */
export interface Packing {
  scale: number;
  offset: number;
}

/** Largest magnitude of a stored number; the one below its negative is `FILL`. */
export const LARGEST = 32_767;

/** Counts of the packed values of a field. */
export interface PackingCounts {
  /** Nodes written, all steps together. */
  values: number;
  /** Nodes without a value. */
  missing: number;
  /** Nodes whose value is outside int16: stored as missing, never wrapped or clamped. */
  outOfRange: number;
}

/**
 * Packs one step as int16: stored = round((value − offset) / scale).
 *
 * @param values Any order; NaN = missing.
 * @param out As long as `values`, written.
 * @param counts Incremented.
 */
export function pack(values: Float32Array, packing: Packing, out: Int16Array, counts: PackingCounts): void {
  const { scale, offset } = packing;
  let missing = 0;
  let outOfRange = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      missing++;
      out[i] = FILL;
      continue;
    }
    const stored = Math.round((value - offset) / scale);
    if (stored > LARGEST || stored < -LARGEST) {
      outOfRange++;
      out[i] = FILL;
    } else out[i] = stored;
  }
  counts.values += values.length;
  counts.missing += missing;
  counts.outOfRange += outOfRange;
}
