import type { Plan, PlanWaypoint } from "#lib/contract/plan.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import type { Place } from "#lib/geo/sphere.ts";

/** The most waypoints of a plan, as the API takes them. */
export const MAX_WAYPOINTS = 500;

type Route = Plan["route"];

/** A place to five decimals of a degree, as in a link: 1.1 m. */
export function roundedPlace({ latitude, longitude }: Place): Place {
  const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
  const east = round(longitude);
  return {
    latitude: round(latitude),
    longitude: Math.abs(east) <= 180 ? east : round(normaliseLongitude(east)),
  };
}

/** A route with one more waypoint. @param at Its position; at the end where it is left out. A leg that is divided keeps its kind. */
export function inserted(route: Route, place: Place, at = route.length, name?: string): Route {
  if (route.length >= MAX_WAYPOINTS) return route;
  const leg = (route[at] ?? route.at(-1))?.leg ?? "great_circle";
  const waypoint: PlanWaypoint = { ...roundedPlace(place), leg, ...(name && { name }) };
  return [...route.slice(0, at), waypoint, ...route.slice(at)];
}

export function changed(route: Route, at: number, part: Partial<PlanWaypoint>): Route {
  return route.map((waypoint, index) => (index === at ? { ...waypoint, ...part } : waypoint));
}

/** A route with a waypoint elsewhere; its name stays, as that of a place that was put more exactly. */
export function moved(route: Route, at: number, place: Place): Route {
  return changed(route, at, roundedPlace(place));
}

export function removed(route: Route, at: number): Route {
  return route.filter((_, index) => index !== at);
}

/** A route with a waypoint in another position of the order. */
export function reordered(route: Route, from: number, to: number): Route {
  const waypoint = route[from];
  if (!waypoint || to < 0 || to >= route.length) return route;
  const others = removed(route, from);
  return [...others.slice(0, to), waypoint, ...others.slice(to)];
}

/** The same route the other way: each leg keeps its kind. */
export function reversed(route: Route): Route {
  const legs = route.map(({ leg }) => leg);
  return route.toReversed().map((waypoint, index) => ({
    ...waypoint,
    leg: legs[index === 0 ? 0 : route.length - index] ?? waypoint.leg,
  }));
}
