import { type Box, discBox, sectorBox } from "#lib/geo/box.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { fromKnots } from "#lib/knots.ts";
import type { Fix, Provider, QuadrantRadii } from "./bulletin.ts";

/** Lowest threshold that a provider gives, kt. Its reach is the area that a storm affects. */
export const LOWEST_KT = { jtwc: 34, jma: 30 } as const satisfies Record<Provider, number>;

/**
 * The box reached by a storm's lowest wind threshold, and whether that reach is estimated.
 */
export function affectance(fix: Fix, provider: Provider): { box: Box; estimated: boolean } {
  const radii = givenRadii(fix.radiiKm[LOWEST_KT[provider]]);
  if (!radii) return { box: discBox(fix, estimatedKm(fix, provider)), estimated: true };
  const { ne, se, sw, nw } = radii;
  // A quadrant missing among given ones has no such wind.
  return { box: sectorBox(fix, { ne: ne ?? 0, se: se ?? 0, sw: sw ?? 0, nw: nw ?? 0 }), estimated: false };
}

/** Radii that are given: four zeros or four blanks stand for a threshold that was not given. */
export function givenRadii(radii: QuadrantRadii | undefined): QuadrantRadii | undefined {
  return radii && (radii.ne || radii.se || radii.sw || radii.nw) ? radii : undefined;
}

/** Wind assumed if none is given, kt. */
const UNKNOWN_WIND_KT = 25;

/**
 * Typical reach of the lowest threshold, km. A typical size, not an upper bound: a third of real storms reach further.
 *
 * jma: a straight line through its own 30-kt areas. jtwc: the 34-kt radius of Nederhoff et al. (2019, NHESS 19, 2359;
 * all basins) times 1.3, the median ratio of the largest quadrant to that mean radius over 1,808 best-track fixes. Below
 * 40 kt it is scaled linearly, since the formula ends at 35.
 */
export function estimatedKm(
  { vmaxKt, latitude }: Pick<Fix, "vmaxKt" | "latitude">,
  provider: Provider,
): number {
  const wind = vmaxKt ?? UNKNOWN_WIND_KT;
  if (provider === "jma") return (140 + 1.2 * wind) * MILE_KM;
  const v = fromKnots(Math.max(40, wind));
  const poleward = Math.abs(latitude);
  const beyondCore = 29.6114 * (v - 18) ** 0.41325 * (1 + 0.024419 * poleward);
  const core = 44.824 * Math.exp(-v / 23.3717) * (1 + 0.030469 * poleward) + 22.428;
  const km = 1.3 * (beyondCore + core) * Math.min(1, wind / 40);
  return Math.max(75, Math.min(600, km));
}
