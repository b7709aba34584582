import type { Place } from "@open-metocean/geo/sphere";
import { sunAltitude } from "@open-metocean/geo/sun";
import type { PassageMeta, PassagePiece, PassagePlan } from "#lib/contract/passage-reply.ts";
import { roundedBearing } from "#lib/field/round.ts";
import { NOT_FOR_NAVIGATION } from "#lib/table/table.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import type { FuelUse } from "./fuel.ts";
import { missedText, type PassedGate, type PredictedGate } from "./gates.ts";
import { type Limits, limitNames, limitTitles } from "./limits.ts";
import type { Passage, Passing } from "./march.ts";
import type { LandOnLeg } from "./optimise/coast.ts";
import { type CloseStretch, type NearCoast, OFFING_MILES } from "./optimise/offing.ts";
import { lightAt } from "./piece-state.ts";
import type { Leg } from "./route.ts";
import {
  type Cause,
  comfortOf,
  comforts,
  type Deciding,
  fuelRatio,
  type JudgedPiece,
  MAX_UNKNOWN_SEA,
  type MissedArrival,
  nearestOf,
  piecesNearCoast,
  type Verdict,
  whenAt,
} from "./verdict.ts";

/** Rounds to decimals, never −0; null for a value that is unknown or not finite. */
function to(decimals: number, value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}

const known = (decimals: number, value: number) => to(decimals, value) ?? 0;

/** A place and time on the way in the form of POST /passages/evaluate. */
export function passingToWire({ latitude, longitude, time }: Passing): PassagePlan["end"] {
  return {
    latitude: known(5, latitude),
    longitude: known(5, longitude),
    timestamp: formatInstant(Math.round(time)),
  };
}

interface JudgedPassage {
  /** The model that plans, if the request names one. */
  model?: string | undefined;
  departure: number;
  passage: Pick<Passage, "ending" | "end">;
  pieces: readonly JudgedPiece[];
  totals: PassagePlan["totals"];
  verdict: Verdict;
  deciding: Deciding | null;
  /** Absent if they were not requested. */
  storms?: PassagePlan["storms"];
  /** Where the route is too near to the coast, or on land. */
  close?: readonly CloseStretch[];
  gates?: readonly PassedGate[];
  /** How the vessel arrives, compared with what was wished. */
  arrive?: PassagePlan["arrive"];
}

/** A judged passage in the form of POST /passages/evaluate. @param miles Length of the whole route. */
export function planToWire(
  {
    model,
    departure,
    passage,
    pieces,
    totals,
    verdict,
    deciding,
    storms,
    close = [],
    gates = [],
    arrive,
  }: JudgedPassage,
  { limits, miles, withPieces }: { limits: Limits; miles: number; withPieces: boolean },
): PassagePlan {
  const { ending, end } = passage;
  const unknown = pieces.find(({ state }) => state.noForecast);
  const sun = ending === "arrived" ? sunAltitude(end.time, end) : null;
  const by = deciding?.measured;
  const near = nearestOf(close);
  return {
    ...(model !== undefined && { model }),
    departure: formatInstant(departure),
    arrival: ending === "arrived" ? formatInstant(Math.round(end.time)) : null,
    ending,
    end: passingToWire(end),
    no_forecast_from: unknown ? formatInstant(unknown.piece.at.time) : null,
    verdict,
    deciding: deciding && {
      by: deciding.by,
      text: decidingText(deciding, limits, gates),
      value: deciding.close
        ? tenthsBelow(deciding.close.miles)
        : to(3, by?.value ?? deciding.share ?? deciding.fuel?.used),
      limit: limitOf(deciding, limits),
      ratio: to(3, deciding.fuel ? fuelRatio(deciding.fuel) : by?.ratio),
      ...(deciding.land && { leg: deciding.land.leg }),
      ...(deciding.close && { leg: deciding.close.leg }),
      ...(deciding.gate !== undefined && { gate: deciding.gate }),
      piece: deciding.piece,
      at: passingToWire(deciding.at),
    },
    arrival_sun_deg: to(1, sun),
    arrival_light: sun === null ? null : lightAt(sun),
    totals: totalsToWire(totals),
    ...(gates.length > 0 && { gates: gates.map(({ wire }) => wire) }),
    ...(storms && { storms }),
    ...(arrive && { arrive }),
    ...(near && {
      near_coast: {
        leg: near.leg,
        distance_nm: tenthsBelow(near.miles),
        at: passingToWire(whenAt(near, pieces, end).at),
      },
    }),
    ...(withPieces && { pieces: piecesToWire(departure, pieces, miles, close) }),
  };
}

/**
 * Totals of a passage, not rounded; null for a quantity that is unknown throughout. Means are weighted by
 * time.
 */
export function totalsOf(
  pieces: readonly JudgedPiece[],
  limits: Limits,
  fuel?: FuelUse,
): PassagePlan["totals"] {
  const during = (test: (one: JudgedPiece) => boolean) =>
    sum(pieces, (one) => (test(one) ? one.piece.seconds : 0));
  const seconds = sum(pieces, ({ piece }) => piece.seconds);
  const miles = sum(pieces, ({ piece }) => piece.miles);
  const wind = ({ state }: JudgedPiece) => state.windKnots;
  const acceleration = ({ state }: JudgedPiece) => state.acceleration;
  const over: PassagePlan["totals"]["over_limits_s"] = {};
  for (const name of limitNames)
    if (limits[name] !== null && name !== "storm_km")
      over[name] = during(({ measured }) => measured.some(({ limit, ratio }) => limit === name && ratio > 1));
  return {
    distance_nm: miles,
    duration_s: seconds,
    speed_kt: seconds > 0 ? (miles / seconds) * HOUR_S : null,
    mean_wind_kt: mean(pieces, wind),
    max_wind_kt: most(pieces, wind),
    max_gust_kt: most(pieces, ({ state }) => state.gustKnots),
    max_height_m: most(pieces, ({ piece }) => piece.weather.Waves_Significant_Height ?? null),
    min_depth_m: least(pieces, ({ piece }) => piece.weather.Bathymetry ?? null),
    mean_acceleration_g: mean(pieces, acceleration),
    max_acceleration_g: most(pieces, acceleration),
    comfort: comforts.findLast((comfort) => pieces.some((one) => comfortOf(one) === comfort)) ?? null,
    mean_ratio: mean(pieces, ({ measured }) => measured[0]?.ratio ?? null),
    motor_s: during(({ piece }) => piece.motion.mode === "motor"),
    ...(fuel && (fuel.unit === "l_h" ? { fuel_l: fuel.used } : { fuel_t: fuel.used })),
    ...(fuel?.co2Tonnes !== undefined && { co2_t: fuel.co2Tonnes }),
    held_s: during(({ piece }) => piece.motion.mode === "held"),
    no_forecast_s: during(({ state }) => state.noForecast),
    no_sea_data_s: during(({ state }) => state.noSea),
    over_limits_s: over,
  };
}

function sum(pieces: readonly JudgedPiece[], of: (one: JudgedPiece) => number): number {
  return pieces.reduce((total, one) => total + of(one), 0);
}

/** Mean, weighted by time, over the pieces for which the quantity is known. */
function mean(pieces: readonly JudgedPiece[], of: Quantity): number | null {
  let [total, time] = [0, 0];
  for (const one of pieces) {
    const value = of(one);
    if (value === null) continue;
    total += value * one.piece.seconds;
    time += one.piece.seconds;
  }
  return time > 0 ? total / time : null;
}

type Quantity = (one: JudgedPiece) => number | null;

function most(pieces: readonly JudgedPiece[], of: Quantity, pick = Math.max): number | null {
  const known = pieces.flatMap((one) => of(one) ?? []);
  return known.length > 0 ? pick(...known) : null;
}

const least = (pieces: readonly JudgedPiece[], of: Quantity) => most(pieces, of, Math.min);

/** Decimals of the totals that are not integers. */
const totalDecimals: Partial<Record<string, number>> = {
  distance_nm: 2,
  speed_kt: 2,
  mean_wind_kt: 1,
  max_wind_kt: 1,
  max_gust_kt: 1,
  max_height_m: 2,
  mean_acceleration_g: 3,
  max_acceleration_g: 3,
  mean_ratio: 3,
  fuel_l: 1,
  fuel_t: 2,
  co2_t: 3,
};

function totalsToWire(totals: PassagePlan["totals"]): PassagePlan["totals"] {
  const rounded = Object.entries(totals).map(([name, value]) => [
    name,
    typeof value === "number" ? to(totalDecimals[name] ?? 0, value) : value,
  ]);
  const over = Object.entries(totals.over_limits_s).map(([name, seconds]) => [name, known(0, seconds)]);
  return { ...Object.fromEntries(rounded), over_limits_s: Object.fromEntries(over) };
}

function piecesToWire(
  departure: number,
  pieces: readonly JudgedPiece[],
  miles: number,
  close: readonly CloseStretch[],
): PassagePiece[] {
  let toGo = miles;
  const near = piecesNearCoast(pieces, close);
  return pieces.map((one, index) => {
    const wire = pieceToWire(departure, one, toGo);
    if (near.has(index)) wire.flags.push("near_coast");
    toGo -= one.piece.miles;
    return wire;
  });
}

function pieceToWire(departure: number, { piece, state, measured }: JudgedPiece, toGo: number): PassagePiece {
  const { motion, weather } = piece;
  const flags: PassagePiece["flags"] = [...motion.flags];
  if (state.noForecast) flags.push("no_forecast");
  if (state.noSea) flags.push("no_sea_data");
  if (state.roll) flags.push(state.roll);
  if (piece.waits) flags.push("waits_for_gate");
  const [nearest] = measured;
  return {
    leg: piece.leg,
    start: passingToWire(piece.start),
    at: passingToWire(piece.at),
    elapsed_s: known(0, piece.start.time - departure),
    duration_s: known(0, piece.seconds),
    distance_nm: known(2, piece.miles),
    to_go_nm: known(2, Math.max(0, toGo)),
    course_deg: roundedBearing(piece.course)!,
    heading_deg: motion.heading === null ? null : roundedBearing(motion.heading),
    sog_kt: known(2, motion.sog),
    stw_kt: known(2, motion.stw),
    mode: motion.mode,
    wind_kt: to(1, state.windKnots),
    wind_angle_deg: to(1, state.windAngle),
    apparent_wind_kt: to(1, state.apparentKnots),
    apparent_wind_angle_deg: to(1, state.apparentAngle),
    gust_kt: to(1, state.gustKnots),
    wave_angle_deg: to(1, state.waveAngle),
    encounter_period_s: to(1, state.encounter),
    acceleration_g: to(3, state.acceleration),
    comfort: comfortOf({ piece, state }),
    swell_angle_deg: to(1, state.swellAngle),
    swell_encounter_period_s: to(1, state.swellEncounter),
    swell_acceleration_g: to(3, state.swellAcceleration),
    current_along_kt: to(2, state.currentAlong),
    current_across_kt: to(2, state.currentAcross),
    nearest_limit: nearest ? { limit: nearest.limit, ratio: known(3, nearest.ratio) } : null,
    flags,
    conditions: weather as PassagePiece["conditions"],
  };
}

/** Land and coast on the way in the form of POST /passages/evaluate. */
export function coastToWire(
  land: readonly LandOnLeg[],
  nearest: NearCoast | undefined,
): Pick<PassageMeta, "crosses_land" | "nearest_coast"> {
  const place = ({ latitude, longitude }: Place) => ({
    latitude: known(5, latitude),
    longitude: known(5, longitude),
  });
  return {
    crosses_land: land.map(({ leg, at, miles }) => ({ leg, ...place(at), land_nm: known(1, miles) })),
    nearest_coast: nearest
      ? { leg: nearest.leg, ...place(nearest.at), distance_nm: tenthsBelow(nearest.miles) }
      : null,
  };
}

/** Rounds miles down to a tenth, so that less than a mile is never written as a mile. */
function tenthsBelow(miles: number): number {
  return Math.floor(miles * 10 + 1e-9) / 10;
}

function limitOf({ measured, share, close, fuel }: Deciding, limits: Limits): number | null {
  if (measured) return limits[measured.limit];
  if (close) return OFFING_MILES;
  if (fuel) return fuel.limit ?? null;
  return share === undefined ? null : MAX_UNKNOWN_SEA;
}

/** The legs of a route in the form of POST /passages/evaluate. */
export function legsToWire(legs: readonly Leg[]): Pick<PassageMeta, "legs" | "distance_nm"> {
  return {
    distance_nm: known(
      2,
      legs.reduce((sum, { miles }) => sum + miles, 0),
    ),
    legs: legs.map(({ kind, miles, course }) => ({
      kind,
      distance_nm: known(2, miles),
      course_deg: miles > 1e-6 ? roundedBearing(course(0)) : null,
      final_course_deg: miles > 1e-6 ? roundedBearing(course(1)) : null,
    })),
  };
}

type Worded = "no_sea_data" | "crosses_land" | "near_coast" | "gate_missed" | "fuel" | MissedArrival["by"];

/** Texts of the causes without numbers. */
const causeTexts: Readonly<Record<Exclude<Cause, Worded>, string>> = {
  too_slow: "The passage takes too many pieces at the speed that is made",
  held: "The vessel waits for a day",
  current_too_strong: "The vessel cannot make way against the current",
  no_headway: "The vessel cannot make way in this sea: the motor table has no speed there",
  becalmed: "There is not enough wind to sail, and no motor",
  no_forecast: "The forecast ends on the way",
  roll: "The sea may make the ship roll",
  storm_without_forecast: "A storm that is near has no forecast",
};

/** The reason for a verdict, as a sentence in English. */
export function decidingText(
  { by, measured, share, land, close, gate, fuel, text }: Deciding,
  limits: Limits,
  gates: readonly PassedGate[] = [],
): string {
  if (measured) {
    const value = Math.round(measured.value * 100) / 100;
    const limit = limits[measured.limit];
    return `${limitTitles[measured.limit]}: ${value}; limit ${limit}`;
  }
  if (land) return landText(land);
  if (close)
    return `Leg ${close.leg + 1} passes ${tenthsBelow(close.miles)} n mi off the coast, where the water leaves ${OFFING_MILES} n mi or more`;
  if (fuel) {
    const unit = fuel.unit === "l_h" ? "l" : "t";
    return `Fuel: ${Math.round(10 * fuel.used) / 10} ${unit}; limit ${fuel.limit} ${unit}`;
  }
  if (text !== undefined) return text;
  if (gate !== undefined) return missedText(gates[gate]!);
  if (by === "no_sea_data")
    return `Waves or currents are unknown for ${Math.ceil(100 * (share ?? 1))} % of the time`;
  return causeTexts[by as keyof typeof causeTexts];
}

/** `Leg 2 crosses land, 12.3 n mi of it`. */
function landText({ leg, miles }: LandOnLeg): string {
  const length = Math.round(10 * miles) / 10;
  return `Leg ${leg + 1} ${length > 0 ? `crosses land, ${length} n mi of it` : "touches land"}`;
}

const COAST_KNOWN =
  "A distance from the coast is that from this line, and no clearance: what dries or lies under water is not in it. " +
  "Nearer than 1 n mi is CAUTION, but within 5 n mi of both ends and in narrows that leave no more";

/** Describes in English what a plan leaves out; it is part of every answer. */
export function knowledgeOf({
  withStorms,
  withFuel = false,
  gates = [],
}: {
  withStorms: boolean;
  withFuel?: boolean;
  gates?: readonly PredictedGate[];
}): string[] {
  return [
    NOT_FOR_NAVIGATION,
    "Land is that of OpenStreetMap of 2017, within some 40 m: small rocks and newer moles are not in it, canals and most rivers count as land; near coasts waves and currents are unknown",
    COAST_KNOWN,
    "Depths are those of a coarse grid and not a clearance; shoals, fairways, traffic separation schemes, ice and closed areas are not considered",
    "Forecasts end: beyond their horizon a plan continues at the typical speed, marked no_forecast",
    "How currents change waves, leeway, surf-riding, broaching and the vessel's own motions are not computed; accelerations are those of a craft that follows the surface",
    ...(withFuel
      ? [
          "Fuel is what the consumption states for the speed through the water: a sea or a current that slows or holds a vessel at the same throttle takes more, and generators, heating and harbours are not included",
        ]
      : []),
    ...(gates.length > 0
      ? [
          "Gates are astronomical predictions of their stations, without wind, air pressure and rivers, and not a clearance",
          ...new Set(gates.map(({ about }) => about.attribution)),
        ]
      : []),
    withStorms
      ? "Storms are those of one provider as published now, with their forecasts; others may form"
      : "Tropical storms are not considered",
  ];
}
