import { destination, distanceKm, initialBearing, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import { HOUR_S } from "#lib/time.ts";
import { measured } from "../limits.ts";
import { pieceState } from "../piece-state.ts";
import { type Motion, motionAlong, type Vessel } from "../vessel.ts";
import type { Weather } from "../weather.ts";
import type { Coast } from "./coast.ts";
import { type Order, severityOf, stormSeverity } from "./order.ts";
import { hundredThousandths } from "./raster.ts";
import type { SeaDistances } from "./sea-distance.ts";

export interface Search {
  from: Place;
  to: Place;
  /** Unix seconds. */
  departure: number;
  vessel: Vessel;
  coast: Coast;
  sea: SeaDistances;
  /** Time between two isochrones, s. */
  stepSeconds: number;
  /** Of the cells of which one point goes on, n mi. */
  cellMiles: number;
  order: Order;
  /** Share of the limits that is used up at most: between two readings of the weather it may become worse. */
  share: number;
  /** Weighted time beyond the limits counts so many times; 0: only time counts; infinite: no way leads there. */
  penalty: number;
}

/** A point of an isochrone. */
export interface Label {
  place: Place;
  /** Unix seconds. */
  time: number;
  /** Time since the departure, with the penalty, s. */
  cost: number;
  /** N mi to go by water. */
  left: number;
  /** Next place on the shortest way. */
  next: Place;
  /** How it was reached. */
  course: number;
  motion: Motion | undefined;
  before: Label | undefined;
}

/** Courses of the fan, degrees off the shortest way, to both sides. */
const FAN = [0, 5, 10, 16, 23, 31, 40, 50, 61, 73, 86, 100, 115, 130].flatMap((off) =>
  off === 0 ? [0] : [off, -off],
);

/** Ways longer than the shortest one by this factor are not looked at. */
export const DETOUR = 1.45;

/** The way to the end may be longer than a step by this factor. */
const LAST_STEP = 1.5;

/** Where a point gets in a step on each course of the fan, without looking at land, storms and limits. */
export function* stepsFrom(search: Search, label: Label, weather: Weather): Generator<Label> {
  const { from, to, vessel, sea, stepSeconds } = search;
  const { place, time, cost, next } = label;
  const ahead = initialBearing(place, next);
  const toNext = distanceKm(place, next) / MILE_KM;
  const isLast = next.latitude === to.latitude && next.longitude === to.longitude;
  for (const off of FAN) {
    const course = ahead + off;
    const motion = motionAlong(vessel, course, weather);
    if (motion.sog <= 0) continue;
    const reach = (motion.sog * stepSeconds) / HOUR_S;
    // The way from cape to cape turns at the cape.
    const turns = off === 0 && toNext < reach;
    if (turns && isLast) continue;
    const miles = turns ? toNext : reach;
    const end = turns ? next : rounded(destination(place, course, miles * MILE_KM));
    const onward = sea.from(end);
    if (!onward || distanceKm(from, end) / MILE_KM + onward.miles > DETOUR * sea.miles) continue;
    const seconds = (miles / motion.sog) * HOUR_S;
    yield {
      place: end,
      time: time + seconds,
      cost: cost + seconds,
      left: onward.miles,
      next: onward.next,
      course,
      motion,
      before: label,
    };
  }
}

/** The last step to the end, where it is near. */
export function arrivalFrom(search: Search, label: Label, weather: Weather): Label | undefined {
  const { to, vessel, stepSeconds } = search;
  const course = initialBearing(label.place, to);
  const miles = distanceKm(label.place, to) / MILE_KM;
  const motion = motionAlong(vessel, course, weather);
  const seconds = (miles / motion.sog) * HOUR_S;
  if (!(seconds <= LAST_STEP * stepSeconds)) return undefined;
  const end: Label = {
    place: to,
    time: label.time + seconds,
    cost: label.cost + seconds,
    left: 0,
    next: to,
    course,
    motion,
    before: label,
  };
  return isAllowed(search, end) && charge(search, end, weather) ? end : undefined;
}

/** Whether a step is clear of land. */
export function isAllowed({ coast }: Search, { before, place }: Label): boolean {
  return coast.isClear(before!.place, place);
}

/** Adds the penalty for a step beyond the limits. @returns Whether it may be taken at all. */
export function charge({ order, share, penalty }: Search, label: Label, weather: Weather): boolean {
  if (penalty === 0) return true;
  const { limits, objective, stormsAt } = order;
  const { course, motion, before, place, time } = label;
  let severity = stormSeverity(stormsAt({ ...place, time }), limits, share);
  if (objective === "within_limits")
    for (const { ratio } of measured(weather, pieceState({ course, motion: motion!, weather }), limits))
      severity = Math.max(severity, severityOf(ratio, share));
  if (severity > 0) label.cost += penalty * severity * (time - before!.time);
  return Number.isFinite(label.cost);
}

export function rounded({ latitude, longitude }: Place): Place {
  return { latitude: hundredThousandths(latitude), longitude: hundredThousandths(longitude) };
}
