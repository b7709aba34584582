import { KNOT, toKnots } from "@open-metocean/geo/knots";
import { RADIANS } from "@open-metocean/geo/sphere";
import { RISE_ALTITUDE } from "@open-metocean/geo/sun";
import type { Piece } from "./march.ts";
import {
  type Current,
  currentOf,
  currentParts,
  relativeTo,
  seaOf,
  turned,
  type Wind,
  windFelt,
  windOf,
} from "./vessel.ts";

/** Natural roll period, s, and length, m, of a ship for which roll hints are requested. */
export interface RollOf {
  rollPeriod: number;
  length?: number;
}

/** Conditions on board during a piece; null if unknown. */
export interface PieceState {
  /** True wind and gusts, knots. */
  windKnots: number | null;
  gustKnots: number | null;
  /** True wind off the bow, degrees, −180..180, positive to starboard; null in a calm. */
  windAngle: number | null;
  /** Apparent wind, knots, and its angle off the bow. */
  apparentKnots: number | null;
  apparentAngle: number | null;
  /** Where waves and swell come from, degrees off the bow. */
  waveAngle: number | null;
  swellAngle: number | null;
  /** Period of encounter, s; negative if the vessel overtakes the waves, null if it moves with them. */
  encounter: number | null;
  swellEncounter: number | null;
  /**
   * Where the waves come from on the other tack or gybe, degrees off the bow; null if the vessel does not
   * tack or gybe.
   */
  otherWaveAngle: number | null;
  /** RMS vertical acceleration, g; with tacks or gybes that of the worse one. */
  acceleration: number | null;
  swellAcceleration: number | null;
  /** Current along the course, positive with the vessel, and across it, positive to starboard, knots. */
  currentAlong: number | null;
  currentAcross: number | null;
  /** Component of the current against the wind, knots; 0 if there is none, or the wind is light. */
  againstWind: number | null;
  roll: RollHint | null;
  /** The wind is unknown: the time is beyond the forecast, or the place outside the archive. */
  noForecast: boolean;
  /** The wind is known but waves or currents are not, because of land in the models, ice or a gap. */
  noSea: boolean;
}

/** Least wind that raises a steep sea against the current: Beaufort 4, knots. */
const RAISES_SEA_KT = 11;

/** Below this apparent wind, knots, its direction is undefined. */
const CALM_KT = 0.05;

const isZigzag = ({ flags }: Piece["motion"]) => flags.includes("tacking") || flags.includes("gybing");

function greater(one: number | null, other: number | null | undefined): number | null {
  return one === null || other === null || other === undefined ? one : Math.max(one, other);
}

/**
 * The heading with the wind over the water from the same angle on the other side; null if the vessel does not
 * tack or gybe.
 */
function otherTack(
  wind: Wind | undefined,
  current: Current | undefined,
  motion: Piece["motion"],
): number | null {
  const { heading } = motion;
  if (!wind || heading === null || !isZigzag(motion)) return null;
  const over = current ? windFelt(wind, current.set, current.drift) : wind;
  return turned(heading + 2 * relativeTo(heading, over.from));
}

/**
 * The wind on board. A vessel that tacks does not move along its course but along its heading, through water
 * that moves.
 */
function apparentWind(
  wind: Wind,
  current: Current | undefined,
  course: number,
  motion: Piece["motion"],
): Wind {
  const { heading, stw, sog } = motion;
  if (!isZigzag(motion) || heading === null) return windFelt(wind, course, sog);
  const overWater = current ? windFelt(wind, current.set, current.drift) : wind;
  return windFelt(overWater, heading, stw);
}

/** Computes the conditions on board. A held vessel lies as if on its course, without way. */
export function pieceState(
  { course, motion, weather }: Pick<Piece, "course" | "motion" | "weather">,
  ship?: RollOf,
): PieceState {
  const heading = motion.heading ?? course;
  const [wind, current] = [windOf(weather), currentOf(weather)];
  const felt = wind && apparentWind(wind, current, course, motion);
  const [sea, swell] = [seaOf(weather, "whole"), seaOf(weather, "swell")];
  const met = (of: typeof sea, heading: number) => {
    if (!of) return { angle: null, encounter: null, acceleration: null };
    const encounter = encounterPeriod(of.period, of.from, heading, motion.stw);
    const angle = of.height === 0 ? null : relativeTo(heading, of.from);
    return { angle, encounter, acceleration: verticalAcceleration(of.height, encounter) };
  };
  const [whole, ofSwell] = [met(sea, heading), met(swell, heading)];
  const other = otherTack(wind, current, motion);
  const [wholeThere, swellThere] = other === null ? [] : [met(sea, other), met(swell, other)];
  const parts = current && currentParts(course, current.set, current.drift);
  const against =
    wind && current
      ? wind.knots >= RAISES_SEA_KT
        ? Math.max(0, currentParts(wind.from, current.set, current.drift).along)
        : 0
      : null;
  const hintOn = (tack: typeof whole | undefined) =>
    sea && ship && tack && tack.angle !== null
      ? rollHint({ ...sea, relative: tack.angle, encounter: tack.encounter }, ship)
      : undefined;
  const { Gust_10m: gust } = weather;
  return {
    windKnots: wind?.knots ?? null,
    gustKnots: typeof gust === "number" ? toKnots(gust) : null,
    windAngle: wind && wind.knots > 0 ? relativeTo(heading, wind.from) : null,
    apparentKnots: felt?.knots ?? null,
    apparentAngle: felt && felt.knots > CALM_KT ? relativeTo(heading, felt.from) : null,
    waveAngle: whole.angle,
    swellAngle: ofSwell.angle,
    encounter: whole.encounter,
    swellEncounter: ofSwell.encounter,
    otherWaveAngle: wholeThere?.angle ?? null,
    acceleration: greater(whole.acceleration, wholeThere?.acceleration),
    swellAcceleration: greater(ofSwell.acceleration, swellThere?.acceleration),
    currentAlong: parts?.along ?? null,
    currentAcross: parts?.across ?? null,
    againstWind: against,
    roll: hintOn(whole) ?? hintOn(wholeThere) ?? null,
    noForecast: wind === undefined,
    noSea: wind !== undefined && (sea === undefined || current === undefined),
  };
}

/** Standard gravity, m s-2. */
const GRAVITY = 9.80665;

/** Above this period of encounter, s, boat and waves move together, and there is no encounter. */
const LONGEST_S = 600;

/** Thresholds of the vertical acceleration, g. */
export const UNCOMFORTABLE_G = 0.1;
export const SEVERE_G = 0.2;

/**
 * Period at which a boat meets deep-water waves: ω_e = ω − (ω² V / g) cos μ, with μ the angle between its
 * heading and where the waves go TO, 180° in a head sea.
 *
 * @param period Period of the waves, s.
 * @param from Direction that the waves come FROM, degrees.
 * @param heading Degrees, TO.
 * @param stw Speed through the water, knots.
 * @returns Seconds; negative if the boat overtakes the waves; null if it moves with them, or the period is 0.
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
 * RMS of the vertical acceleration of a small craft that follows the surface, g: (Hs / 4) (2π / T_e)². The
 * RMS elevation of a sea is Hs / 4. An upper bound for ships that are long against the waves.
 *
 * @param height Significant height, m.
 * @param encounter Period of encounter, s; null for none, which gives 0.
 */
export function verticalAcceleration(height: number, encounter: number | null): number {
  if (encounter === null) return 0;
  return ((height / 4) * ((2 * Math.PI) / encounter) ** 2) / GRAVITY;
}

/**
 * Relative difference up to which a period of encounter counts as near the roll period, and height below
 * which seas are ignored, m.
 */
const ROLL_SHARE = 0.2;
const LOWEST_SEA = 0.5;
/** Range of wave lengths, in ship lengths, that count as about as long as the ship. */
const [SHORTEST_WAVE, LONGEST_WAVE] = [0.6, 2.3];
/** A following or quartering sea comes from more than this angle off the bow, degrees. */
const ABAFT = 90;

type RollHint = "synchronous_roll" | "parametric_roll";

/**
 * Whether a sea may make a ship roll, after phenomena of IMO MSC.1/Circ.1228: synchronous rolling where the
 * period of encounter is near the natural roll period; parametric rolling where it is near half of that in
 * following and quartering seas about as long as the ship. The result is only a hint: the thresholds are this
 * project's own, and parametric rolling in head seas is not considered.
 *
 * @param relative Where the waves come from, degrees off the bow, −180..180.
 * @param ship Natural roll period, s, and length, m; without a length there is no hint of parametric rolling.
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

/** Altitude of the sun's centre, degrees, at which civil twilight begins. */
const TWILIGHT = -6;

export const lights = ["day", "twilight", "night"] as const;

type Light = (typeof lights)[number];

/** @param altitude Altitude of the sun's centre, degrees. */
export function lightAt(altitude: number): Light {
  if (altitude >= RISE_ALTITUDE) return "day";
  return altitude >= TWILIGHT ? "twilight" : "night";
}
