import { fromKnots } from "@open-metocean/geo/knots";
import { destination, distanceKm, initialBearing, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import { dangerArea, dangerAt } from "@open-metocean/storms/danger";
import type { StormEntry } from "@open-metocean/storms/schema";
import { defaultLimits } from "#lib/passage/limits.ts";
import type { Passing } from "#lib/passage/march.ts";
import type { Found } from "#lib/passage/optimise/better-route.ts";
import type { Order } from "#lib/passage/optimise/order.ts";
import type { Vessel, Weather } from "#lib/passage/vessel.ts";
import { found } from "./passages-at-sea.ts";
import { aheadPoint, allRound, BASE, stormOf } from "./storms.ts";

const [WIND_KT, CORE_KM, GALES_KM] = [100, 45, 260];

/** A hurricane on a constant course for five days, and its weather: 2 m of sea for each 10 kt of wind. */
export interface Hurricane {
  entry: StormEntry;
  /** @param time Unix seconds. */
  centre(time: number): Place;
  weather(at: Passing): Weather;
}

/** @param towards Direction of its motion, degrees TO. @param knots Its speed. */
export function hurricane(from: Place, towards: number, knots: number): Hurricane {
  const centre = (time: number) => destination(from, towards, (knots * MILE_KM * (time - BASE)) / 3600);
  const points = [0, 12, 24, 36, 48, 72, 96, 120].map((hour) =>
    aheadPoint(hour, centre(BASE + hour * 3600), { vmax_kt: WIND_KT, ...allRound(GALES_KM, 130, 70) }),
  );
  return {
    entry: stormOf(points),
    centre,
    weather({ time, ...place }) {
      const eye = centre(time);
      const km = distanceKm(place, eye);
      const spin = WIND_KT * (km < CORE_KM ? km / CORE_KM : (CORE_KM / km) ** 0.6);
      // The wind is anticlockwise, with easterlies of 12 kt added.
      const to = ((initialBearing(eye, place) - 90) * Math.PI) / 180;
      const [east, north] = [spin * Math.sin(to) - 12, spin * Math.cos(to)];
      const knots = Math.hypot(east, north);
      const direction = ((Math.atan2(-east, -north) * 180) / Math.PI + 360) % 360;
      return {
        Winds_10m_Intensity: fromKnots(knots),
        Winds_10m_Direction: direction,
        Waves_Significant_Height: 0.2 * knots,
        Waves_Mean_Period: 9,
        Waves_Mean_Direction: direction,
      };
    },
  };
}

/** Order of routes past a hurricane, by the vessel's typical limits. */
export function orderPast({ entry }: Hurricane, vessel: Vessel): Order {
  const distance = dangerAt(entry, dangerArea(entry, "classic"));
  return {
    limits: defaultLimits[vessel.kind],
    objective: "within_limits",
    stormsAt: (at) => [distance(at, at.time) ?? []].flat(),
  };
}

/** The better route past a hurricane. */
export function foundPast(storm: Hurricane, own: readonly Place[], vessel: Vessel): Found {
  const asked = { vessel, own, departure: BASE, ...orderPast(storm, vessel) };
  return found(own[0]!, own.at(-1)!, asked, storm.weather);
}

/** Twelve starts inside and beside a hurricane, in km and degrees from its centre, with its course and speed. */
export const stormStarts = [
  [60, 0],
  [60, 180],
  [150, 90],
  [150, 270],
  [250, 45],
  [250, 225],
  [350, 0],
  [350, 135],
  [450, 315],
  [450, 180],
  [600, 90],
  [800, 270],
].map(([km, bearing], index) => ({
  km: km!,
  bearing: bearing!,
  towards: (index * 75) % 360,
  knots: 6 + (index % 4) * 3,
}));

/** Properties of a passage past a hurricane at one speed. Distances in km, times in h. */
export interface Looked {
  hours: number;
  /** Least distance from the centre. */
  km: number;
  windKt: number;
  seaM: number;
  /**
   * Hours beyond 34 kt of wind, the limit of seas, or 185 km from gales with the position error at that time; and the
   * same weighted by the excess.
   */
  over: number;
  weighted: number;
}

type Vector = [number, number, number];

const [RADIUS_KM, STEP_H] = [6371, 1 / 12];

function vector({ latitude, longitude }: Place): Vector {
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

function angle(a: Vector, b: Vector): number {
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return Math.atan2(Math.hypot(...cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/**
 * Evaluates a passage every five minutes. It is independent of the planner, with its own great circles, radii, weights
 * and steps, so that it does not repeat the planner's errors.
 */
export function lookedAt({ centre, weather }: Hurricane, way: readonly Place[], knots: number): Looked {
  const found: Looked = { hours: 0, km: 1e9, windKt: 0, seaM: 0, over: 0, weighted: 0 };
  const step = (knots * 1.852 * STEP_H) / RADIUS_KM;
  let carried = 0;
  for (const [index, to] of way.entries()) {
    if (index === 0) continue;
    const [a, b] = [vector(way[index - 1]!), vector(to)];
    const whole = angle(a, b);
    let gone = carried;
    for (; gone < whole; gone += step) {
      const [u, v] = [Math.sin(whole - gone) / Math.sin(whole), Math.sin(gone) / Math.sin(whole)];
      const [x, y, z] = a.map((part, at) => u * part + v * b[at]!) as Vector;
      const place = {
        latitude: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI,
        longitude: (Math.atan2(y, x) * 180) / Math.PI,
      };
      const time = BASE + 3600 * found.hours;
      found.hours += STEP_H;
      const km = angle([x, y, z], vector(centre(time))) * RADIUS_KM;
      const at = weather({ ...place, time });
      const wind = at.Winds_10m_Intensity! / 0.514444;
      const sea = at.Waves_Significant_Height!;
      found.km = Math.min(found.km, km);
      found.windKt = Math.max(found.windKt, wind);
      found.seaM = Math.max(found.seaM, sea);
      const hours = (time - BASE) / 3600;
      const error = hours <= 72 ? (hours * 100 * 1.852) / 24 : 2 * hours;
      const clear = hours > 120 ? 1e9 : km - 260 - error;
      const near =
        clear >= 185 ? 0 : clear >= 0 ? 2 - clear / 185 : 2 + 4 * Math.min(1, -clear / (260 + error));
      const course = Math.abs(courseFrom(a, b, [x, y, z]) - at.Waves_Mean_Direction!) % 360;
      const bow = Math.min(course, 360 - course);
      const seaLimit = bow <= 60 ? 4 : bow < 120 ? 3.5 : 4.5;
      const worst = Math.min(4, Math.max(wind / 34, sea / seaLimit));
      const weight = Math.max(near, worst > 1 ? worst : 0) ** 2;
      if (weight > 0) found.over += STEP_H;
      found.weighted += weight * STEP_H;
    }
    carried = gone - whole;
  }
  return found;
}

/** Course of the great circle from a to b at a place on it, degrees. */
function courseFrom(a: Vector, b: Vector, at: Vector): number {
  const normal: Vector = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const along: Vector = [
    normal[1] * at[2] - normal[2] * at[1],
    normal[2] * at[0] - normal[0] * at[2],
    normal[0] * at[1] - normal[1] * at[0],
  ];
  const flat = Math.hypot(at[0], at[1]);
  const east = (at[0] * along[1] - at[1] * along[0]) / flat;
  const north = (along[2] * flat * flat - at[2] * (at[0] * along[0] + at[1] * along[1])) / flat;
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
}
