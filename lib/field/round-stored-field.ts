import { FILL } from "#lib/catalog/fill.ts";
import { KERNEL_LANES, KERNEL_NODES, kernels } from "#lib/field/kernels/kernels.ts";
import { type Decimals, MIN_STORED, NULL_ENTRY } from "./map-field.ts";
import { bearingEntry, isCalm, quantiseValues, ROOT_DOUBT, speedEntry } from "./round-field.ts";

/**
 * The same entries as round-field.ts, computed directly from the archive's int16 numbers without a column of doubles in
 * between. FILL is missing.
 */

const STORED = 65_536;

/** A vector with a component of at least this size is not calm, m s-1. */
const SURELY_MOVING = 0.0051;

/** How a field is stored: value = scale · stored + offset. */
export interface Packing {
  scale: number;
  offset: number;
}

/**
 * Whether vectors can be computed from the stored numbers directly: both components have the same scale and
 * no offset.
 */
export function arePackedAlike(x: Packing, y: Packing): boolean {
  return x.scale === y.scale && x.offset === 0 && y.offset === 0;
}

/** Entries of all stored numbers, at index `stored + 32768`. */
export function entriesOfStored({ scale, offset }: Packing, decimals: Decimals): Uint16Array {
  const values = Float64Array.from({ length: STORED }, (_, i) => (i + FILL) * scale + offset);
  values[0] = Number.NaN;
  const entries = new Uint16Array(STORED);
  quantiseValues(values, decimals, entries);
  return entries;
}

/**
 * Computes the entries of values. @param entryOf From `entriesOfStored`. @param out Written; as long as
 * `stored`.
 */
export function quantiseStoredValues(stored: Int16Array, entryOf: Uint16Array, out: Uint16Array): void {
  for (let i = 0; i < stored.length; i++) out[i] = entryOf[stored[i]! - FILL]!;
}

/**
 * Computes entries of the lengths of vectors, two decimals. @param scale Scale of both components; their
 * offset is 0.
 */
export function quantiseStoredSpeeds(x: Int16Array, y: Int16Array, scale: number, out: Uint16Array): void {
  const factor = scale * 100;
  quantisePairs(
    { x, y, out },
    (count) => kernels.speeds(count, factor),
    (from, to) => speedsOneByOne({ x, y, out }, scale, from, to),
  );
}

function speedsOneByOne({ x, y, out }: Pairs, scale: number, from: number, to: number): void {
  const factor = scale * 100;
  for (let i = from; i < to; i++) {
    const a = x[i]!;
    const b = y[i]!;
    if (a === FILL || b === FILL) {
      out[i] = NULL_ENTRY;
      continue;
    }
    const raised = Math.sqrt(a * a + b * b) * factor + 0.5;
    const whole = raised | 0;
    const above = raised - whole;
    // Close to the boundary between two hundredths the exact length decides.
    out[i] =
      above < ROOT_DOUBT || above > 1 - ROOT_DOUBT ? speedEntry(a * scale, b * scale) : whole - MIN_STORED;
  }
}

/**
 * Computes entries of bearings, one decimal; null in a calm. @param sense 1 for where the vector goes TO, −1
 * for where it comes FROM.
 */
export function quantiseStoredVectorBearings(
  x: Int16Array,
  y: Int16Array,
  scale: number,
  sense: 1 | -1,
  out: Uint16Array,
): void {
  quantisePairs(
    { x, y, out },
    (count) => kernels.bearings(count, sense, Math.ceil(SURELY_MOVING / scale)),
    (from, to) => bearingsOneByOne({ x, y, out }, scale, sense, from, to),
  );
}

function bearingsOneByOne(
  { x, y, out }: Pairs,
  scale: number,
  sense: 1 | -1,
  from: number,
  to: number,
): void {
  const surelyMoving = SURELY_MOVING / scale;
  for (let i = from; i < to; i++) {
    const a = x[i]!;
    const b = y[i]!;
    const near = a < surelyMoving && a > -surelyMoving && b < surelyMoving && b > -surelyMoving;
    if (a === FILL || b === FILL || (near && isCalm(a * scale, b * scale))) out[i] = NULL_ENTRY;
    else out[i] = bearingEntry(sense * a, sense * b);
  }
}

/** Components of vectors, and the output for their entries. */
interface Pairs {
  x: Int16Array;
  y: Int16Array;
  out: Uint16Array;
}

/**
 * Computes several nodes at a time. The last few nodes, and those near a rounding boundary, are computed one
 * by one.
 *
 * @param wide Computes the first `count` nodes in the kernels' memory.
 */
function quantisePairs(
  { x, y, out }: Pairs,
  wide: (count: number) => number,
  oneByOne: (from: number, to: number) => void,
): void {
  const whole = x.length - (x.length % KERNEL_LANES);
  for (let from = 0; from < whole; from += KERNEL_NODES) {
    const to = Math.min(from + KERNEL_NODES, whole);
    kernels.x.set(x.subarray(from, to));
    kernels.y.set(y.subarray(from, to));
    const left = wide(to - from);
    out.set(to - from === KERNEL_NODES ? kernels.entries : kernels.entries.subarray(0, to - from), from);
    for (let i = 0; i < left; i++) {
      const at = from + kernels.doubts[i]!;
      oneByOne(at, at + KERNEL_LANES);
    }
  }
  oneByOne(whole, x.length);
}

/**
 * Computes entries of the bearings of unit vectors, one decimal; null where the wave height rounds to 0.
 *
 * @param heightEntryOf Entries of the height's stored numbers, with two decimals.
 */
export function quantiseStoredUnitBearings(
  x: Int16Array,
  y: Int16Array,
  height: Int16Array,
  heightEntryOf: Uint16Array,
  out: Uint16Array,
): void {
  for (let i = 0; i < x.length; i++) {
    const a = x[i]!;
    const b = y[i]!;
    const calm = heightEntryOf[height[i]! - FILL] === -MIN_STORED;
    out[i] = calm || a === FILL || b === FILL ? NULL_ENTRY : bearingEntry(a, b);
  }
}
