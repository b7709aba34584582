import { smoothstep } from "#server/demo/math/patch.ts";

const GRAVITY = 9.81;

/** No deep-water wave is steeper: height over length 1.56 T². */
export const STEEPEST = 1 / 14.5;

/** Lengths of deep-water waves, metres, are this times the square of their period. */
export const LENGTH_PER_PERIOD2 = 1.56;

/** Shortest mean period that seas of a height can have, seconds. */
export function shortestPeriod(height: number): number {
  return Math.sqrt(height / (STEEPEST * LENGTH_PER_PERIOD2));
}

/**
 * Seas that a wind raises over a fetch, after Wilson (1965).
 *
 * A wind of finite duration, or the core of a small storm, makes no use of a whole ocean: the fetch counts up to 700 km,
 * for the strongest winds 330 km.
 *
 * @param windSpeed m s⁻¹ at 10 m.
 * @param fetchKm From the static world.
 * @param out [significant height m, mean period s].
 */
export function windSea(windSpeed: number, fetchKm: number, out: Float64Array): void {
  if (windSpeed < 0.05) {
    out[0] = 0;
    out[1] = 1;
    return;
  }
  const used =
    1000 * (3 + Math.min(fetchKm, windSpeed < 16 ? 700 : 700 - 370 * smoothstep(16, 34, windSpeed)));
  const square = windSpeed * windSpeed;
  const x = (GRAVITY * used) / square;
  const heightTerm = 1 + 0.004 * Math.sqrt(x);
  const periodTerm = 1 + 0.008 * Math.cbrt(x);
  const periodTerm2 = periodTerm * periodTerm;
  const height = ((0.3 * square) / GRAVITY) * (1 - 1 / (heightTerm * heightTerm));
  const peak =
    ((1.37 * 2 * Math.PI * windSpeed) / GRAVITY) * (1 - 1 / (periodTerm2 * periodTerm2 * periodTerm));
  out[0] = height;
  out[1] = Math.max(0.9 * peak, shortestPeriod(height), 1);
}
