import "#components/api-client/without-eval.ts";
import type { DangerMethod, StormProvider } from "@open-metocean/storms/providers";
import type { z } from "zod";
import type { ListedEnsemble } from "#components/api-client/listed-ensembles.ts";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import {
  optimiseRequest,
  type Plan,
  type PlanWithVessel,
  passageLimits,
  passageRequest,
} from "#lib/contract/passage.ts";
import type { Objective } from "#lib/passage/limits.ts";
import { questionOf, type SearchRefusal, searchRefusal } from "#lib/passage/question.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";

export type PassageBody = z.input<typeof passageRequest>;

export type OptimiseBody = z.input<typeof optimiseRequest>;

/** The provider of the storms to which a passage is compared, and the kind of danger area. */
export interface StormsAsked {
  provider: StormProvider;
  method: DangerMethod;
}

/** Intervals of a sweep, hours. */
export const sweepSteps = [1, 3, 6, 12] as const;

export type SweepStep = (typeof sweepSteps)[number];

/** A range of departures to compare, Unix seconds, both ends included. */
export interface Sweep {
  from: number;
  to: number;
  step: SweepStep;
}

/** Departure of the plan, or the next full hour if it has none. @param now Weather clock, Unix seconds. */
export function departureOf({ departure }: Plan, now: number): number {
  const planned = departure === undefined ? Number.NaN : parseInstant(departure);
  return Number.isNaN(planned) ? Math.ceil(now / HOUR_S) * HOUR_S : planned;
}

/** Days of departures that are compared unless a latest arrival is wished. */
const DAYS = 5;

/** Most departures of a sweep whose step the person has not chosen. */
const USUAL_DEPARTURES = 60;

/**
 * The departures that are compared unless others are chosen: from the next full hour until the latest wished
 * arrival, or of the next five days.
 */
export function usualSweep({ arrive }: Plan, now: number): Sweep {
  const from = Math.ceil(now / HOUR_S) * HOUR_S;
  const to = arrive?.by === undefined ? from + DAYS * DAY_S : parseInstant(arrive.by);
  const most = USUAL_DEPARTURES * HOUR_S;
  return { from, to, step: sweepSteps.find((step) => to - from <= step * most) ?? sweepSteps.at(-1)! };
}

/** Whether a passage can be evaluated, which requires two different places in its route. */
export function hasRoute({ route }: Plan): boolean {
  const [first] = route;
  return route.some(
    ({ latitude, longitude }) => latitude !== first?.latitude || longitude !== first.longitude,
  );
}

export function oneBody(plan: PlanWithVessel, departure: number, storms: StormsAsked): PassageBody {
  return {
    ...commonBody(plan),
    departure: formatInstant(departure),
    ...arriveBody(plan),
    ...stormsBody(storms),
  };
}

/** A passage in the form of a watch's question, without the conditions. */
export type WatchedPassage = Pick<PassageBody, "vessel"> & {
  route: [WatchedWaypoint, ...WatchedWaypoint[]];
  departure: string;
};

type WatchedWaypoint = Omit<PassageBody["route"][number], "gate">;

/** The passage of a plan with a route, for a watch. */
export function watchedPassage(plan: PlanWithVessel, departure: number): WatchedPassage {
  const { route, vessel } = plan;
  const places = route.map(({ latitude, longitude, leg }) => ({ latitude, longitude, leg }));
  return { route: places as WatchedPassage["route"], vessel, departure: formatInstant(departure) };
}

/** Most places of a sweep that is answered directly; more take seconds, and a task reports its progress. */
const PLACES_AT_ONCE = 8_000;

/** The forecasts that a plan is made with: the best of each variable, each of some models, or the members of an ensemble. */
export interface Planners {
  /** Names of the models; empty for the best of each variable. */
  models?: readonly string[];
  ensemble?: ListedEnsemble | undefined;
}

/** The number of times that the places of a request are read. */
const timesRead = ({ ensemble }: Planners) => (ensemble ? ensemble.members + 1 : 1);

/** Whether a request has more places than are answered at once. */
export function needsTask(body: PassageBody, ensemble: ListedEnsemble): boolean {
  const parsed = passageRequest.safeParse(body);
  return parsed.success && timesRead({ ensemble }) * questionOf(parsed.data).places > PLACES_AT_ONCE;
}

/** The request of a sweep, and whether it is answered directly or by a task. */
export type SweepRequest =
  | { as: "answer" | "task"; body: PassageBody; departures: number }
  | { as: "refused"; why: "range" | "arrival" | "departures" | "places" | "vessel" };

/**
 * Makes the request for many departures.
 *
 * @param now Weather clock, Unix seconds; departures outside the accepted times are left out.
 */
export function sweepRequest(
  plan: PlanWithVessel,
  sweep: Sweep,
  storms: StormsAsked,
  planners: Planners,
  now: number,
): SweepRequest {
  const { first, last } = acceptedTimes(now);
  const { by } = plan.arrive ?? {};
  const latest = by === undefined ? Number.POSITIVE_INFINITY : parseInstant(by);
  if (latest < sweep.from) return { as: "refused", why: "arrival" };
  const [from, to] = [Math.max(first, sweep.from), Math.min(last, latest, sweep.to)];
  if (!(from <= to)) return { as: "refused", why: "range" };
  const departures = Math.floor((to - from) / (sweep.step * HOUR_S)) + 1;
  if (departures > passageLimits.departures) return { as: "refused", why: "departures" };
  const body: PassageBody = {
    ...commonBody(plan),
    departures: { from: formatInstant(from), to: formatInstant(to), step_hours: sweep.step },
    include_pieces: false,
    ...arriveBody(plan),
    ...stormsBody(storms),
    ...plannersBody(planners),
  };
  const parsed = passageRequest.safeParse(body);
  if (!parsed.success) return { as: "refused", why: "vessel" };
  const places = timesRead(planners) * questionOf(parsed.data).places;
  if (places > (planners.ensemble ? passageLimits.members : passageLimits.places.async))
    return { as: "refused", why: "places" };
  return places > PLACES_AT_ONCE
    ? { as: "task", body: { ...body, ...taskBody(plan) }, departures }
    : { as: "answer", body, departures };
}

/** The request of a search for a better route, or the reason why it cannot be searched. */
export type BetterRequest =
  | { as: "task"; body: OptimiseBody }
  | { as: "refused"; why: "loop" | "vessel" }
  | ({ as: "refused" } & SearchRefusal);

/**
 * Makes the request for a better route, as a task. @param departure Unix seconds. @param now Weather clock, Unix
 * seconds.
 */
export function betterRequest(
  plan: PlanWithVessel,
  departure: number,
  objective: Objective,
  storms: StormsAsked,
  planners: Planners,
  now: number,
): BetterRequest {
  const body: OptimiseBody = {
    ...commonBody(plan),
    departure: formatInstant(departure),
    objective,
    include_pieces: false,
    ...taskBody(plan),
    ...stormsBody(storms),
    ...plannersBody(planners),
  };
  const parsed = optimiseRequest.safeParse(body);
  if (!parsed.success) {
    const isRoute = parsed.error.issues.some(({ path }) => path[0] === "route");
    return { as: "refused", why: isRoute ? "loop" : "vessel" };
  }
  const refusal = searchRefusal(parsed.data, now);
  return refusal ? { as: "refused", ...refusal } : { as: "task", body };
}

function commonBody({
  route,
  vessel,
  limits,
}: PlanWithVessel): Pick<PassageBody, "route" | "vessel" | "limits"> {
  return {
    route: route.map(({ latitude, longitude, leg, gate }) => ({
      latitude,
      longitude,
      leg,
      ...(gate && { gate }),
    })),
    vessel,
    ...(limits && { limits }),
  };
}

function arriveBody({ arrive }: Plan): Pick<PassageBody, "arrive"> {
  return arrive ? { arrive } : {};
}

const plannersBody = ({ models = [], ensemble }: Planners): Pick<PassageBody, "models" | "ensemble"> =>
  ensemble ? { ensemble: ensemble.name } : models.length > 0 ? { models: [...models] } : {};

export function taskBody({ name }: Plan): Pick<PassageBody, "async" | "task_name"> {
  return { async: true, ...(name.trim() && { task_name: name.trim() }) };
}

function stormsBody({ provider, method }: StormsAsked): Pick<PassageBody, "storms" | "storm_method"> {
  return { storms: provider, storm_method: method };
}
