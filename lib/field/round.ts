const factors = [1, 10, 100] as const;

/**
 * Rounds for the wire: half away from zero for positive numbers, never −0.
 *
 * @param decimals 0, 1 or 2.
 * @returns null for NaN.
 */
export function rounded(value: number, decimals: 0 | 1 | 2): number | null {
  if (Number.isNaN(value)) return null;
  const factor = factors[decimals];
  // Adding 0 turns −0 into 0.
  return Math.round(value * factor) / factor + 0;
}

/** Rounds a bearing to 0.1° in [0, 360): 359.96 becomes 0. */
export function roundedBearing(degrees: number): number | null {
  const value = rounded(degrees, 1);
  return value === 360 ? 0 : value;
}
