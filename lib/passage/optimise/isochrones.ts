import { destination, distanceKm, initialBearing, MILE_KM, type Place, RADIANS } from "#lib/geo/sphere.ts";
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

/** Work that pauses for places at their own times, and goes on with the weather of each, in this order. */
export type Asking<Result> = Generator<readonly Wanted[], Result, readonly Weather[]>;

/** Points that lag behind the nearest one of their isochrone by this share of the whole way end there. */
const LAG = 0.35;

/** Time after which the search gives up, in times of the shortest way at the typical speed. */
const MAX_STRETCH = 4;

/** Points of one isochrone in the same cell: a cell's own, and those that were in it before, by the side that they took. */
const VARIANTS = 4;

/**
 * The fastest way by isochrones (H. Hagiwara, Weather Routing of (Sail-Assisted) Motor Vessels, Delft 1989): from each point of
 * an isochrone a fan of courses leads to candidates for the next one, by the vessel's speed in the weather of that place and
 * time.
 *
 * Of the candidates in a sector one goes on. Hagiwara's sectors are seen from the departure, about the bearing of the
 * destination; behind land they hide what is reached around it. Here they are cells as wide as a step: in each, the first
 * isochrone goes on, with the point that has least time to go on the shortest way by water. The fan opens about that way,
 * whose next cape is one of the candidates.
 *
 * The function pauses for the weather of an isochrone, all points in one batch.
 *
 * @returns Places from start to end, of which no leg (a great circle) crosses land; undefined where no way was found.
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
  /** What is to go counts at the typical speed. */
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

/** The points of an isochrone but those of cells that an earlier one has reached, which they have now all. */
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

/** Where and when a step from a point is half done, if it goes on as it came. */
function midway({ place, time, course, motion }: Label, stepSeconds: number, typical: number): Wanted {
  const miles = ((motion?.sog ?? typical) * stepSeconds) / HOUR_S / 2;
  const { latitude, longitude } = rounded(destination(place, course, miles * MILE_KM));
  return { latitude, longitude, time: Math.round(time + stepSeconds / 2), whole: true };
}

/** Numbers of cells, in steps of `VARIANTS`. */
function cells(miles: number): (place: Place) => number {
  const size = miles / 60;
  return ({ latitude, longitude }) => {
    const row = Math.floor((latitude + 90) / size);
    const width = size / Math.max(0.01, Math.cos(Math.min(89, Math.abs((row + 0.5) * size - 90)) * RADIANS));
    return VARIANTS * (row * 1_000_000 + Math.floor((longitude + 180) / width));
  };
}

/** Left, along or right of the shortest way: 1 to 3. */
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
  /** Of the cells of which one point goes on, n mi. */
  cellMiles: number;
  order: Order;
  /** Share of the limits that is used up at most: between two readings of the weather it may become worse. */
  share: number;
  /** Weighted time beyond the limits counts so many times; 0: only time counts; infinite: no way leads there. */
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

/** Adds the penalty for a step beyond the limits. @returns Whether it may be taken at all. */
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

/** Passages of several routes side by side, so that the weather of all is read together. */
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

/** Waypoints of great circles. */
export function waypointsOf(way: readonly Place[]): Waypoint[] {
  return way.map(({ latitude, longitude }) => ({ latitude, longitude, leg: "great_circle" }));
}
