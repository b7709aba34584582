import { destination, initialBearing, MILE_KM, type Place, RADIANS } from "#lib/geo/sphere.ts";
import { HOUR_S } from "#lib/time.ts";
import { relativeTo } from "../angle.ts";
import type { Wanted } from "../march.ts";
import { typicalSpeed } from "../vessel.ts";
import type { Weather } from "../weather.ts";
import { arrivalFrom, charge, isAllowed, type Label, rounded, type Search, stepsFrom } from "./steps.ts";

/** Places at their own times, and how far the work is. It is answered with the weather of each, in this order. */
export interface Batch {
  places: readonly Wanted[];
  /** 0 to 1. */
  share: number;
}

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
export function* isochrones(search: Search): Generator<Batch, Place[] | undefined, readonly Weather[]> {
  const { from, to, departure, vessel, sea, stepSeconds } = search;
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
    const weather = yield {
      places: going.map((label) => midway(label, stepSeconds, typical)),
      share: 1 - nearest / sea.miles,
    };
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

/** Points by cell. */
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
