import {
  destination,
  distanceKm,
  initialBearing,
  MILE_KM,
  type Place,
  RADIANS,
} from "@open-metocean/geo/sphere";
import { measured } from "#lib/passage/limits.ts";
import { type Cut, legsOf, march, type Passage, type Wanted, type Waypoint } from "#lib/passage/march.ts";
import { pieceState } from "#lib/passage/piece-state.ts";
import {
  type Motion,
  motionAlong,
  relativeTo,
  typicalSpeed,
  type Vessel,
  type Weather,
} from "#lib/passage/vessel.ts";
import { HOUR_S } from "#lib/time.ts";
import type { Coast } from "./coast.ts";
import { hundredThousandths } from "./coastline.ts";
import { type Order, severityOf, stormSeverity } from "./order.ts";
import type { SeaDistances } from "./sea-distance.ts";

/**
 * Work that pauses for the weather of places at their own times, and continues with the weather in the same
 * order.
 */
export type Asking<Result> = Generator<readonly Wanted[], Result, readonly Weather[]>;

/**
 * A point that lags behind the nearest point of its isochrone by more than this share of the whole way is
 * dropped.
 */
const LAG = 0.35;

/** The search is abandoned after this multiple of the duration of the shortest way at the typical speed. */
const MAX_STRETCH = 4;

/**
 * Points of one isochrone per cell: the cell's own, and those that reached it earlier, by the side on which
 * they passed.
 */
const VARIANTS = 4;

/**
 * The fastest way by isochrones (H. Hagiwara, Weather Routing of (Sail-Assisted) Motor Vessels, Delft 1989):
 * from each point of an isochrone a fan of courses leads to candidates for the next one, at the vessel's
 * speed in the weather of that place and time.
 *
 * One candidate per sector continues. Hagiwara's sectors are seen from the departure, around the bearing of
 * the destination; behind land they hide places that are reached around it. Here sectors are cells as wide as
 * a step: in each cell the first isochrone to reach it continues, from the point with the least time to go on
 * the shortest way by water. The fan is centred on that way, and the next cape on it is one of the
 * candidates.
 *
 * The generator pauses for the weather of an isochrone, with all points in one batch.
 *
 * @returns Places from start to end, between which no great circle crosses land; undefined if no way was
 * found.
 */
export function* isochrones(search: Search): Asking<Place[] | undefined> {
  const { from, to, departure, vessel, sea, stepSeconds, progress } = search;
  const typical = typicalSpeed(vessel);
  const cellOf = cells(search.cellMiles);
  const next = sea.way[1] ?? to;
  const course = initialBearing(from, next);
  const first: Label = {
    place: from,
    time: departure,
    cost: 0,
    left: sea.miles,
    next,
    course,
    motion: undefined,
    before: undefined,
  };
  const visited = new Set<number>();
  const isochrones: Isochrone[] = [new Map([[cellOf(from), first]])];
  const latest = departure + (MAX_STRETCH * sea.miles * HOUR_S) / typical + 48 * stepSeconds;
  /** The remaining distance counts at the typical speed. */
  const total = ({ cost, left }: Label) => cost + (left / typical) * HOUR_S;
  const rivalOf = (step: number, key: number) => isochrones[step]?.get(key);
  let best: Label | undefined;
  for (let step = 0; step < isochrones.length; step++) {
    if (best && (step - 1) * stepSeconds >= best.cost) break;
    const points = taken(isochrones, step, visited);
    const nearest = points.reduce((miles, { left }) => Math.min(miles, left), Number.POSITIVE_INFINITY);
    const going = points.filter(({ left }) => left <= nearest + LAG * sea.miles);
    if (going.length === 0) continue;
    progress(1 - nearest / sea.miles);
    const weather = yield going.map((label) => midway(label, stepSeconds, typical));
    for (const [index, label] of going.entries()) {
      const known = weather[index]!;
      const end = arrivalFrom(search, label, known);
      if (end && (!best || end.cost < best.cost)) best = end;
      const here = cellOf(label.place);
      for (const child of stepsFrom(search, label, known)) {
        const cell = cellOf(child.place);
        if (cell !== here && visited.has(cell)) continue;
        const key = cell === here ? cell + sideOf(label, child) : cell;
        const isWorse = () => {
          const rival = rivalOf(bucketOf(child, step, stepSeconds), key);
          return (
            child.time > latest ||
            (best && child.cost >= best.cost) ||
            (rival && total(rival) <= total(child))
          );
        };
        if (isWorse() || !isAllowed(search, child) || !charge(search, child, known) || isWorse()) continue;
        const bucket = bucketOf(child, step, stepSeconds);
        isochrones[bucket] ??= new Map();
        isochrones[bucket].set(key, child);
      }
    }
  }
  return best && wayTo(best);
}

type Isochrone = Map<number, Label>;

/**
 * The points of an isochrone, without those in cells that an earlier isochrone has reached; its cells are
 * then marked as reached.
 */
function taken(isochrones: (Isochrone | undefined)[], step: number, visited: Set<number>): Label[] {
  const entries = [...(isochrones[step] ?? [])];
  isochrones[step] = undefined;
  const points = entries
    .filter(([key]) => key % VARIANTS !== 0 || !visited.has(key))
    .map(([, label]) => label);
  for (const [key] of entries) visited.add(key - (key % VARIANTS));
  return points;
}

function bucketOf({ cost }: Label, step: number, stepSeconds: number): number {
  return Math.max(step + 1, Math.floor(cost / stepSeconds + 1e-6));
}

/** Where and when a step from a point is half done if motion continues unchanged. */
function midway({ place, time, course, motion }: Label, stepSeconds: number, typical: number): Wanted {
  const miles = ((motion?.sog ?? typical) * stepSeconds) / HOUR_S / 2;
  const { latitude, longitude } = rounded(destination(place, course, miles * MILE_KM));
  return { latitude, longitude, time: Math.round(time + stepSeconds / 2), whole: true };
}

/** Numbers the cells, in multiples of `VARIANTS`. */
function cells(miles: number): (place: Place) => number {
  const size = miles / 60;
  return ({ latitude, longitude }) => {
    const row = Math.floor((latitude + 90) / size);
    const width = size / Math.max(0.01, Math.cos(Math.min(89, Math.abs((row + 0.5) * size - 90)) * RADIANS));
    return VARIANTS * (row * 1_000_000 + Math.floor((longitude + 180) / width));
  };
}

/** Side on which a point passes the shortest way, 1 to 3: left of it, along it or right of it. */
function sideOf({ place, next }: Label, { course }: Label): number {
  const off = relativeTo(initialBearing(place, next), course);
  return off < -20 ? 1 : off > 20 ? 3 : 2;
}

function wayTo(end: Label): Place[] {
  const way: Place[] = [];
  for (let label: Label | undefined = end; label; label = label.before) way.unshift(label.place);
  return way;
}

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
  /** Size of the cells in which one point continues, n mi. */
  cellMiles: number;
  order: Order;
  /** Largest share of the limits that is used, because the weather may become worse between two readings. */
  share: number;
  /** Factor on the weighted time beyond the limits. 0 ignores limits; infinity forbids exceeding them. */
  penalty: number;
  /** Called with the share of the way that is done. */
  progress: (share: number) => void;
}

interface Label {
  place: Place;
  /** Unix seconds. */
  time: number;
  /** Time since the departure, with the penalty, s. */
  cost: number;
  /** Remaining distance by water, n mi. */
  left: number;
  /** Next place on the shortest way. */
  next: Place;
  /** Course and motion by which the point was reached. */
  course: number;
  motion: Motion | undefined;
  before: Label | undefined;
}

/** Courses of the fan, degrees off the shortest way, on both sides. */
const FAN = [0, 5, 10, 16, 23, 31, 40, 50, 61, 73, 86, 100, 115, 130].flatMap((off) =>
  off === 0 ? [0] : [off, -off],
);

/** Ways longer than the shortest one by more than this factor are not searched. */
export const DETOUR = 1.45;

/** The last step may be longer than an ordinary one by this factor. */
const LAST_STEP = 1.5;

/** The points that a step reaches on each course of the fan, before land, storms and limits are checked. */
function* stepsFrom(search: Search, label: Label, weather: Weather): Generator<Label> {
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
    // On the way from cape to cape the course changes at the cape.
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

/** The last step, if the end is near enough. */
function arrivalFrom(search: Search, label: Label, weather: Weather): Label | undefined {
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

function isAllowed({ coast }: Search, { before, place }: Label): boolean {
  return coast.isClear(before!.place, place);
}

/** Adds the penalty of a step beyond the limits. @returns Whether the step is allowed at all. */
function charge({ order, share, penalty }: Search, label: Label, weather: Weather): boolean {
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

/** Simulates passages on several routes in step, so that their weather is read together. */
export function* simulate(
  routes: readonly (readonly Waypoint[])[],
  vessel: Vessel,
  departure: number,
  cut?: Cut,
): Asking<Passage[]> {
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

/** Turns places into waypoints of great circles. */
export function waypointsOf(way: readonly Place[]): Waypoint[] {
  return way.map(({ latitude, longitude }) => ({ latitude, longitude, leg: "great_circle" }));
}
