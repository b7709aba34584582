import type { Place } from "@open-metocean/geo/sphere";
import { HOUR_S } from "#lib/time.ts";
import type { FuelUse } from "./fuel.ts";
import { type LimitName, type Limits, type Measured, measured, ratioOf } from "./limits.ts";
import type { Passage, Passing, Piece } from "./march.ts";
import type { LandOnLeg } from "./optimise/coast.ts";
import type { CloseStretch } from "./optimise/offing.ts";
import { type PieceState, pieceState, type RollOf, SEVERE_G, UNCOMFORTABLE_G } from "./piece-state.ts";

export const verdicts = ["GO", "CAUTION", "NO"] as const;

export type Verdict = (typeof verdicts)[number];

/**
 * Why a model does not know a variable on a passage. lacks: it has it nowhere on the way; ends: its forecast ends on the way;
 * outside: a part of the way is outside its area; gaps: it has no value for more than a tenth of the time.
 */
export const unknownReasons = ["lacks", "ends", "outside", "gaps"] as const;

export type UnknownReason = (typeof unknownReasons)[number];

/** The verdicts of a plan, the best first, and that a model does not know enough for one. */
export const sayings = ["GO", "CAUTION", "NO", "cannot_say"] as const;

/** Causes for which a passage that arrives does not do so as wished, the first one first. */
export const arrivalCauses = ["arrives_late", "arrives_in_dark", "leaves_in_dark"] as const;

/** @see text An English sentence. */
export interface MissedArrival {
  by: (typeof arrivalCauses)[number];
  text: string;
  at: Passing;
}

export const causes = [
  "crosses_land",
  "near_coast",
  "too_slow",
  "held",
  "current_too_strong",
  "no_headway",
  "becalmed",
  "no_forecast",
  "no_sea_data",
  "roll",
  "storm_without_forecast",
  "gate_missed",
  ...arrivalCauses,
  "fuel",
] as const;

export type Cause = (typeof causes)[number];

export interface Deciding {
  by: LimitName | Cause;
  measured: Measured | null;
  /** For `no_sea_data`: share of the time, 0..1. */
  share?: number;
  land?: LandOnLeg;
  /** For `near_coast`: of all stretches that are too near, the one nearest to the coast. */
  close?: CloseStretch;
  /** Position among the gates. */
  gate?: number;
  /** Fuel of the passage; for `fuel`. */
  fuel?: FuelUse;
  /** For causes of the arrival: an English sentence. */
  text?: string;
  /** Position among the pieces; null if it concerns no particular piece. */
  piece: number | null;
  at: Passing;
}

/** A value counts as near a limit from this share of it on. */
const CAUTION_SHARE = 0.8;

/**
 * A passage is not GO if waves or currents are unknown for more than this share of the time. Coasts in the
 * models account for up to that much at both ends of a two-day passage.
 */
export const MAX_UNKNOWN_SEA = 0.1;

/**
 * If all legs together cross more land than this, the cause is not a harbour, lock or river
 * that the coastline leaves out, n mi.
 */
const COARSE_COAST_MILES = 2;

/** A piece with the conditions on board, and its quantities against the limits, the worst first. */
export interface JudgedPiece {
  piece: Piece;
  state: PieceState;
  measured: Measured[];
}

export function judgePieces(pieces: readonly Piece[], limits: Limits, ship?: RollOf): JudgedPiece[] {
  return pieces.map((piece) => {
    const state = pieceState(piece, ship);
    const found = measured(piece.weather, state, limits).sort((one, other) => other.ratio - one.ratio);
    return { piece, state, measured: found };
  });
}

/** A storm on the way, with the place and time at which the vessel is nearest to its danger area. */
export interface StormNear {
  measured: Measured | undefined;
  at: Passing;
}

/** The facts by which a passage is judged in addition to its pieces. */
interface Surroundings {
  storms: readonly StormNear[];
  stormsWithoutForecast?: number;
  land?: readonly LandOnLeg[];
  /** Stretches where the route is too near to the coast. */
  close?: readonly CloseStretch[];
  /** The first missed gate: its position among the gates, and the place and time. */
  missed?: { gate: number; at: Passing } | undefined;
  /** Why the vessel does not arrive as wished. */
  arrival?: MissedArrival | undefined;
  fuel?: FuelUse | undefined;
}

/**
 * The verdict. NO: legs cross more than 2 n mi of land in all, a gate is missed, the vessel does not
 * arrive as wished, a limit, also that of fuel, is exceeded or the vessel makes no progress. CAUTION: a leg touches land or comes
 * within a mile of the coast although there is room, a value is near a limit, the forecast ends on the way,
 * the sea is unknown for more than a tenth of the time, the ship may roll, or a storm has no forecast.
 * Otherwise GO. The worst cause is reported.
 */
export function judge(
  { ending, end }: Pick<Passage, "ending" | "end">,
  pieces: readonly JudgedPiece[],
  { storms, stormsWithoutForecast = 0, land = [], close = [], missed, arrival, fuel }: Surroundings,
): { verdict: Verdict; deciding: Deciding | null } {
  const last = pieces.length - 1;
  const first = (by: Cause, test: (piece: JudgedPiece) => boolean): Deciding | undefined => {
    const index = pieces.findIndex(test);
    return index < 0 ? undefined : { by, measured: null, piece: index, at: pieces[index]!.piece.at };
  };
  const given = (verdict: Verdict, deciding: Deciding) => ({ verdict, deciding });
  const worst = worstOf(pieces, storms);
  const [most] = land.toSorted((one, other) => other.miles - one.miles);
  const ashore: Deciding | undefined = most && {
    by: "crosses_land",
    measured: null,
    land: most,
    ...whenAt(most, pieces, end),
  };
  const landMiles = land.reduce((sum, { miles }) => sum + miles, 0);
  if (ashore && landMiles > COARSE_COAST_MILES) return given("NO", ashore);
  if (ending === "too_slow") return given("NO", { by: "too_slow", measured: null, piece: last, at: end });
  const flagged = (flag: "current_too_strong" | "no_headway" | "becalmed") =>
    first(flag, ({ piece }) => piece.motion.flags.includes(flag));
  const stopped =
    flagged("current_too_strong") ??
    flagged("no_headway") ??
    (ending === "held" ? flagged("becalmed") : undefined);
  if (stopped) return given("NO", stopped);
  if (missed) return given("NO", { by: "gate_missed", measured: null, piece: null, ...missed });
  if (arrival) return given("NO", { measured: null, piece: null, ...arrival });
  if (worst?.measured && worst.measured.ratio > 1) return given("NO", worst);
  const fuelled: Deciding | undefined = fuel && {
    by: "fuel",
    measured: null,
    fuel,
    piece: fuel.over?.piece ?? null,
    at: fuel.over ? placeIn(pieces[fuel.over.piece]!.piece, fuel.over.time) : end,
  };
  const ofFuel = fuelRatio(fuel);
  if (fuelled && ofFuel > 1) return given("NO", fuelled);
  if (ashore) return given("CAUTION", ashore);
  const nearest = nearestOf(close);
  if (nearest)
    return given("CAUTION", {
      by: "near_coast",
      measured: null,
      close: nearest,
      ...whenAt(nearest, pieces, end),
    });
  const ends = first("no_forecast", ({ state }) => state.noForecast);
  if (ends) return given("CAUTION", ends);
  if (worst?.measured && worst.measured.ratio >= CAUTION_SHARE) return given("CAUTION", worst);
  if (fuelled && ofFuel >= CAUTION_SHARE) return given("CAUTION", fuelled);
  const careful =
    flagged("becalmed") ?? first("roll", ({ state }) => state.roll !== null) ?? unknownSea(pieces, first);
  if (careful) return given("CAUTION", careful);
  if (stormsWithoutForecast > 0)
    return given("CAUTION", { by: "storm_without_forecast", measured: null, piece: null, at: end });
  return { verdict: "GO", deciding: worst ?? null };
}

/** Fuel divided by its limit, at most 10; 0 without a limit. Any fuel exceeds a limit of 0. */
export function fuelRatio(fuel: FuelUse | undefined): number {
  return fuel?.limit === undefined ? 0 : ratioOf(fuel.used, fuel.limit);
}

/** About where the vessel is during a piece: at its beginning, or in its second half in the middle. */
const placeIn = ({ start, at, seconds }: Piece, time: number): Passing => ({
  ...(time < start.time + seconds / 2 ? start : at),
  time,
});

/** The stretch nearest to the coast, of those that are too near but not on land. */
export function nearestOf(close: readonly CloseStretch[]): CloseStretch | undefined {
  return close
    .filter(({ miles }) => miles > 0)
    .reduce<CloseStretch | undefined>(
      (one, other) => (one && one.miles <= other.miles ? one : other),
      undefined,
    );
}

/**
 * When the vessel reaches a place on a leg, and on which piece; the end of the plan if it is abandoned
 * before.
 *
 * @param gone Distance from the start of the leg, n mi.
 */
export function whenAt(
  { leg, gone: wanted, at }: { leg: number; gone: number; at: Place },
  pieces: readonly JudgedPiece[],
  end: Passing,
): Pick<Deciding, "piece" | "at"> {
  let gone = 0;
  const index = pieces.findIndex(({ piece }) => {
    if (piece.leg === leg) gone += piece.miles;
    return piece.leg === leg && gone >= wanted;
  });
  const piece = pieces[index]?.piece;
  if (!piece) return { piece: null, at: { ...at, time: end.time } };
  const left = piece.miles > 0 ? (gone - wanted) / piece.miles : 0;
  return { piece: index, at: { ...at, time: piece.start.time + piece.seconds * (1 - left) } };
}

/** Positions of the pieces that lie on a stretch near the coast or on land, at least in part. */
export function piecesNearCoast(
  pieces: readonly JudgedPiece[],
  close: readonly CloseStretch[],
): ReadonlySet<number> {
  const found = new Set<number>();
  let [leg, gone] = [0, 0];
  for (const [index, { piece }] of pieces.entries()) {
    if (piece.leg !== leg) [leg, gone] = [piece.leg, 0];
    const end = gone + piece.miles;
    if (close.some((one) => one.leg === leg && one.begin < end && one.end > gone)) found.add(index);
    gone = end;
  }
  return found;
}

/** The greatest ratio of all pieces and storms, and where it occurs. */
function worstOf(pieces: readonly JudgedPiece[], storms: readonly StormNear[]): Deciding | undefined {
  let worst: Deciding | undefined;
  const consider = (candidate: Measured | undefined, piece: number | null, at: Passing) => {
    if (candidate && candidate.ratio > (worst?.measured?.ratio ?? -1))
      worst = { by: candidate.limit, measured: candidate, piece, at };
  };
  for (const [index, { measured: found, piece }] of pieces.entries()) consider(found[0], index, piece.at);
  for (const { measured: found, at } of storms) consider(found, null, at);
  return worst;
}

function unknownSea(
  pieces: readonly JudgedPiece[],
  first: (by: Cause, test: (piece: JudgedPiece) => boolean) => Deciding | undefined,
): Deciding | undefined {
  const seconds = (of: readonly JudgedPiece[]) => of.reduce((sum, { piece }) => sum + piece.seconds, 0);
  const unknown = seconds(pieces.filter(({ state }) => state.noSea));
  if (!(unknown > MAX_UNKNOWN_SEA * seconds(pieces))) return undefined;
  const found = first("no_sea_data", ({ state }) => state.noSea);
  return found && { ...found, share: unknown / seconds(pieces) };
}

export const comforts = ["comfortable", "uncomfortable", "severe", "dangerous"] as const;

type Comfort = (typeof comforts)[number];

/**
 * Storm, Beaufort 10, kt, and high sea, sea state 7 of WMO code table 3700, m; these are severe whatever the
 * acceleration.
 */
const [STORM_KT, HIGH_SEA_M] = [48, 6];

/** Comfort of a piece; null if nothing is known. */
export function comfortOf({ piece, state }: Pick<JudgedPiece, "piece" | "state">): Comfort | null {
  const { Waves_Significant_Height: height } = piece.weather;
  if ((state.windKnots ?? 0) >= STORM_KT || (height ?? 0) >= HIGH_SEA_M) return "dangerous";
  if (state.acceleration === null) return null;
  if (state.acceleration >= SEVERE_G) return "severe";
  return state.acceleration >= UNCOMFORTABLE_G ? "uncomfortable" : "comfortable";
}

/** The properties of a departure that are compared. */
interface Compared {
  verdict: Verdict;
  /** The vessel arrives, with the weather known all the way. */
  isWhole: boolean;
  seconds: number;
  /** Mean over time of the worst ratio of each piece; null if none is known. */
  meanRatio: number | null;
}

export const orders = ["fastest", "smoothest", "balanced", "latest"] as const;

export type Order = (typeof orders)[number];

/** The departures of a sweep, Unix seconds, both ends included. */
export function departuresOf(from: number, to: number, stepHours: number): number[] {
  const count = Math.floor((to - from) / (stepHours * HOUR_S)) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => from + index * stepHours * HOUR_S);
}

/**
 * Positions of departures, best first; the departures are in the order of time. `fastest` sorts by duration;
 * `smoothest` by the average nearness to the limits; `balanced` by verdict, then by the sum of duration
 * relative to the fastest and ratio; `latest` by verdict, then the latest first. Departures that do not
 * arrive, or have an unknown part, come last in each.
 */
export function sortedDepartures(departures: readonly Compared[]): Record<Order, number[]> {
  const whole = departures.filter(({ isWhole }) => isWhole);
  const shortest = Math.max(1, Math.min(...whole.map(({ seconds }) => seconds)));
  const ratio = ({ meanRatio }: Compared) => meanRatio ?? Number.POSITIVE_INFINITY;
  const keys: Record<Order, (one: Compared, index: number) => number[]> = {
    fastest: (one) => [one.seconds, ratio(one)],
    smoothest: (one) => [ratio(one), one.seconds],
    balanced: (one) => [verdicts.indexOf(one.verdict), one.seconds / shortest + ratio(one)],
    latest: (one, index) => [verdicts.indexOf(one.verdict), -index],
  };
  const by = (key: (typeof keys)[Order]) =>
    departures
      .map((one, index) => ({ index, key: [one.isWhole ? 0 : 1, ...key(one, index)] }))
      .sort((one, other) => compareLists(one.key, other.key) || one.index - other.index)
      .map(({ index }) => index);
  return {
    fastest: by(keys.fastest),
    smoothest: by(keys.smoothest),
    balanced: by(keys.balanced),
    latest: by(keys.latest),
  };
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    // Two infinite values are equal.
    const against = other[index]!;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
