import { relativeTo, turned } from "./angle.ts";
import { type Wind, windFelt } from "./apparent-wind.ts";
import { currentParts } from "./current-triangle.ts";
import { encounterPeriod, type RollHint, rollHint, verticalAcceleration } from "./encounter.ts";
import type { Piece } from "./march.ts";
import { type Current, currentOf, seaOf, windOf } from "./weather.ts";

/** Natural roll period, s, and length, m, of a ship that roll hints are wanted for. */
export interface RollOf {
  rollPeriod: number;
  length?: number;
}

/** What it is like on board during a piece. null where it is not known. */
export interface PieceState {
  /** True wind off the bow, degrees, −180..180, positive to starboard; null in a calm. */
  windAngle: number | null;
  /** Apparent wind, knots, and its angle off the bow. */
  apparentKnots: number | null;
  apparentAngle: number | null;
  /** Where the waves come from off the bow, degrees, and the swell. */
  waveAngle: number | null;
  swellAngle: number | null;
  /** Period of encounter, s; negative in a sea that is overtaken, null in one that is never met. */
  encounter: number | null;
  swellEncounter: number | null;
  /** Where the waves come from on the other tack, between tacks or gybes; null where there is none. */
  otherWaveAngle: number | null;
  /** RMS vertical acceleration, g; between tacks or gybes that of the worse one. */
  acceleration: number | null;
  swellAcceleration: number | null;
  /** Current along the course, positive with the vessel, and across it, positive to starboard, knots. */
  currentAlong: number | null;
  currentAcross: number | null;
  /** Part of the current that runs against the wind, knots; 0 where it does not, or the wind is light. */
  againstWind: number | null;
  roll: RollHint | null;
  /** No wind is known: beyond the forecast, or outside the archive. */
  noForecast: boolean;
  /** The wind is known, waves or currents are not: land in the models, ice, or a gap. */
  noSea: boolean;
}

/** A wind that raises a sea against the current: Beaufort 4, knots. */
const RAISES_SEA_KT = 11;

/** A lighter apparent wind, knots, has no direction. */
const CALM_KT = 0.05;

const isZigzag = ({ flags }: Piece["motion"]) => flags.includes("tacking") || flags.includes("gybing");

function greater(one: number | null, other: number | null | undefined): number | null {
  return one === null || other === null || other === undefined ? one : Math.max(one, other);
}

/** The heading with the wind over the water from the same angle on the other side; null where no tacks or gybes are made. */
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

/** The wind on board. Between tacks the boat does not move along its course, but as it heads, through water that moves. */
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

/** What it is like on board. A vessel that is held lies as if on its course, without way. */
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
  return {
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
