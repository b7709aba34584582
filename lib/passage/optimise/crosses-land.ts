import { distanceKm, MILE_KM, type Place } from "#lib/geo/sphere.ts";
import { legsOf, type Waypoint } from "../march.ts";
import type { Leg } from "../route.ts";
import type { Coast } from "./coast.ts";

/** A leg is followed in great circles of about this length, n mi, and in samples where one meets the coast. */
const [PART_MILES, SAMPLE_MILES] = [10, 0.25];

/** A longer route has longer samples: a request may have hundreds of thousands of miles. */
const MAX_SAMPLES = 40_000;

/** Within this distance of both ends land is not counted, n mi: harbours lie inside a coast of 1:10 million. */
const HARBOUR_MILES = 2;

/** Within this distance of both ends the coast is always near, n mi. */
const APPROACH_MILES = 5;

/** Land on a leg of a route. */
export interface LandOnLeg {
  /** Position of the leg in the route, from 0. */
  leg: number;
  /** Where the leg first meets land, and how far from its start, n mi. */
  at: Place;
  gone: number;
  /** Length of the leg over land, n mi; 0 where it only touches a spit or an islet. */
  miles: number;
}

/** Where a route is nearest to the coast. */
export interface NearCoast {
  leg: number;
  at: Place;
  /** Distance, n mi. */
  miles: number;
}

/** Whether a route crosses land. @see landOnRoute */
export function crossesLand(route: readonly Waypoint[], coast: Coast): boolean {
  return landOnRoute(legsOf(route), coast).length > 0;
}

/** Legs that cross land, but within 2 n mi of the ends of the route. @param coast Of which the line counts alone. */
export function landOnRoute(legs: readonly Leg[], coast: Coast): LandOnLeg[] {
  const found: LandOnLeg[] = [];
  const sampleMiles = sampleMilesOf(legs);
  for (const part of partsOf(legs, PART_MILES)) {
    if (coast.isClear(part.from, part.to)) continue;
    for (const sample of partsOf(legs, sampleMiles, part)) {
      if (sample.fromEnds < HARBOUR_MILES) continue;
      const isLand = coast.isLand(sample.middle);
      if (!isLand && coast.isClear(sample.from, sample.to)) continue;
      let last = found.at(-1);
      if (last?.leg !== sample.leg) {
        last = { leg: sample.leg, at: sample.middle, gone: sample.gone, miles: 0 };
        found.push(last);
      }
      if (isLand) last.miles += sample.miles;
    }
  }
  return found;
}

/**
 * Where a route passes nearest to the coast, more than 5 n mi from its ends; undefined where it keeps off by 3 n mi.
 *
 * @param coast Of which the line counts alone.
 */
export function nearestCoast(legs: readonly Leg[], coast: Coast): NearCoast | undefined {
  let nearest: NearCoast | undefined;
  const sampleMiles = sampleMilesOf(legs);
  for (const part of partsOf(legs, PART_MILES)) {
    if (coast.openMiles(part.middle) > PART_MILES) continue;
    for (const { leg, middle, fromEnds } of partsOf(legs, sampleMiles, part)) {
      if (fromEnds < APPROACH_MILES) continue;
      const miles = coast.milesToCoast(middle);
      if (miles !== undefined && !(miles >= (nearest?.miles ?? Number.POSITIVE_INFINITY)))
        nearest = { leg, at: middle, miles };
    }
  }
  return nearest;
}

function sampleMilesOf(legs: readonly Leg[]): number {
  return Math.max(SAMPLE_MILES, legs.reduce((sum, { miles }) => sum + miles, 0) / MAX_SAMPLES);
}

interface Part {
  leg: number;
  from: Place;
  to: Place;
  middle: Place;
  /** From the start of the leg to the middle, n mi. */
  gone: number;
  miles: number;
  /** Great-circle distance of the middle from the nearer end of the route, n mi. */
  fromEnds: number;
  begin: number;
  end: number;
}

/** Legs cut into parts of about equal length. @param within Only this part. */
function* partsOf(
  legs: readonly Leg[],
  partMiles: number,
  within?: Pick<Part, "leg" | "begin" | "end">,
): Generator<Part> {
  const [first, last] = [legs[0]?.at(0), legs.at(-1)?.at(1)];
  if (!first || !last) return;
  const fromEnds = (place: Place) => Math.min(distanceKm(place, first), distanceKm(place, last)) / MILE_KM;
  for (const [leg, { miles: whole, at }] of legs.entries()) {
    if (within && within.leg !== leg) continue;
    const { begin: low, end: high } = within ?? { begin: 0, end: 1 };
    const count = Math.max(1, Math.ceil((whole * (high - low)) / partMiles));
    const shareAt = (index: number) => low + ((high - low) * index) / count;
    for (let index = 0; whole > 0 && index < count; index++) {
      const [begin, end] = [shareAt(index), shareAt(index + 1)];
      const share = (begin + end) / 2;
      const middle = at(share);
      yield {
        leg,
        begin,
        end,
        from: at(begin),
        to: at(end),
        middle,
        gone: share * whole,
        miles: whole * (end - begin),
        fromEnds: fromEnds(middle),
      };
    }
  }
}
