import { distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import type { Leg } from "#lib/passage/route.ts";
import type { CoastNear } from "./coastline.ts";
import { hasWayOff } from "./way-round.ts";

/**
 * Distance that a passage keeps from the coast where there is room, n mi. The coastline says nothing
 * of what dries or lies under water beside it.
 */
export const OFFING_MILES = 1;

/**
 * In a narrow no point across the water is this far off the coast, n mi: a mile plus room to steer. If just a
 * mile were left, a vessel would have to follow a line without width.
 */
const NARROW_MILES = 1.1;

/**
 * Before and after a narrow a vessel decides whether to pass through it or around the land beside it: the distance from it, and
 * by how much a way around it may be longer, n mi.
 */
const [DECISION_MILES, DETOUR_MILES] = [1.2, 5];

/** Within this distance of both ends of a route nearness to the coast is not reported, n mi. */
export const APPROACH_MILES = 5;

/**
 * Within this distance of both ends land is not counted, n mi, because many harbours lie inside the
 * coastline.
 */
export const UNCOUNTED_MILES = 2;

/**
 * Length of the parts in which a way near the coast is followed, n mi; distances are right to half of that.
 */
const FINEST_MILES = 0.05;

/** Approximate length of the parts in which a leg is followed, n mi. */
const LEG_PART_MILES = 10;

/** Distance up to which a coast is searched, n mi. */
const SIGHT_MILES = 3;

/** Least step, and greatest distance, in which the way across a narrow is followed, n mi. */
const [CROSSING_STEP, CROSSING_MILES] = [0.02, 10];

/** The queries on a coast of which only the line counts: see `Coast`. */
interface CoastByLine {
  isLand(place: Place): boolean;
  isClear(from: Place, to: Place): boolean;
  nearestCoastTo(place: Place): CoastNear | undefined;
  openMiles(place: Place): number;
}

/**
 * Whether a place is within a mile of the coast although there is room to keep off. @param near The nearest
 * coast to it.
 */
function isTooNear(place: Place, near: CoastNear | undefined, line: CoastByLine): boolean {
  return near !== undefined && near.miles < OFFING_MILES && !isNarrow(place, near, line);
}

/**
 * Whether the water at a place is too narrow to keep a mile off: on the line from the nearest coast through
 * the place to the opposite coast, no point is 1.1 n mi off the coast.
 *
 * @param near The nearest coast to the place, within a mile.
 * @param line Coast of which only the line counts.
 */
function isNarrow(place: Place, near: CoastNear, line: CoastByLine): boolean {
  if (near.miles === 0) return false;
  const [north, east] = [-near.north / near.miles, -near.east / near.miles];
  let [at, miles] = [place, near.miles];
  for (let gone = 0; gone < CROSSING_MILES; ) {
    // No nearer point can be that far off the coast.
    const step = Math.max(CROSSING_STEP, NARROW_MILES - miles);
    const next = offset(at, north * step, east * step);
    if (!line.isClear(at, next)) return true;
    miles = line.nearestCoastTo(next)?.miles ?? SIGHT_MILES;
    if (miles >= NARROW_MILES) return false;
    [at, gone] = [next, gone + step];
  }
  return true;
}

/** A place at an offset to the north and east of another one, for offsets of some miles. */
export function offset({ latitude, longitude }: Place, north: number, east: number): Place {
  const shrink = Math.cos((latitude * Math.PI) / 180);
  const turned = longitude + east / 60 / shrink;
  return {
    latitude: Math.max(-90, Math.min(90, latitude + north / 60)),
    longitude: turned - 360 * Math.round(turned / 360),
  };
}

/** A part of a way: its ends, as shares of the whole, and its middle. */
interface Part {
  begin: number;
  end: number;
  middle: Place;
  /** The nearest coast to its middle; undefined if none lies within three miles. */
  near: CoastNear | undefined;
}

/**
 * Cuts a way into parts by the distance of the coast, and visits them in order. If the middle of a part is
 * farther off the coast than `within` by more than half its length, so is the whole part; otherwise the part
 * is halved, down to the finest parts.
 *
 * @param miles Length of the whole way.
 * @param within Returns a distance, n mi, which may decrease during the visit.
 * @param visit Returns whether to continue.
 */
function followCoast(
  at: (share: number) => Place,
  miles: number,
  line: CoastByLine,
  within: () => number,
  visit: (part: Part) => boolean,
  [begin, end]: readonly [number, number] = [0, 1],
): boolean {
  const middle = at((begin + end) / 2);
  const half = (miles * (end - begin)) / 2;
  const near = line.nearestCoastTo(middle);
  if ((near?.miles ?? SIGHT_MILES) - half >= within() || 2 * half <= FINEST_MILES)
    return visit({ begin, end, middle, near });
  const between = (begin + end) / 2;
  return (
    followCoast(at, miles, line, within, visit, [begin, between]) &&
    followCoast(at, miles, line, within, visit, [between, end])
  );
}

/** Places where a way may come near to the coast: around its ends, and at straits. */
export interface Exempt {
  ends: readonly Place[];
  isStrait(place: Place): boolean;
}

/**
 * Whether a short way keeps a mile off the coast wherever there is room.
 *
 * @param from, to Ends of the way, at most ten miles apart.
 */
export function keepsOffing(from: Place, to: Place, { ends, isStrait }: Exempt, line: CoastByLine): boolean {
  const east = to.longitude - from.longitude;
  const turned = east - 360 * Math.round(east / 360);
  const at = (share: number): Place => ({
    latitude: from.latitude + share * (to.latitude - from.latitude),
    longitude: from.longitude + share * turned,
  });
  return followCoast(
    at,
    distanceKm(from, to) / MILE_KM,
    line,
    () => OFFING_MILES,
    ({ middle, near }) =>
      !isTooNear(middle, near, line) ||
      fromEnds(middle, ends) < APPROACH_MILES ||
      (isStrait(middle) && isAtNarrow(middle, line)),
  );
}

/** Whether there is a narrow within a mile of a place, on one of eight bearings. */
function isAtNarrow(place: Place, line: CoastByLine): boolean {
  for (let bearing = 0; bearing < 360; bearing += 45)
    for (const miles of [OFFING_MILES / 2, 0.9 * OFFING_MILES]) {
      const turn = (bearing * Math.PI) / 180;
      const beside = offset(place, miles * Math.cos(turn), miles * Math.sin(turn));
      const near = line.nearestCoastTo(beside);
      if (near && near.miles < OFFING_MILES && isNarrow(beside, near, line) && line.isClear(place, beside))
        return true;
    }
  return false;
}

function fromEnds(place: Place, ends: readonly Place[]): number {
  return Math.min(...ends.map((end) => distanceKm(place, end))) / MILE_KM;
}

/** The place where a leg is nearest to the coast. */
export interface NearCoast {
  /** Position of the leg in the route, from 0. */
  leg: number;
  at: Place;
  /** Distance, n mi; 0 on land. */
  miles: number;
  /** Distance from the start of the leg, n mi. */
  gone: number;
}

/** A part of a leg that is on land or too near to the coast, with its nearest place. */
export interface CloseStretch extends NearCoast {
  /** Distance from the start of the leg, n mi. */
  begin: number;
  end: number;
}

export interface RouteCoast {
  /**
   * The place nearest to the coast, at more than 5 n mi from the ends; undefined if the route stays at least
   * 3 n mi off.
   */
  nearest: NearCoast | undefined;
  /**
   * Stretches that are within a mile of the coast although there is room, at more than 5 n mi from the ends,
   * and stretches on land, at more than 2 n mi from the ends.
   */
  close: CloseStretch[];
}

/** How near a route comes to the coast. @param line Coast of which only the line counts. */
export function coastOnRoute(legs: readonly Leg[], line: CoastByLine): RouteCoast {
  const search = searchCoast(legs, line);
  let step = search.next();
  while (!step.done) step = search.next();
  return step.value;
}

/** A part of a route with its distance from the start of the route, n mi. */
interface Followed extends CloseStretch {
  along: number;
}

/**
 * The same as `coastOnRoute`, pausing after every few milliseconds of work, because a route may follow a fjord for
 * hundreds of miles.
 */
export function* searchCoast(legs: readonly Leg[], line: CoastByLine): Generator<void, RouteCoast, void> {
  const [first, last] = [legs[0]?.at(0), legs.at(-1)?.at(1)];
  const near: Followed[] = [];
  const narrows: Followed[][] = [];
  let nearest: NearCoast | undefined;
  if (!first || !last) return { nearest, close: [] };
  const ends = [first, last];
  let passed = 0;
  let isInNarrow = false;
  const within = () => Math.max(OFFING_MILES, nearest?.miles ?? SIGHT_MILES);
  for (const [leg, { miles: whole, at }] of legs.entries()) {
    const see = ({ begin, end, middle, near: coast }: Part): boolean => {
      const away = fromEnds(middle, ends);
      const gone = ((begin + end) / 2) * whole;
      const miles = coast?.miles ?? Number.POSITIVE_INFINITY;
      const one = {
        leg,
        at: middle,
        miles,
        gone,
        begin: begin * whole,
        end: end * whole,
        along: passed + gone,
      };
      const isLand = away >= UNCOUNTED_MILES && line.isLand(middle);
      const isClose = !isLand && away >= APPROACH_MILES && miles < OFFING_MILES;
      const isTight = isClose && !isTooNear(middle, coast, line);
      if (isTight && !isInNarrow) narrows.push([]);
      if (isTight) narrows.at(-1)!.push(one);
      else if (isLand || isClose) near.push(isLand ? { ...one, miles: 0 } : one);
      isInNarrow = isTight;
      if (away >= APPROACH_MILES && miles < (nearest?.miles ?? SIGHT_MILES))
        nearest = { leg, at: middle, miles, gone };
      return true;
    };
    const count = Math.max(1, Math.ceil(whole / LEG_PART_MILES));
    for (let index = 0; whole > 0 && index < count; index++) {
      const part = [index / count, (index + 1) / count] as const;
      if (line.openMiles(at((part[0] + part[1]) / 2)) > LEG_PART_MILES) isInNarrow = false;
      else followCoast(at, whole, line, within, see, part);
      yield;
    }
    passed += whole;
  }
  const through: Followed[][] = [];
  const others: Followed[] = [];
  for (const narrow of narrows) {
    if (isPassed(narrow, near) && !hasWayRound(narrow, legs, line)) through.push(narrow);
    else others.push(...narrow);
    yield;
  }
  return { nearest, close: stretchesOf(near, through, others) };
}

/** Whether a route passes through a narrow, and neither turns back in it nor enters it over land. */
function isPassed(narrow: readonly Followed[], near: readonly Followed[]): boolean {
  const way = narrow.reduce((sum, { begin, end }) => sum + end - begin, 0);
  const [entry, exit] = [narrow[0]!, narrow.at(-1)!];
  const isAshore = near.some(
    ({ miles, along }) =>
      miles === 0 && along > entry.along - OFFING_MILES && along < exit.along + OFFING_MILES,
  );
  return !isAshore && distanceKm(entry.at, exit.at) / MILE_KM >= way / 2 - FINEST_MILES;
}

/** Whether a way that keeps off leads around a narrow: a rock beside a coast, or the headlands of a cove, make a narrow too. */
function hasWayRound(narrow: readonly Followed[], legs: readonly Leg[], line: CoastByLine): boolean {
  const [begin, end] = [narrow[0]!.along - DECISION_MILES, narrow.at(-1)!.along + DECISION_MILES];
  const [from, to] = [placeAlong(legs, begin), placeAlong(legs, end)];
  return hasWayOff(from, to, { offing: NARROW_MILES, longest: end - begin + DETOUR_MILES }, line);
}

/** The place at a distance from the start of a route, n mi. */
function placeAlong(legs: readonly Leg[], miles: number): Place {
  let rest = miles;
  for (const leg of legs) {
    if (rest <= leg.miles) return leg.at(leg.miles > 0 ? Math.max(0, rest / leg.miles) : 0);
    rest -= leg.miles;
  }
  return legs.at(-1)!.at(1);
}

/**
 * Joins adjacent parts that are too near to the coast. A narrow that the route passes through is left out, together with the way
 * before and after it in which the coast of its mouth is near: as long as the narrow, at most a mile.
 *
 * @param through Narrows that are left out. @param others Parts of those that are not.
 */
function stretchesOf(
  near: readonly Followed[],
  through: readonly (readonly Followed[])[],
  others: readonly Followed[],
): CloseStretch[] {
  const leftOut = through.map((narrow) => {
    const [entry, exit] = [narrow[0]!.along, narrow.at(-1)!.along];
    const mouth = Math.min(OFFING_MILES, exit - entry);
    return [entry - mouth, exit + mouth] as const;
  });
  const isExempt = ({ miles, along }: Followed) =>
    miles > 0 && leftOut.some(([from, to]) => along >= from && along <= to);
  const all = [...near.filter((one) => !isExempt(one)), ...others];
  const close: CloseStretch[] = [];
  for (const { along: _, ...one } of all.toSorted((a, b) => a.along - b.along)) {
    const before = close.at(-1);
    const isOn = before?.leg === one.leg && one.begin - before.end < 1e-6;
    // A stretch on land is kept separate.
    if (!isOn || (before.miles === 0) !== (one.miles === 0)) {
      close.push(one);
      continue;
    }
    before.end = one.end;
    if (one.miles < before.miles) Object.assign(before, { at: one.at, miles: one.miles, gone: one.gone });
  }
  return close;
}
