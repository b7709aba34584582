import { fromKnots } from "@open-metocean/geo/knots";
import type { Place } from "@open-metocean/geo/sphere";
import { type Limits, limitNames } from "#lib/passage/limits.ts";
import type { Passage, Passing } from "#lib/passage/march.ts";
import { betterRoute, type Found, type RouteQuestion } from "#lib/passage/optimise/better-route.ts";
import { Coast } from "#lib/passage/optimise/coast.ts";
import { COLUMNS, Coastline, ROWS, setBit } from "#lib/passage/optimise/coastline.ts";
import { DETOUR, simulate, waypointsOf } from "#lib/passage/optimise/isochrones.ts";
import type { Order } from "#lib/passage/optimise/order.ts";
import { seaDistances } from "#lib/passage/optimise/sea-distance.ts";
import type { Vessel, Weather } from "#lib/passage/vessel.ts";
import { LandTile } from "#lib/places/land-tile.ts";
import { seeded } from "./seeded.ts";

/** Unix seconds. */
export const DEPARTURE = 1_789_473_600;

/** A world of water with boxes of land. */
export function coastWith(...boxes: { south: number; north: number; west: number; east: number }[]): Coast {
  const closed = new Uint8Array((ROWS * COLUMNS) / 8);
  for (const { south, north, west, east } of boxes)
    for (let row = Math.round((south + 90) * 20); row < Math.round((north + 90) * 20); row++)
      for (let column = Math.round((west + 180) * 20); column < Math.round((east + 180) * 20); column++)
        setBit(closed, row * COLUMNS + column);
  const coastline = new Coastline(() => LandTile.read(undefined));
  return new Coast({ closed, coastal: new Uint8Array(closed.length), coastline });
}

export const noLimits = Object.fromEntries(limitNames.map((name) => [name, null])) as Limits;

const water = coastWith();

type Asked = Pick<RouteQuestion, "vessel"> &
  Partial<Omit<RouteQuestion, "order" | "own" | "sea"> & Order & { own: readonly Place[] }>;

/** A better route between two places in a given weather. @throws Error where no way by water exists. */
export function found(
  from: Place,
  to: Place,
  asked: Asked,
  weatherAt: (at: Passing) => Weather,
  progress: (share: number) => void = () => {},
): Found {
  const coast = asked.coast ?? water;
  const sea = seaDistances(coast, from, to, DETOUR);
  if (!sea) throw new Error("There is no way by water");
  const { vessel, departure = DEPARTURE, own = [from, to] } = asked;
  const order: Order = { limits: noLimits, objective: "fastest", stormsAt: () => [], ...asked };
  const search = betterRoute({ departure, vessel, order, coast, sea, own: waypointsOf(own), progress });
  let step = search.next();
  while (!step.done) step = search.next(step.value.map(weatherAt));
  return step.value;
}

/** Weather of travelling waves of some hundred miles, which differ by seed. */
export function randomWeather(seed: number): (at: Passing) => Weather {
  const random = seeded(seed);
  const wave = (least: number, most: number) => {
    const [north, east] = [random() * 2.4 - 1.2, random() * 2.4 - 1.2];
    const [turn, phase] = [(random() - 0.5) / 4, random() * 6];
    const middle = (least + most) / 2;
    return ({ latitude, longitude, time }: Passing) =>
      middle +
      ((most - least) / 2) *
        Math.sin(latitude * north + longitude * east + (turn * (time - DEPARTURE)) / 3600 + phase);
  };
  const [u, v] = [wave(-9, 11), wave(-10, 10)];
  const [set, drift, height, from] = [wave(0, 360), wave(0, 1.5), wave(0, 5), wave(0, 360)];
  return (at) => {
    const [east, north] = [u(at), v(at)];
    return {
      Winds_10m_Intensity: Math.hypot(east, north),
      Winds_10m_Direction: ((Math.atan2(-east, -north) * 180) / Math.PI + 360) % 360,
      Currents_Intensity: fromKnots(drift(at)),
      Currents_Direction: set(at),
      Waves_Significant_Height: height(at),
      Waves_Mean_Period: 8,
      Waves_Mean_Direction: from(at),
    };
  };
}

/** The simulated passage along a way. */
export function simulated(
  way: readonly Place[],
  vessel: Vessel,
  weatherAt: (at: Passing) => Weather,
): Passage {
  const marching = simulate([waypointsOf(way)], vessel, DEPARTURE);
  let step = marching.next();
  while (!step.done) step = marching.next(step.value.map(weatherAt));
  return step.value[0]!;
}
