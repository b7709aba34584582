import { EARTH_KM, type Vector } from "@open-metocean/geo/sphere";

/** Values for the quadrants NE, SE, SW and NW. */
export type Four = readonly [ne: number, se: number, sw: number, nw: number];

/** A time span in which storm and vessel move smoothly and reaches are linear. */
export interface Stretch {
  /** Unix seconds; equal for a single instant. */
  from: number;
  until: number;
  /** Reach at both ends of the span, subtracted from the distance, in each quadrant around the storm, km. */
  reachFrom: Four;
  reachUntil: Four;
  storm(time: number): Vector;
  vessel(time: number): Vector;
}

/** The least clearance: distance minus reach. */
export interface Least {
  stretch: Stretch;
  /** Unix seconds. */
  time: number;
  /** Index into `Four`. At a jump this is the quadrant of the longer reach. */
  quadrant: number;
  /** Clearance, km; at a jump a lower limit that the clearance approaches but does not attain. */
  km: number;
}

/** Positions of storm and vessel at one time. */
interface Sample {
  time: number;
  /** Vector from storm to vessel, straight through the Earth, km. */
  x: number;
  y: number;
  z: number;
  /** Sine and cosine of the bearing: positive if the vessel is east, or north, of the storm. */
  east: number;
  north: number;
}

/** Accuracy of the result, km. */
const TOLERANCE_KM = 0.005;

/**
 * Width of the parts with which the search starts, s, by the sine of the latitude from which it applies:
 * courses turn near a pole.
 */
const WIDTHS = [
  { above: 0.9998, seconds: 60 },
  { above: 0.99, seconds: 600 },
  { above: 0, seconds: 7200 },
] as const;

/** Narrower parts are not divided further, s; nothing moves 5 m in this time. */
const NARROWEST_S = 0.05;

/**
 * Chord from which on the tangent of the arc is too steep for a bound, km: a vessel within some 4,000 km of
 * the storm's antipode.
 */
const STEEP_KM = 1.9 * EARTH_KM;

/**
 * A vessel this close to the edge of a quadrant counts as in both: 6 m, more than the computational error.
 */
const EDGE = 1e-9;

/** Factor by which a smooth motion may depart further from the straight line than in the middle of a part. */
const MARGIN = 1.5;

/**
 * The least clearance in any of the stretches, found by branch and bound: a part of a stretch is divided
 * until no point of it can be lower than the least known by more than 5 m. In a part the vessel is, seen from
 * the storm, close to the straight line between the part's ends, so that the least distance minus a linear
 * reach has a closed form. If it may be on both sides of a quadrant's edge, both reaches count.
 *
 * @param stretches At least one. Of equal values the one of the first stretch is returned, and within it the
 * earliest.
 */
export function leastClearance(stretches: readonly Stretch[]): Least {
  const search = new Search();
  const parts = stretches.map((stretch) => {
    const samples = firstTimes(stretch).map((time) => sampleOf(stretch, time));
    for (const sample of samples) search.consider(stretch, sample);
    return { stretch, samples };
  });
  for (const { stretch, samples } of parts) {
    for (let index = 1; index < samples.length; index++)
      search.refine(stretch, samples[index - 1]!, samples[index]!);
  }
  return search.least!;
}

function firstTimes({ from, until, vessel, storm }: Stretch): number[] {
  if (from === until) return [from];
  const sines = [storm(from), storm(until), vessel(from), vessel(until)].map((place) => Math.abs(place[2]));
  const width = WIDTHS.find(({ above }) => Math.max(...sines) > above)?.seconds ?? 7200;
  const count = Math.ceil((until - from) / width);
  return Array.from({ length: count + 1 }, (_, index) => from + ((until - from) * index) / count);
}

function sampleOf({ storm, vessel }: Stretch, time: number): Sample {
  const [sx, sy, sz] = storm(time);
  const [vx, vy, vz] = vessel(time);
  return {
    time,
    x: EARTH_KM * (vx - sx),
    y: EARTH_KM * (vy - sy),
    z: EARTH_KM * (vz - sz),
    east: sx * vy - sy * vx,
    north: vz - sz * (sx * vx + sy * vy + sz * vz),
  };
}

class Search {
  least: Least | undefined;

  /** Updates the least value if the sample is lower. */
  consider(stretch: Stretch, sample: Sample, slackEast = EDGE, slackNorth = EDGE): void {
    const km = arcKm(Math.hypot(sample.x, sample.y, sample.z));
    const share = shareOf(stretch, sample.time);
    for (let quadrant = 0; quadrant < 4; quadrant++) {
      if (!mayBeIn(quadrant, sample.east, sample.north, slackEast, slackNorth)) continue;
      const clearance = km - reachAt(stretch, quadrant, share);
      if (clearance < (this.least?.km ?? Number.POSITIVE_INFINITY) - 1e-9)
        this.least = { stretch, time: sample.time, quadrant, km: clearance };
    }
  }

  /** Divides the part between two samples as long as it may contain a lower value. */
  refine(stretch: Stretch, from: Sample, until: Sample): void {
    if (roughBound(stretch, from, until) >= this.least!.km) return;
    const middle = sampleOf(stretch, (from.time + until.time) / 2);
    const away = (name: "x" | "y" | "z" | "east" | "north") =>
      MARGIN * Math.abs(middle[name] - (from[name] + until[name]) / 2);
    const straight = Math.hypot(away("x"), away("y"), away("z"));
    const isNarrow = until.time - from.time < NARROWEST_S;
    let [bound, at] = [Number.POSITIVE_INFINITY, 0];
    for (let quadrant = 0; quadrant < 4; quadrant++) {
      if (!mayPass(quadrant, from, until, away("east") + EDGE, away("north") + EDGE)) continue;
      const found = lowest(stretch, quadrant, from, until, straight);
      if (found.km < bound) [bound, at] = [found.km, found.share];
    }
    if (bound >= this.least!.km - TOLERANCE_KM) return;
    if (isNarrow) {
      // The edge of a quadrant is crossed here, so both of its sides count.
      const reach = (name: "east" | "north") => Math.abs(until[name] - from[name]) + EDGE;
      this.consider(stretch, middle, reach("east"), reach("north"));
      return;
    }
    this.consider(stretch, middle);
    const time = from.time + (until.time - from.time) * at;
    if (time > from.time && time < until.time) this.consider(stretch, sampleOf(stretch, time));
    this.refine(stretch, from, middle);
    this.refine(stretch, middle, until);
  }
}

/**
 * A lower bound of the clearance in a part, km, valid if the way through it is at most twice as long as the
 * straight line.
 */
function roughBound({ reachFrom, reachUntil }: Stretch, from: Sample, until: Sample): number {
  const ends = Math.hypot(from.x, from.y, from.z) + Math.hypot(until.x, until.y, until.z);
  const straight = Math.hypot(until.x - from.x, until.y - from.y, until.z - from.z);
  return ends / 2 - straight - Math.max(...reachFrom, ...reachUntil);
}

function shareOf({ from, until }: Stretch, time: number): number {
  return until === from ? 0 : (time - from) / (until - from);
}

function reachAt({ reachFrom, reachUntil }: Stretch, quadrant: number, share: number): number {
  return reachFrom[quadrant]! + (reachUntil[quadrant]! - reachFrom[quadrant]!) * share;
}

/** Great-circle distance, km, from the length of the chord, km. */
function arcKm(chord: number): number {
  return 2 * EARTH_KM * Math.asin(Math.min(1, chord / (2 * EARTH_KM)));
}

function mayBeIn(quadrant: number, east: number, north: number, slackEast: number, slackNorth: number) {
  const [isEast, isNorth] = [quadrant < 2, quadrant === 0 || quadrant === 3];
  return (isEast ? east : -east) >= -slackEast && (isNorth ? north : -north) >= -slackNorth;
}

function mayPass(quadrant: number, from: Sample, until: Sample, slackEast: number, slackNorth: number) {
  const [east, north] = [quadrant < 2 ? 1 : -1, quadrant === 0 || quadrant === 3 ? 1 : -1];
  return (
    Math.max(east * from.east, east * until.east) >= -slackEast &&
    Math.max(north * from.north, north * until.north) >= -slackNorth
  );
}

/**
 * A lower bound of distance minus reach, km, and its position (0..1), if the vessel passes the storm on a
 * straight line.
 *
 * The distance is bounded from below by a tangent of the arc as a function of its chord, so that k √(α s² + 2
 * β s + γ) − g s is to be minimised: s = −β/α + m h / √(α (α − m²)) with m = g/k and h² = γ − β²/α. Near the
 * antipode it is the least distance minus the longest reach.
 *
 * @param away How far the vessel may depart from the straight line, km.
 */
function lowest(stretch: Stretch, quadrant: number, from: Sample, until: Sample, away: number) {
  const [dx, dy, dz] = [until.x - from.x, until.y - from.y, until.z - from.z];
  const alpha = dx * dx + dy * dy + dz * dz;
  const beta = from.x * dx + from.y * dy + from.z * dz;
  const gamma = from.x * from.x + from.y * from.y + from.z * from.z;
  const chordAt = (share: number) => Math.sqrt(Math.max(0, gamma + share * (2 * beta + share * alpha)));
  const [begin, end] = [from, until].map(({ time }) => reachAt(stretch, quadrant, shareOf(stretch, time)));
  const touched = (chordAt(0) + chordAt(1)) / 2;
  if (touched > STEEP_KM) {
    const share = alpha > 0 ? Math.max(0, Math.min(1, -beta / alpha)) : 0;
    return { km: arcKm(Math.max(0, chordAt(share) - away)) - Math.max(begin!, end!), share };
  }
  const slope = 1 / Math.sqrt(1 - (touched / (2 * EARTH_KM)) ** 2);
  const m = (end! - begin!) / slope;
  const value = (share: number) =>
    arcKm(touched) + slope * (chordAt(share) - touched) - begin! - (end! - begin!) * share;
  let share = value(1) < value(0) ? 1 : 0;
  if (alpha > m * m) {
    const height = Math.sqrt(Math.max(0, gamma - (beta * beta) / alpha));
    share = Math.max(0, Math.min(1, -beta / alpha + (m * height) / Math.sqrt(alpha * (alpha - m * m))));
  }
  return { km: value(share) - slope * away, share };
}
