import { type Decimals, MIN_STORED, NULL_ENTRY } from "./map-field.ts";
import { roundedBearing } from "./round.ts";
import { bearingTo } from "./vector.ts";

/**
 * Rounds whole fields for the wire, with the same results as `rounded` and `roundedBearing` give at points.
 *
 * A square root and a table of arcs are several times as fast as Math.hypot and Math.atan2, and slightly less
 * exact. Where their error could change a digit, about once in thousands of values, the exact function is
 * used, so no digit ever differs.
 */

const SPEED_FACTOR = 100;
const TENTHS_A_TURN = 3600;

/**
 * Upper bounds of the errors of the square root, in hundredths, and of the table of arcs, in tenths of a
 * degree.
 */
export const ROOT_DOUBT = 1e-6;
const ARC_DOUBT = 1e-4;

const SURELY_CALM = 2.49e-5;
const SURELY_MOVING = 2.51e-5;

/**
 * Angles of the ratios i / ARC_STEPS, tenths of a degree. The error of linear interpolation is 3e-6 at most.
 */
const ARC_STEPS = 4096;
const arcs = Float64Array.from(
  { length: ARC_STEPS + 2 },
  (_, i) => (Math.atan(i / ARC_STEPS) * 1800) / Math.PI,
);

/**
 * Computes the entries of values.
 *
 * @param values NaN = missing.
 * @param out Written; as long as `values`.
 */
export function quantiseValues(values: Float64Array, decimals: Decimals, out: Uint16Array): void {
  const factor = 10 ** decimals;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    out[i] = Number.isNaN(value) ? NULL_ENTRY : Math.round(value * factor) - MIN_STORED;
  }
}

/**
 * Computes entries of the lengths of vectors, two decimals.
 *
 * @param x Eastward component, NaN = missing.
 * @param y Northward component, NaN = missing.
 */
export function quantiseSpeeds(x: Float64Array, y: Float64Array, out: Uint16Array): void {
  for (let i = 0; i < x.length; i++) out[i] = speedEntry(x[i]!, y[i]!);
}

/**
 * Computes entries of bearings, one decimal; null in a calm, where the speed rounds to 0.
 *
 * @param sense 1 for where the vector goes TO, −1 for where it comes FROM.
 */
export function quantiseVectorBearings(
  x: Float64Array,
  y: Float64Array,
  sense: 1 | -1,
  out: Uint16Array,
): void {
  for (let i = 0; i < x.length; i++) {
    const a = sense * x[i]!;
    const b = sense * y[i]!;
    out[i] = isCalm(a, b) ? NULL_ENTRY : bearingEntry(a, b);
  }
}

/**
 * Computes entries of the bearings of unit vectors, one decimal; null where the wave height rounds to 0.
 *
 * @param x Sine of the bearing.
 * @param y Cosine of the bearing.
 * @param height Metres.
 */
export function quantiseUnitBearings(
  x: Float64Array,
  y: Float64Array,
  height: Float64Array,
  out: Uint16Array,
): void {
  for (let i = 0; i < x.length; i++) {
    // NaN is not 0, so a missing height does not remove the direction.
    const calm = Math.round(height[i]! * SPEED_FACTOR) === 0;
    out[i] = calm ? NULL_ENTRY : bearingEntry(x[i]!, y[i]!);
  }
}

/** Whether the speed rounds to 0. */
export function isCalm(x: number, y: number): boolean {
  const squared = x * x + y * y;
  // The exact length is computed only close to half a hundredth.
  return squared < SURELY_MOVING && (squared < SURELY_CALM || speedEntry(x, y) === -MIN_STORED);
}

/** Entry of the length of a vector, two decimals. */
export function speedEntry(x: number, y: number): number {
  const hundredths = Math.sqrt(x * x + y * y) * SPEED_FACTOR;
  if (Number.isNaN(hundredths)) return NULL_ENTRY;
  const whole = hundredths | 0;
  const half = hundredths - whole - 0.5;
  if (half > ROOT_DOUBT) return whole + 1 - MIN_STORED;
  if (half < -ROOT_DOUBT) return whole - MIN_STORED;
  return Math.round(Math.hypot(x, y) * SPEED_FACTOR) - MIN_STORED;
}

/** Entry of the bearing of a vector of any length, one decimal; null for a vector of length 0 or NaN. */
export function bearingEntry(x: number, y: number): number {
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  const steep = ax <= ay;
  const at = ((steep ? ax : ay) / (steep ? ay : ax)) * ARC_STEPS;
  // The ratio is NaN if the vector has no length or a component is NaN.
  if (!(at >= 0)) return NULL_ENTRY;
  const step = at | 0;
  const below = arcs[step]!;
  const arc = below + (arcs[step + 1]! - below) * (at - step);
  const tenths = steep ? arc : 900 - arc;
  const turned = y < 0 ? (x < 0 ? 1800 + tenths : 1800 - tenths) : x < 0 ? TENTHS_A_TURN - tenths : tenths;
  const nearest = (turned + 0.5) | 0;
  if (Math.abs(turned + 0.5 - nearest) < ARC_DOUBT || nearest + 1 - turned - 0.5 < ARC_DOUBT)
    return Math.round(roundedBearing(bearingTo(x, y))! * 10) - MIN_STORED;
  return (nearest === TENTHS_A_TURN ? 0 : nearest) - MIN_STORED;
}
