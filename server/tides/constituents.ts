import { type astro, constituents as models } from "@neaps/tide-predictor";

/** Longitudes of moon and sun at a time. */
export type Sky = ReturnType<typeof astro>;

/** Nodal factors f and angles u (degrees) of the constituents from which others are composed. */
export type Nodal = Record<string, (sky: Sky) => { f: number; u: number }>;

/** A constituent at a time. */
export interface EquilibriumArgument {
  /** V with its nodal angle u, degrees. */
  value: number;
  /** Speed, degrees per hour. */
  speed: number;
  /** Nodal factor f. */
  factor: number;
}

/**
 * Compounds whose parts the predictor has wrong, with the multiplicity of each part. It lacks the parts of the first
 * two, and composes the others from constituents whose speeds give the same sum. KJ2 and 3KM5 exist at Anchorage only;
 * their parts are those of XTide (congen), which agree with NOAA's predictions there.
 */
const parts: Record<string, Record<string, number>> = {
  MP1: { M2: 1, P1: -1 },
  MLN2S2: { M2: 1, L2: 1, N2: 1, S2: -2 },
  "2NMLS6": { N2: 2, M2: 1, L2: 1, S2: -1 },
  "2MLNS6": { M2: 2, L2: 1, N2: 1, S2: -1 },
  "3MLS6": { M2: 3, L2: 1, S2: -1 },
  "4MLS8": { M2: 4, L2: 1, S2: -1 },
  "4MSL12": { M2: 4, S2: 1, L2: 1 },
  KJ2: { K2: 1, M2: 1, N2: -1 },
  "3KM5": { K2: 1, K1: 1, M2: 1 },
};

/**
 * Lines of the third degree of the tide-generating potential in the semidiurnal tide, beside N2 and L2: V = 2τ ∓ s ±
 * 90°, where τ = T + h − s. The predictor has the first as a sum of other speeds, and the second without its 90°. No
 * nodal corrections are published for them.
 */
export const DEGREE_3 = { N2: "N2 of degree 3", L2: "L2 of degree 3" } as const;

const thirdDegree: Record<string, 1 | -1> = { [DEGREE_3.N2]: -1, [DEGREE_3.L2]: 1 };

export const isKnown = (name: string): boolean => name in thirdDegree || name in models;

/**
 * The published equilibrium argument of a constituent: for bases by Schureman's Table 2 (Manual of Harmonic Analysis
 * and Prediction of Tides, 1941), for compounds the sum of their parts. The predictor's own arguments differ. The list
 * of the International Hydrographic Organization counts hours from midnight, Schureman from noon, and the predictor
 * converts one to the other by changing the sign. This is correct for ±90° in the diurnal tide only. It lacks 180° in
 * M3 and S3; its compounds of L2 lack the 180° of L2, and its MP1 and MSK5 lack the 90° of P1 and K1.
 */
export function equilibriumArgument(name: string, sky: Sky, nodal: Nodal): EquilibriumArgument {
  const sense = thirdDegree[name];
  if (sense) {
    const [moon, lunarHour] = [sky.s, sky["T+h-s"]];
    return {
      value: 2 * lunarHour.value + sense * (moon.value - 90),
      speed: 2 * lunarHour.speed + sense * moon.speed,
      factor: 1,
    };
  }
  const model = models[name]!;
  const own = parts[name];
  if (own) {
    const all = Object.entries(own).map(([part, count]) => ({
      count,
      ...equilibriumArgument(part, sky, nodal),
    }));
    return {
      value: all.reduce((sum, { value, count }) => sum + count * value, 0),
      speed: model.speed,
      factor: all.reduce((product, { factor, count }) => product * factor ** Math.abs(count), 1),
    };
  }
  const { f, u } = model.correction(sky, nodal);
  return { value: argumentOf(model, sky) + u, speed: model.speed, factor: f };
}

type Model = (typeof models)[string];

/** V of a constituent. If it moves with the sum of its members, V is the sum of theirs. */
function argumentOf(model: Model, sky: Sky): number {
  const { coefficients, members } = model;
  const isSum =
    members.length > 0 &&
    (coefficients === null ||
      coefficients
        .slice(0, -1)
        .every(
          (multiple, at) =>
            multiple ===
            members.reduce(
              (sum, { constituent, factor }) => sum + factor * constituent.coefficients![at]!,
              0,
            ),
        ));
  return isSum
    ? members.reduce((sum, { constituent, factor }) => sum + factor * argumentOf(constituent, sky), 0)
    : model.value(sky);
}
