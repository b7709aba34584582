import { astro } from "@neaps/tide-predictor";
import { RADIANS } from "@open-metocean/geo/sphere";
import { LRUCache } from "lru-cache";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { equilibriumArgument, isKnown, type Nodal, type Sky } from "./constituents.ts";

export interface Term {
  name: string;
  /** Metres, or knots for a stream. */
  amplitude: number;
  /** Phase lag against the equilibrium tide of Greenwich, degrees. */
  phase: number;
}

/** A maximum or a minimum. */
export interface Extreme {
  /** Unix seconds. */
  time: number;
  value: number;
  isHigh: boolean;
}

const MARGIN_S = 1.5 * DAY_S;

/** Interval between samples of the slope, seconds. The fastest constituents have periods of an hour. */
const SAMPLE_S = 900;

/** Two neighbouring extremes that differ by less count as none: metres, or knots. */
const RIPPLE = 0.01;

/** A constituent on one day, from noon. */
interface Argument {
  /** Equilibrium argument with its nodal correction, V + u at noon, radians. */
  phase: number;
  /** Radians per second. */
  speed: number;
  /** Nodal factor. */
  factor: number;
}

const wrapped = (degrees: number) => degrees - 360 * Math.round(degrees / 360);

/**
 * Nodal factors f and angles u (degrees) of the constituents from which others are composed, by Schureman's formulas 74
 * to 235, with which NOAA's constants are made. The predictor's own have three faults: in M1 the moon's perigee is
 * counted twice, in V and in u, which makes up to 10 cm at Seattle; Mtm and MSqm have those of Mm and M2; and φ1, a
 * solar constituent, has those of J1.
 */
const schureman: Nodal = Object.fromEntries(
  Object.entries({
    Mm: ({ sin2 }) => [(2 / 3 - sin2) / 0.5021, 0],
    Mf: fortnightly,
    Mfm: fortnightly,
    MSqm: fortnightly,
    O1: ({ o1, xi, nu }) => [o1, 2 * xi - nu],
    K1: ({ sinTwice, nu, nup }) => [
      Math.sqrt(0.8965 * sinTwice ** 2 + 0.6001 * sinTwice * Math.cos(nu * RADIANS) + 0.1006),
      -nup,
    ],
    J1: ({ sinTwice, nu }) => [sinTwice / 0.7214, -nu],
    phi1: () => [1, 0],
    OO1: ({ sin, half, xi, nu }) => [(sin * Math.sin(half) ** 2) / 0.0164, -2 * xi - nu],
    M2: ({ m2, xi, nu }) => [m2, 2 * xi - 2 * nu],
    eta2: ({ sin2, nu }) => [sin2 / 0.1565, -2 * nu],
    M3: ({ m2, xi, nu }) => [m2 ** 1.5, 3 * xi - 3 * nu],
    K2: ({ sin2, nu, nupp }) => [
      Math.sqrt(19.0444 * sin2 ** 2 + 2.7702 * sin2 * Math.cos(2 * nu * RADIANS) + 0.0981),
      -2 * nupp,
    ],
    L2: ({ m2, half, perigee, xi, nu }) => {
      const tan2 = Math.tan(half) ** 2;
      const factor = Math.sqrt(1 - 12 * tan2 * Math.cos(2 * perigee) + 36 * tan2 ** 2);
      const r = Math.atan2(Math.sin(2 * perigee), 1 / (6 * tan2) - Math.cos(2 * perigee));
      return [m2 * factor, 2 * xi - 2 * nu - r / RADIANS];
    },
    M1: ({ o1, cos, perigee, p, xi, nu }) => {
      const q = Math.atan2((5 * cos - 1) * Math.sin(perigee), (7 * cos + 1) * Math.cos(perigee));
      return [o1 * Math.sqrt(2.31 + 1.435 * Math.cos(2 * perigee)), xi - nu + q / RADIANS - p];
    },
  } satisfies Record<string, (orbit: Orbit) => [f: number, u: number]>).map(([name, correction]) => [
    name,
    (sky: Sky) => {
      const [f, u] = correction(orbitOf(sky));
      return { f, u };
    },
  ]),
);

type Orbit = ReturnType<typeof orbitOf>;

/** All lines of the moon's declination in the long periods change with its square. */
function fortnightly({ sin2, xi }: Orbit): [f: number, u: number] {
  return [sin2 / 0.1578, -2 * xi];
}

/** The moon's orbit relative to the equator: its inclination I, and arcs in degrees with Schureman's names. */
function orbitOf({ I, xi, nu, nup, nupp, p }: Sky) {
  const inclination = I.value * RADIANS;
  const half = inclination / 2;
  const [sin, cos] = [Math.sin(inclination), Math.cos(inclination)];
  const arcs = {
    xi: wrapped(xi.value),
    nu: wrapped(nu.value),
    nup: wrapped(nup.value),
    nupp: wrapped(nupp.value),
  };
  return {
    ...arcs,
    half,
    sin,
    cos,
    sin2: sin ** 2,
    sinTwice: Math.sin(2 * inclination),
    m2: Math.cos(half) ** 4 / 0.9154,
    o1: (sin * Math.cos(half) ** 2) / 0.38,
    p: p.value,
    /** P, measured from the moon's node on the equator, radians. */
    perigee: (p.value - arcs.xi) * RADIANS,
  };
}

class Day {
  /** Days since 1970. */
  readonly number: number;
  /** Unix seconds. */
  readonly noon: number;
  private readonly sky: Sky;
  private readonly known = new Map<string, Argument | undefined>();
  constructor(day: number) {
    this.number = day;
    this.noon = day * DAY_S + DAY_S / 2;
    this.sky = astro(new Date(this.noon * 1000));
  }
  /** @returns undefined for a name that the predictor does not know. */
  argument(name: string): Argument | undefined {
    if (!this.known.has(name)) this.known.set(name, this.compute(name));
    return this.known.get(name);
  }
  private compute(name: string): Argument | undefined {
    if (!isKnown(name)) return undefined;
    const { value, speed, factor } = equilibriumArgument(name, this.sky, schureman);
    return { phase: value * RADIANS, speed: (speed * RADIANS) / HOUR_S, factor };
  }
  /** Mean longitudes of moon, sun, lunar and solar perigee, degrees. */
  longitudes() {
    const { s, h, p, pp } = this.sky;
    return { moon: s.value, sun: h.value, lunarPerigee: p.value, solarPerigee: pp.value };
  }
}

/** Cached days, because a view of the map and curves of a month need the same days again and again. */
const days = new LRUCache<number, Day>({ max: 400 });

function dayAt(time: number): Day {
  const number = Math.floor(time / DAY_S);
  let day = days.get(number);
  if (!day) {
    day = new Day(number);
    days.set(number, day);
  }
  return day;
}

/**
 * The sum of a station's constituents: mean + Σ f·A·cos(V + u − g), with nodal corrections at noon of each day (UTC).
 * The predictor provides arguments and corrections. Its own sums are not used, because they compute both again for each
 * value, and its high waters may follow each other without a low water between.
 */
export class HarmonicSum {
  private day: Day | undefined;
  /** Amplitude, speed and phase of each term on that day. */
  private readonly packed: Float64Array;
  private count = 0;
  /**
   * The last extremes. They are requested again because stations in a view share references, and a card asks for one
   * station repeatedly.
   */
  private recent: { from: number; to: number; extremes: readonly Extreme[] } | undefined;
  readonly terms: readonly Term[];
  readonly mean: number;

  constructor(terms: readonly Term[], mean: number) {
    this.terms = terms;
    this.mean = mean;
    this.packed = new Float64Array(3 * terms.length);
  }

  /** @param time Unix seconds. */
  at(time: number): number {
    const seconds = time - this.prepare(time);
    const { packed } = this;
    let sum = this.mean;
    for (let at = 0; at < this.count; at += 3)
      sum += packed[at]! * Math.cos(packed[at + 1]! * seconds + packed[at + 2]!);
    return sum;
  }

  /** Change of the sum per second. @param time Unix seconds. */
  rateAt(time: number): number {
    const seconds = time - this.prepare(time);
    const { packed } = this;
    let sum = 0;
    for (let at = 0; at < this.count; at += 3)
      sum -= packed[at]! * packed[at + 1]! * Math.sin(packed[at + 1]! * seconds + packed[at + 2]!);
    return sum;
  }

  /**
   * Alternating maxima and minima, from a day and a half before a period to a day and a half after it, so that each
   * extreme inside has its neighbours.
   *
   * @param from Unix seconds.
   */
  extremesAround(from: number, to: number): readonly Extreme[] {
    const [first, last] = [from - MARGIN_S, to + MARGIN_S];
    if (!this.recent || this.recent.from > first || this.recent.to < last) {
      const window = { from: first - MARGIN_S / 2, to: last + MARGIN_S / 2 };
      this.recent = { ...window, extremes: this.findExtremes(window.from, window.to) };
    }
    return this.recent.extremes.filter(({ time }) => time >= first && time <= last);
  }

  private findExtremes(from: number, to: number): Extreme[] {
    const rate = (time: number) => this.rateAt(time);
    const found: Extreme[] = [];
    let isRising = rate(from) > 0;
    for (let time = from + SAMPLE_S; time <= to; time += SAMPLE_S) {
      const wasRising = isRising;
      isRising = rate(time) > 0;
      if (isRising === wasRising) continue;
      const at = zeroBetween(rate, time - SAMPLE_S, time);
      found.push({ time: at, value: this.at(at), isHigh: wasRising });
    }
    return withoutRipples(found);
  }

  /** @returns Noon of the day, Unix seconds. */
  private prepare(time: number): number {
    if (this.day?.number !== Math.floor(time / DAY_S)) {
      const day = dayAt(time);
      let at = 0;
      for (const { name, amplitude, phase } of this.terms) {
        const argument = amplitude === 0 ? undefined : day.argument(name);
        if (!argument) continue;
        this.packed[at++] = amplitude * argument.factor;
        this.packed[at++] = argument.speed;
        this.packed[at++] = argument.phase - phase * RADIANS;
      }
      this.count = at;
      this.day = day;
    }
    return this.day!.noon;
  }
}

/**
 * Removes neighbouring pairs, the smallest difference first, where a maximum is hardly above the minimum beside it, is
 * below it, or is not in order of time. Maxima and minima still alternate afterwards.
 */
export function withoutRipples<Turn extends Extreme>(all: Turn[]): Turn[] {
  for (;;) {
    let smallest = -1;
    let least = RIPPLE;
    for (let at = 1; at < all.length; at++) {
      const [one, other] = [all[at - 1]!, all[at]!];
      const rise = other.value - one.value;
      const difference = other.time > one.time ? (other.isHigh ? rise : -rise) : Number.NEGATIVE_INFINITY;
      if (difference < least) [smallest, least] = [at - 1, difference];
    }
    if (smallest < 0) return all;
    all.splice(smallest, 2);
  }
}

/** Index of the first event after a time, in a list ordered by time; its length where there is none. */
export function firstAfter(events: readonly { time: number }[], time: number): number {
  let [from, to] = [0, events.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (events[middle]!.time > time) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The zero of a function between two times at which it has different signs, to half a second. */
export function zeroBetween(value: (time: number) => number, from: number, to: number): number {
  let [before, after] = [from, to];
  const isPositive = value(from) > 0;
  while (after - before > 0.5) {
    const middle = (before + after) / 2;
    if (value(middle) > 0 === isPositive) before = middle;
    else after = middle;
  }
  return (before + after) / 2;
}

/**
 * Times at which two constituents of a station are in phase or opposed: M2 and S2 at springs and neaps, K1 and O1 where
 * there is one tide a day.
 *
 * @returns Unix seconds, ascending; empty where the station lacks one of them.
 */
export function alignments(
  terms: readonly Term[],
  [one, other]: readonly [string, string],
  from: number,
  to: number,
  isOpposed: boolean,
): number[] {
  const phases = [one, other].map((name) => terms.find((term) => term.name === name)?.phase);
  if (phases.includes(undefined)) return [];
  const angleAt = (time: number) => {
    const day = dayAt(time);
    const [first, second] = [day.argument(one)!, day.argument(other)!];
    const seconds = time - day.noon;
    const angle = second.phase - first.phase + (second.speed - first.speed) * seconds;
    return { angle: angle - (phases[1]! - phases[0]!) * RADIANS, speed: second.speed - first.speed };
  };
  const whole = 2 * Math.PI;
  const found: number[] = [];
  for (let time = from; time < to; ) {
    const { angle, speed } = angleAt(time);
    const target = isOpposed ? Math.PI : 0;
    const ahead = speed > 0 ? target - angle : angle - target;
    const rest = ((ahead % whole) + whole) % whole;
    time += rest / Math.abs(speed);
    if (time < to) found.push(time);
    // Nodal corrections move the time by minutes only, so a search from the next day finds the next one.
    time += DAY_S;
  }
  return found;
}

const SYNODIC_DAYS = 29.530589;

/**
 * Age and lit share of the moon, from its true elongation (Meeus, Astronomical Algorithms, 48.4). @param time Unix
 * seconds.
 */
export function moonAt(time: number): { age_days: number; lit: number } {
  const day = dayAt(time);
  const { moon, sun, lunarPerigee, solarPerigee } = day.longitudes();
  const days = (time - day.noon) / DAY_S;
  const d = (moon - sun + 12.19075 * days) * RADIANS;
  const m = (sun - solarPerigee + 0.9856 * days) * RADIANS;
  const moonAnomaly = (moon - lunarPerigee + 13.064993 * days) * RADIANS;
  const elongation =
    d / RADIANS +
    6.289 * Math.sin(moonAnomaly) -
    2.1 * Math.sin(m) +
    1.274 * Math.sin(2 * d - moonAnomaly) +
    0.658 * Math.sin(2 * d) +
    0.214 * Math.sin(2 * moonAnomaly) +
    0.11 * Math.sin(d);
  const turned = ((elongation % 360) + 360) % 360;
  const lit = (1 - Math.cos(turned * RADIANS)) / 2;
  return {
    age_days: Math.round((turned / 360) * SYNODIC_DAYS * 10) / 10,
    lit: Math.round(lit * 100) / 100,
  };
}
