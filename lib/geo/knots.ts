import { MILE_KM } from "./sphere.ts";

/** One knot, m s-1 (exact: 1852 m an hour). */
export const KNOT = (1000 * MILE_KM) / 3600;

/** Speed in knots. @param metresPerSecond m s-1. */
export function toKnots(metresPerSecond: number): number {
  return metresPerSecond / KNOT;
}

/** Speed in m s-1. */
export function fromKnots(knots: number): number {
  return knots * KNOT;
}
