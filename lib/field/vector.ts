const DEGREES = 180 / Math.PI;

/**
 * Bearing a wind or wave vector comes FROM.
 *
 * @param u Eastward component, m s-1.
 * @param v Northward component, m s-1.
 * @returns Degrees clockwise from true north in [0, 360); NaN when calm or missing.
 */
export function bearingFrom(u: number, v: number): number {
  return bearingTo(-u, -v);
}

/**
 * Bearing a current vector goes TO.
 *
 * @param u Eastward component, m s-1.
 * @param v Northward component, m s-1.
 * @returns Degrees clockwise from true north in [0, 360); NaN when still or missing.
 */
export function bearingTo(u: number, v: number): number {
  if (u === 0 && v === 0) return Number.NaN;
  const degrees = Math.atan2(u, v) * DEGREES;
  // −1e-15 + 360 rounds to 360, which is not a bearing.
  const turned = degrees < 0 ? degrees + 360 : degrees;
  return turned >= 360 ? 0 : turned;
}
