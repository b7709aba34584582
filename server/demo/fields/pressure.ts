import { DEGREE_KM, destination, type Place, RADIANS } from "@open-metocean/geo/sphere";
import { bell, clamp, localHour, type Nodes, nodesOf, smoothstep, winter } from "#server/demo/math/grid.ts";
import { addKernels, HOURS_OF_FORECAST, hash01, kernels, memoByTime } from "#server/demo/math/patterns.ts";

/** Sea-level pressure without tropical cyclones, and its slope. Arrays are (rows, columns). */
export interface BackgroundPressure {
  /** hPa above `PRESSURE_BASE`. Small numbers keep float32 sums exact to 1e-5 hPa. */
  value: Float32Array;
  /** hPa per km toward the east. */
  east: Float32Array;
  /** hPa per km toward the north. */
  north: Float32Array;
}

export const PRESSURE_BASE = 1000;

/** Belts of the zonal mean: hPa above the base, centre °N (which moves with the season by `sway`), width °. */
const BELTS = [
  { height: -1.5, centre: 5, sway: -4, width: 9 },
  { height: 7.5, centre: 32, sway: -2.5, width: 13 },
  { height: 8, centre: -31, sway: -2.5, width: 12 },
  { height: -6, centre: 61, sway: 0, width: 11 },
  { height: -24, centre: -66, sway: 0, width: 13 },
  { height: 4, centre: 90, sway: 0, width: 13 },
  { height: 4, centre: -90, sway: 0, width: 9 },
] as const;
const ZONAL_MEAN = 11.5;

/** Waves of the belts: number around the globe, amplitude °, drift °/day, phase rad. */
const WAVES = [
  [2, 2.2, 1, 0.3],
  [3, 2.6, 2.2, 2],
  [5, 2, 4.6, 4.1],
  [7, 1.5, 7.4, 1.2],
  [11, 0.8, 12.5, 5],
] as const;

/** Centres of action: °N, °E, radius km, mean hPa, hPa more in northern midwinter. */
const CENTRES = [
  [34, -145, 4200, 7, -3],
  [34, -32, 4200, 7, -2],
  [-29, -95, 4200, 7, 1],
  [-28, -8, 4000, 6, 1],
  [-31, 82, 4600, 6, 1],
  [-30, 155, 3200, 2, -1],
  [53, 180, 4200, -3, -4],
  [62, -32, 3600, -5, -5],
  [50, 98, 4200, 4, 12],
  [27, 68, 3400, -4, 7],
  [-22, 133, 2600, 1, -5],
  [50, -108, 2800, 2, 3],
  [5, 25, 2600, -1, 0],
  [-14, -58, 2600, 0, -2],
] as const;

const standingKernels = memoByTime(
  (_seed, time) =>
    kernels(
      CENTRES.map(([latitude, longitude, radius, mean, seasonal]) => [
        latitude,
        longitude,
        radius,
        mean + winter(time) * seasonal,
      ]),
    ),
  HOURS_OF_FORECAST,
);

/** A travelling low or high of the middle latitudes at one instant. */
export interface MovingSystem extends Place {
  kind: "low" | "high";
  /** 1 in the north, −1 in the south. */
  hemisphere: 1 | -1;
  /** Difference between the centre and the field around it, hPa: negative for lows, 0 at birth and death. */
  amplitude: number;
  /** Km. */
  radius: number;
}

/** Lifetime of a system, seconds. */
const LIFE_S = 7.2 * 86_400;

/** Number of systems of each kind per hemisphere. */
const LOWS = { 1: 12, [-1]: 13 } as const;
const HIGHS = 9;

/**
 * Regions over the open oceans where northern lows deepen: °N, °E, half widths of latitude and longitude. Elsewhere
 * they fill.
 */
const NURSERIES = [
  [53, -26, 15, 38],
  [48, -175, 14, 42],
] as const;
const MIN_DEEPENING = 0.5;

/** All travelling lows and highs at a time, in a fixed order. Amplitudes are continuous in time. */
export const movingSystems = memoByTime((seed, time): readonly MovingSystem[] =>
  ([1, -1] as const).flatMap((hemisphere) =>
    Array.from({ length: LOWS[hemisphere] + HIGHS }, (_, slot) => {
      const isLow = slot < LOWS[hemisphere];
      return system(seed, time, hemisphere, isLow, isLow ? slot : slot - LOWS[hemisphere]);
    }),
  ),
);

function system(seed: number, time: number, hemisphere: 1 | -1, low: boolean, slot: number): MovingSystem {
  const stream = (low ? 11 : 12) + (hemisphere === 1 ? 0 : 2);
  const life = time / LIFE_S + hash01(seed, stream, slot);
  const generation = Math.floor(life);
  const age = life - generation;
  const chance = (draw: number) => hash01(seed, 100 * stream + slot, generation, draw);
  // The value is 1 in the winter of this system's own hemisphere.
  const cold = hemisphere * winter(time);

  const poleward = (low ? 41 : 29) + 9 * chance(2) + (low ? 14 : -2) * age - 3.5 * cold;
  const kmPerHour = (low ? 38 : 25) + 14 * chance(3);
  const degreesAlong =
    (kmPerHour * age * (LIFE_S / 3600)) / (DEGREE_KM * Math.cos(Math.min(70, poleward) * RADIANS));
  const strength = low ? -(9 + 15 * chance(4) ** 1.3) : 4 + 6 * chance(4);
  const seasonal = 1 + (hemisphere === 1 ? 0.36 : 0.15) * cold;
  const slots = low ? LOWS[hemisphere] : HIGHS;
  const longitude = (360 * (slot + 0.9 * chance(1))) / slots + 34.4 * generation + degreesAlong;
  const place = {
    latitude: hemisphere * poleward,
    longitude: longitude - 360 * Math.floor((longitude + 180) / 360),
  };
  return {
    kind: low ? "low" : "high",
    hemisphere,
    ...place,
    amplitude: strength * seasonal * (low ? deepening(place) : 1) * Math.sin(Math.PI * age) ** 1.1,
    radius: (low ? 1750 : 2300) * (0.85 + 0.4 * chance(5)),
  };
}

/** Share of its full depth that a low reaches at a place. */
function deepening({ latitude, longitude }: Place): number {
  if (latitude < 0) return 0.85;
  const over = NURSERIES.reduce((sum, [north, east, high, wide]) => {
    const off = longitude - east - 360 * Math.round((longitude - east) / 360);
    return sum + bell(latitude, north, high) * bell(off, 0, wide);
  }, 0);
  return MIN_DEEPENING + (1 - MIN_DEEPENING) * Math.min(1, 1.25 * over);
}

/** Three weaker lows that trail equatorward and west of a low and form its cold front. */
const TROUGH = { spacing: 480, radius: 900, depths: [0.3, 0.2, 0.12] } as const;
const TROUGH_BEARINGS = { 1: [208, 226, 244], [-1]: [332, 314, 296] } as const;

/** The travelling systems and the troughs of the lows as pressure kernels, hPa. */
const movingKernels = memoByTime(
  (seed, time) =>
    kernels(
      movingSystems(seed, time).flatMap((one) => {
        const centre = [one.latitude, one.longitude, one.radius, one.amplitude] as const;
        if (one.kind === "high") return [centre];
        let place: Place = one;
        const trough = TROUGH.depths.map((share, link) => {
          place = destination(place, TROUGH_BEARINGS[one.hemisphere][link]!, TROUGH.spacing);
          return [place.latitude, place.longitude, TROUGH.radius, share * one.amplitude] as const;
        });
        return [centre, ...trough];
      }),
    ),
  HOURS_OF_FORECAST,
);

/** The last fields, because wind, rain and gusts of a patch all begin with its pressure. */
const recent: { seed: number; nodes: Nodes; time: number; field: BackgroundPressure }[] = [];
const RECENT = 2;

/**
 * Sea-level pressure of belts with meandering axes, centres of action that change with the season, and travelling lows
 * and highs.
 *
 * @param time Unix seconds.
 * @returns Shared with later callers; read-only.
 */
export function backgroundPressure(seed: number, nodes: Nodes, time: number): BackgroundPressure {
  const known = recent.find((one) => one.nodes === nodes && one.time === time && one.seed === seed);
  if (known) return known.field;
  const size = nodes.rows * nodes.columns;
  const field = {
    value: new Float32Array(size),
    east: new Float32Array(size),
    north: new Float32Array(size),
  };
  addBelts(seed, nodes, time, field);
  for (const table of [standingKernels(seed, time), movingKernels(seed, time)])
    addKernels(nodes, table, field.value, field.east, field.north);
  recent.push({ seed, nodes, time, field });
  if (recent.length > RECENT) recent.shift();
  return field;
}

/** Sea-level pressure at one place without tropical cyclones and tide, hPa. */
export function backgroundPressureAt(seed: number, { latitude, longitude }: Place, time: number): number {
  const nodes = nodesOf({
    latitude: { start: latitude, step: 1, count: 1 },
    longitude: { start: longitude, step: 1, count: 1 },
  });
  return PRESSURE_BASE + backgroundPressure(seed, nodes, time).value[0]!;
}

/** The zonal mean and its slope (hPa per degree) at whole degrees from −90, for cubic Hermite interpolation. */
const zonalTable = memoByTime((_seed, time): Float64Array => {
  const season = winter(time);
  const table = new Float64Array(2 * 181);
  for (let degree = 0; degree <= 180; degree++) {
    table[2 * degree] = ZONAL_MEAN;
    for (const { height, centre, sway, width } of BELTS) {
      const off = (degree - 90 - centre - sway * season) / width;
      const belt = height * Math.exp(-off * off);
      table[2 * degree]! += belt;
      table[2 * degree + 1]! -= (2 * off * belt) / width;
    }
  }
  return table;
}, HOURS_OF_FORECAST);

/** Degree to which the belts follow the waves at a latitude (0..1), and its slope, per degree. */
function meanderStrength(latitude: number): [number, number] {
  let strength = 0;
  let slope = 0;
  for (const [height, centre, width] of [
    [1.15, 44, 20],
    [1.15, -44, 20],
    [0.7, 0, 16],
    [0.8, 70, 12],
    [0.8, -70, 12],
  ] as const) {
    const part = height * bell(latitude, centre, width);
    strength += part;
    slope -= (2 * (latitude - centre) * part) / (width * width);
  }
  const t = clamp((89 - Math.abs(latitude)) / 14, 0, 1);
  const fade = t * t * (3 - 2 * t);
  const fadeSlope = ((6 * t * (1 - t)) / 14) * -Math.sign(latitude);
  return [strength * fade, slope * fade + strength * fadeSlope];
}

function addBelts(seed: number, nodes: Nodes, time: number, field: BackgroundPressure): void {
  const { rows, columns } = nodes;
  const table = zonalTable(seed, time);
  const days = time / 86_400;
  // Displacement (degrees) and its slope (degrees per degree of longitude) of each column, north and south. They share
  // one buffer, because for single cells arrays cost more than their values.
  const numbers = new Float64Array(4 * columns);
  const part = (index: number) => numbers.subarray(index * columns, (index + 1) * columns);
  const moved = [part(0), part(1)] as const;
  const slope = [part(2), part(3)] as const;
  for (let column = 0; column < columns; column++) {
    for (const [number, amplitude, drift, phase] of WAVES) {
      for (const south of [0, 1] as const) {
        const turn =
          ((number * (nodes.longitude[column]! - drift * days)) % 360) * RADIANS +
          phase +
          south * 1.7 * number;
        moved[south][column]! += amplitude * Math.sin(turn);
        slope[south][column]! += amplitude * number * RADIANS * Math.cos(turn);
      }
    }
  }
  for (let row = 0; row < rows; row++) {
    const latitude = nodes.latitude[row]!;
    const [strength, strengthSlope] = meanderStrength(latitude);
    const north = smoothstep(-6, 6, latitude);
    const t = clamp((latitude + 6) / 12, 0, 1);
    const northSlope = (6 * t * (1 - t)) / 12;
    const perKmEast = 1 / (DEGREE_KM * nodes.cosLatitude[row]!);
    for (let column = 0; column < columns; column++) {
      const inNorth = moved[0][column]!;
      const inSouth = moved[1][column]!;
      const meander = inSouth + north * (inNorth - inSouth);
      const turned = slope[1][column]! + north * (slope[0][column]! - slope[1][column]!);

      const y = clamp(latitude + meander * strength + 90, 0, 179.999);
      const degree = Math.floor(y);
      const s = y - degree;
      const v0 = table[2 * degree]!;
      const d0 = table[2 * degree + 1]!;
      const v1 = table[2 * degree + 2]!;
      const d1 = table[2 * degree + 3]!;
      const bend = 3 * (v1 - v0) - 2 * d0 - d1;
      const twist = d0 + d1 - 2 * (v1 - v0);
      const perDegree = d0 + s * (2 * bend + 3 * s * twist);

      const at = row * columns + column;
      field.value[at]! += v0 + s * (d0 + s * (bend + s * twist));
      field.east[at]! += perDegree * strength * turned * perKmEast;
      field.north[at]! +=
        (perDegree * (1 + meander * strengthSlope + northSlope * (inNorth - inSouth) * strength)) / DEGREE_KM;
    }
  }
}

/**
 * Adds the semidiurnal tide of the atmosphere, 1.16 hPa cos³φ with maxima near 10 and 22 h local time, which a
 * barograph shows in the tropics. It drives no wind here.
 */
export function addPressureTide(nodes: Nodes, time: number, value: Float32Array): void {
  const swing = nodes.longitude.map(
    (longitude) => 1.16 * Math.cos(((localHour(time, longitude) - 9.8) * Math.PI) / 6),
  );
  for (let row = 0; row < nodes.rows; row++) {
    const share = nodes.cosLatitude[row]! ** 3;
    for (let column = 0; column < nodes.columns; column++)
      value[row * nodes.columns + column]! += swing[column]! * share;
  }
}
