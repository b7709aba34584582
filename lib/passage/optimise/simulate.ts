import type { Place } from "#lib/geo/sphere.ts";
import { type Cut, legsOf, march, type Passage, type Waypoint } from "../march.ts";
import type { Vessel } from "../vessel.ts";
import type { Weather } from "../weather.ts";
import type { Batch } from "./isochrones.ts";

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

/** Waypoints of great circles. */
export function waypointsOf(way: readonly Place[]): Waypoint[] {
  return way.map(({ latitude, longitude }) => ({ latitude, longitude, leg: "great_circle" }));
}
