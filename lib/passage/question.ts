import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import { type OptimiseRequest, optimiseLimits, type PassageRequest } from "#lib/contract/passage.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import type { ArrivalWish } from "./arrival.ts";
import { type Fuel, fuelOf } from "./fuel.ts";
import { type Gate, gatesOf, type WishedHighWater } from "./gates.ts";
import { defaultLimits, type LimitName, type Limits, limitNames } from "./limits.ts";
import { expectedPieces, legsOf, MAX_GATE_WAIT_S, PIECE_S } from "./march.ts";
import type { RollOf } from "./piece-state.ts";
import { genericPolar, readPolar, typicalTable } from "./polar.ts";
import type { Leg } from "./route.ts";
import { departuresOf } from "./verdict.ts";
import { typicalSpeed, type Vessel } from "./vessel.ts";

export interface PassageQuestion {
  legs: Leg[];
  vessel: Vessel;
  limits: Limits;
  ship?: RollOf;
  fuel?: Fuel | undefined;
  gates: Gate[];
  /** undefined if any arrival will do. */
  arrival: ArrivalWish | undefined;
  /** High water at which the vessel should arrive: a gate at the last waypoint. */
  highWater: WishedHighWater | undefined;
  /** Unix seconds, ascending. */
  departures: number[];
  withPieces: boolean;
  /** Names of the models that plan, without duplicates; empty if the request names none. */
  models: readonly string[];
  /** The ensemble whose members plan too. */
  ensemble: string | undefined;
  /** CF realizations of its members, once the archive is known: see `withMembers`. */
  members: readonly number[];
  /** Limits that its members do not judge, because it lacks a variable that they need. */
  unjudged: readonly LimitName[];
  /** Variables that are read for each piece. */
  variables: readonly VariableName[];
  /**
   * Size of the question: models (with an ensemble its members, and one) × departures × (pieces at the typical speed + pieces of the longest wait
   * before each gate).
   */
  places: number;
}

/** Variables from which limits and totals are computed. */
export const judging: readonly VariableName[] = [
  "current",
  "wind",
  "gust",
  "wave",
  "extra_wave",
  "rain",
  "mucape",
];

export function questionOf(request: PassageRequest): PassageQuestion {
  const legs = legsOf(request.route);
  const vessel = vesselOf(request.vessel);
  const departures = request.departures
    ? departuresOf(
        parseInstant(request.departures.from),
        parseInstant(request.departures.to),
        request.departures.step_hours,
      )
    : [parseInstant(request.departure!)];
  const withPieces = request.include_pieces ?? departures.length === 1;
  const { roll_period_s, length_m } = request.vessel;
  const { arrive } = request;
  const gates = gatesOf(request.route);
  const models = [...new Set(request.models)];
  const waits = gates.filter(({ gate }) => gate.wait).length * (MAX_GATE_WAIT_S / PIECE_S);
  return {
    legs,
    vessel,
    limits: limitsOf(vessel.kind, request.limits),
    ...(roll_period_s !== undefined && {
      ship: { rollPeriod: roll_period_s, ...(length_m !== undefined && { length: length_m }) },
    }),
    ...(request.vessel.fuel && { fuel: fuelOf(request.vessel.fuel) }),
    gates,
    arrival: arrive && {
      by: arrive.by === undefined ? undefined : parseInstant(arrive.by),
      daylight: arrive.daylight,
    },
    highWater: arrive?.high_water && {
      ...arrive.high_water,
      waypoint: legs.length,
      place: request.route.at(-1)!,
    },
    departures,
    withPieces,
    models,
    ensemble: request.ensemble,
    members: [],
    unjudged: [],
    variables: withPieces ? variableNames : judging,
    places: Math.max(1, models.length) * departures.length * (expectedPieces(legs, vessel) + waits),
  };
}

/** The question with the members that plan, and the limits that they do not judge. */
export function withMembers(
  question: PassageQuestion,
  members: readonly number[],
  unjudged: readonly LimitName[],
): PassageQuestion {
  const places = (question.places / planCount(question)) * planCount({ ...question, members });
  return { ...question, members, unjudged, places };
}

/** The limits that the members of an ensemble judge. */
export function limitsOfMembers({ limits, unjudged }: Pick<PassageQuestion, "limits" | "unjudged">): Limits {
  return { ...limits, ...Object.fromEntries(unjudged.map((name) => [name, null])) };
}

/**
 * Number of plans that are made for a question: one for each departure, for each model that it names, and for each member of
 * its ensemble.
 */
export const planCount = ({
  departures,
  models,
  members,
}: Pick<PassageQuestion, "departures" | "models" | "members">): number =>
  departures.length * (Math.max(1, models.length) + members.length);

function vesselOf(asked: PassageRequest["vessel"]): Vessel {
  const knots = asked.speed_kt ?? 0;
  if (asked.kind === "fixed") return { kind: "fixed", knots };
  if (asked.kind === "motor") return { kind: "motor", knots, table: asked.table ?? typicalTable(knots) };
  return {
    kind: "sail",
    polar: readPolar(asked.polar ?? genericPolar(asked.polar_name!)),
    factor: asked.factor,
    motor:
      asked.motor_speed_kt === undefined
        ? undefined
        : { knots: asked.motor_speed_kt, below: asked.motor_below_kt },
  };
}

function limitsOf(kind: Vessel["kind"], asked: PassageRequest["limits"]): Limits {
  const inForce = limitNames.map((name): [LimitName, number | null] => {
    const wanted = asked?.[name];
    return [name, wanted === undefined ? defaultLimits[kind][name] : wanted];
  });
  return Object.fromEntries(inForce) as Limits;
}

/** Distance from the first to the last waypoint through the gates, nautical miles. */
export function milesOf({ route }: Pick<OptimiseRequest, "route">): number {
  const ends = searchedEnds(route).map((at) => route[at]!);
  return ends.slice(1).reduce((sum, end, at) => sum + distanceKm(ends[at]!, end), 0) / MILE_KM;
}

/** Positions of the waypoints that a better route keeps: the first, those with a gate, and the last. */
export function searchedEnds(route: OptimiseRequest["route"]): number[] {
  const last = route.length - 1;
  return route.flatMap(({ gate }, at) => (gate || at === 0 || at === last ? [at] : []));
}

/**
 * Why a request is not searched. @see hours Approximate duration at the typical speed; each model searches for
 * that long. @see known Hours of forecast after the departure.
 */
export interface SearchRefusal {
  why: "distance" | "hours" | "forecast" | "at_once";
  miles: number;
  knots: number;
  hours: number;
  known: number;
  /** How many models search. */
  models: number;
}

/**
 * Why a request is too large for a search; undefined if it is not. @param now Weather clock, Unix seconds.
 */
export function searchRefusal(request: OptimiseRequest, now: number): SearchRefusal | undefined {
  const { distance_nm: most, hours: limits, forecast_share: share } = optimiseLimits;
  const miles = milesOf(request);
  const { vessel, models: named } = questionOf(request);
  const knots = typicalSpeed(vessel);
  const hours = miles / knots;
  const models = Math.max(1, named.length);
  const known = (acceptedTimes(now).last - parseInstant(request.departure)) / HOUR_S;
  const refused = (why: SearchRefusal["why"]) => ({
    why,
    miles: Math.round(miles),
    knots,
    hours: Math.round(hours),
    known: Math.max(0, Math.round(known)),
    models,
  });
  if (Math.round(miles) > most) return refused("distance");
  if (hours * models > limits.async) return refused("hours");
  if (known < share * hours) return refused("forecast");
  if (!request.async && hours * models > limits.sync) return refused("at_once");
  return undefined;
}
