import type { Place } from "#lib/geo/sphere.ts";
import type { Limits } from "../limits.ts";
import { type Cut, legsOf, march, type Passage, type Waypoint } from "../march.ts";
import { judgePieces } from "../verdict.ts";
import type { Vessel } from "../vessel.ts";
import type { Weather } from "../weather.ts";
import type { Batch } from "./isochrones.ts";
import type { Objective } from "./objectives.ts";
import type { Search } from "./steps.ts";

/** What a route is chosen by. */
export interface Score {
  arrives: boolean;
  /** Time nearer to storms than is allowed, and beyond other limits, s. */
  stormy: number;
  over: number;
  /** Of the whole passage, s. */
  seconds: number;
}

/** Passages of several routes side by side, so that the weather of all is read together. */
export function* simulate(
  routes: readonly (readonly Waypoint[])[],
  vessel: Vessel,
  departure: number,
  cut?: Cut,
): Generator<Batch["places"], Passage[], readonly Weather[]> {
  const passages: Passage[] = [];
  let going = routes.map((route, index) => {
    const way = march(legsOf(route), vessel, departure, cut);
    return { index, way, step: way.next() };
  });
  while (true) {
    going = going.filter(({ index, step }) => {
      if (step.done) passages[index] = step.value;
      return !step.done;
    });
    if (going.length === 0) return passages;
    const places = going.flatMap(({ step }) => (step.done ? [] : [step.value]));
    const weather = yield places;
    for (const [at, one] of going.entries()) one.step = one.way.next(weather[at]!);
  }
}

export function scoreOf(
  { pieces, ending, end }: Passage,
  departure: number,
  limits: Limits,
  isStormy: Search["isStormy"],
): Score {
  const judged = judgePieces(pieces, limits);
  const during = (test: (one: (typeof judged)[number]) => boolean) =>
    judged.reduce((sum, one) => (test(one) ? sum + one.piece.seconds : sum), 0);
  return {
    arrives: ending === "arrived",
    stormy: during(({ piece }) => isStormy(piece.at, piece.at.time)),
    over: during(({ measured }) => (measured[0]?.ratio ?? 0) > 1),
    seconds: end.time - departure,
  };
}

/** Below 0 where the first score is better. Storms are avoided in any case. */
export function compareScores(one: Score, other: Score, objective: Objective): number {
  if (one.arrives !== other.arrives) return one.arrives ? -1 : 1;
  const minutes = (seconds: number) => Math.round(seconds / 60);
  const storms = minutes(one.stormy) - minutes(other.stormy);
  const over = objective === "within_limits" ? minutes(one.over) - minutes(other.over) : 0;
  return storms || over || one.seconds - other.seconds;
}

/** Waypoints of great circles. */
export function waypointsOf(way: readonly Place[]): Waypoint[] {
  return way.map(({ latitude, longitude }) => ({ latitude, longitude, leg: "great_circle" }));
}
