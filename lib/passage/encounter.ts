import { RADIANS } from "#lib/geo/sphere.ts";
import { KNOT } from "#lib/knots.ts";
import { relativeTo } from "./angle.ts";

/** Standard gravity, m s-2. */
const GRAVITY = 9.80665;

/** A slower encounter, s, is none: boat and waves move together. */
const LONGEST_S = 600;

/** Thresholds of the vertical acceleration, g. */
export const UNCOMFORTABLE_G = 0.1;
export const SEVERE_G = 0.2;

/**
 * Period at which a boat meets deep-water waves: ω_e = ω − (ω² V / g) cos μ, with μ the angle between its heading and where
 * the waves go TO, 180° in a head sea.
 *
 * @param period Of the waves, s.
 * @param from Direction that the waves come FROM, degrees.
 * @param heading Degrees, TO.
 * @param stw Speed through the water, knots.
 * @returns Seconds; negative where the boat overtakes the waves; null where it moves with them, or the period is 0.
 */
export function encounterPeriod(period: number, from: number, heading: number, stw: number): number | null {
  if (!(period > 0)) return null;
  const omega = (2 * Math.PI) / period;
  const mu = relativeTo(heading, from + 180) * RADIANS;
  const met = omega - ((omega * omega * stw * KNOT) / GRAVITY) * Math.cos(mu);
  const seconds = (2 * Math.PI) / met;
  return Math.abs(seconds) <= LONGEST_S ? seconds : null;
}

/**
 * RMS of the vertical acceleration of a small craft that follows the surface, g: (Hs / 4) (2π / T_e)². The RMS elevation of
 * a sea is Hs / 4. An upper bound for ships that are long against the waves.
 *
 * @param height Significant height, m.
 * @param encounter Period of encounter, s; null for none, which has no acceleration.
 */
export function verticalAcceleration(height: number, encounter: number | null): number {
  if (encounter === null) return 0;
  return ((height / 4) * ((2 * Math.PI) / encounter) ** 2) / GRAVITY;
}

/** Share by which the period of encounter may differ from that of rolling, and the seas that are too low to count, m. */
const ROLL_SHARE = 0.2;
const LOWEST_SEA = 0.5;
/** Wave lengths, in lengths of the ship, that count as about as long as the ship. */
const [SHORTEST_WAVE, LONGEST_WAVE] = [0.6, 2.3];
/** A following or quartering sea comes from abaft this angle off the bow, degrees. */
const ABAFT = 90;

export type RollHint = "synchronous_roll" | "parametric_roll";

/**
 * Whether a sea may make a ship roll, after phenomena of IMO MSC.1/Circ.1228: synchronous rolling where the period of
 * encounter is near the natural roll period; parametric rolling where it is near half of that in following and quartering
 * seas about as long as the ship. A hint, no more: the thresholds are ours, and parametric rolling in head seas is not
 * looked at.
 *
 * @param relative Where the waves come from, degrees off the bow, −180..180.
 * @param ship Natural roll period, s, and length, m, without which there is no hint of parametric rolling.
 */
export function rollHint(
  sea: { height: number; period: number; relative: number; encounter: number | null },
  ship: { rollPeriod: number; length?: number },
): RollHint | undefined {
  if (sea.encounter === null || sea.height < LOWEST_SEA) return undefined;
  const met = Math.abs(sea.encounter);
  const near = (period: number) => Math.abs(met - period) <= ROLL_SHARE * period;
  if (near(ship.rollPeriod)) return "synchronous_roll";
  if (ship.length === undefined || Math.abs(sea.relative) < ABAFT || !near(ship.rollPeriod / 2))
    return undefined;
  const lengths = (GRAVITY * sea.period ** 2) / (2 * Math.PI) / ship.length;
  return lengths >= SHORTEST_WAVE && lengths <= LONGEST_WAVE ? "parametric_roll" : undefined;
}
