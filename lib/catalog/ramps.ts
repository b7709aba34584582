import { fromKnots } from "@open-metocean/geo/knots";
import type { Ramp } from "./variable-row.ts";

/*
 * No colour of a calm is near white, so that the sea never looks as if nothing had been read, and light and dark
 * symbols are both visible on it. Lightness rises or falls steadily with the value, or rises up to one value and falls
 * from there, and values far apart differ in lightness or between blue and yellow, so they stay distinct with colour
 * blindness. Hazardous values are dark: strong wind, high waves, low pressure.
 */

/** Number of control points of a ramp; for wind this is about one per knot. */
const POINTS = 81;

/** The ramp of a variable that names none: light to dark blue. */
export const plainRamp = evenRamp([0.88, 0.29], [0.03, 0.1, 0.08], [250, 250, 250]);

/** Range of the colours of wind and gusts, m/s. Both share it, so a colour means the same speed in both. */
export const windRange = [0, 40] as const;

/**
 * Ramp shared by wind and gusts, so that they can be compared: soft slate blue when calm, teal at 10 kn, green at
 * 15 kn, and lighter up to amber at force 6; from there darker, red from gale force, violet from storm force, and
 * nearly black beyond hurricane force. To eyes that confuse red and green it is blue, then yellow, then dark.
 */
export const windRamp = rampThrough(
  windRange,
  [
    [0, 0.63, 0.05, 264],
    [4, 0.655, 0.058, 253],
    [7, 0.682, 0.072, 236],
    [10, 0.715, 0.095, 200],
    [13, 0.738, 0.12, 172],
    [15, 0.755, 0.145, 152],
    [18, 0.772, 0.155, 128],
    [22, 0.8, 0.16, 82],
    [25, 0.755, 0.165, 66],
    [28, 0.7, 0.175, 52],
    [31, 0.64, 0.19, 38],
    [34, 0.575, 0.2, 26],
    [41, 0.51, 0.195, 5],
    [48, 0.395, 0.18, -42],
    [56, 0.33, 0.15, -60],
    [64, 0.28, 0.12, -70],
    [78, 0.16, 0.05, -75],
  ],
  fromKnots,
);

/**
 * Range of the colours of wave heights, m. All wave systems share it, so a colour means the same height in
 * all of them.
 */
export const waveRange = [0, 16] as const;

/**
 * Ramp of wave, wind sea and swell heights: most of the colours lie below 5 m, crimson begins at 8 m, nearly
 * black at 16 m.
 */
export const waveRamp = rampThrough(waveRange, [
  [0, 0.87, 0.03, 232],
  [0.5, 0.85, 0.05, 224],
  [1, 0.825, 0.075, 216],
  [1.5, 0.79, 0.095, 220],
  [2, 0.755, 0.11, 230],
  [2.5, 0.715, 0.125, 241],
  [3, 0.675, 0.14, 253],
  [4, 0.61, 0.165, 275],
  [5, 0.56, 0.18, 298],
  [6, 0.515, 0.19, 322],
  [8, 0.45, 0.18, 350],
  [10, 0.39, 0.15, 370],
  [13, 0.29, 0.1, 385],
  [16, 0.18, 0.05, 390],
]);

/** Range of the colours of wave periods, s. */
export const periodRange = [0, 20] as const;

/** Ramp of wave periods: pale green for a short sea, blue and violet for a long swell. */
export const periodRamp = rampThrough(periodRange, [
  [0, 0.89, 0.04, 150],
  [4, 0.83, 0.075, 150],
  [6, 0.785, 0.095, 155],
  [8, 0.73, 0.105, 168],
  [10, 0.67, 0.105, 187],
  [12, 0.605, 0.105, 210],
  [14, 0.54, 0.12, 240],
  [16, 0.45, 0.14, 270],
  [18, 0.365, 0.14, 295],
  [20, 0.28, 0.11, 315],
]);

/** Range of the colours of currents, m/s. */
export const currentRange = [0, 2] as const;

/** Ramp of currents: slate blue for still water, aqua, then dark green; most of the colours lie below 2 kn. */
export const currentRamp = rampThrough(
  currentRange,
  [
    [0, 0.84, 0.03, 245],
    [0.25, 0.81, 0.055, 218],
    [0.5, 0.775, 0.08, 196],
    [1, 0.71, 0.105, 174],
    [1.5, 0.65, 0.12, 160],
    [2, 0.585, 0.125, 149],
    [2.5, 0.52, 0.115, 141],
    [3, 0.455, 0.1, 132],
    [4, 0.31, 0.07, 116],
  ],
  fromKnots,
);

export const pressureRamp = evenRamp(
  [0.29, 0.89],
  [0.11, 0.13, 0.13, 0.12, 0.1, 0.08, 0.07, 0.08, 0.07],
  [300, 290, 275, 255, 230, 205, 170, 140, 120],
);

/** Range of the colours of rain, mm/h; rain above 16 mm/h is called violent (WMO No. 8). */
export const rainRange = [0, 20] as const;

/**
 * Ramp of rain, from pale to dark blue and violet: moderate rain begins at 2.5 mm/h, heavy rain at 10 mm/h.
 */
export const rainRamp = rampThrough(rainRange, [
  [0, 0.9, 0.05, 215],
  [0.5, 0.84, 0.085, 225],
  [2.5, 0.69, 0.13, 248],
  [5, 0.58, 0.165, 266],
  [10, 0.45, 0.19, 298],
  [20, 0.28, 0.14, 335],
]);

export const capeRamp = evenRamp(
  [0.9, 0.29],
  [0.06, 0.09, 0.13, 0.15, 0.165, 0.175, 0.17, 0.145, 0.11],
  [100, 95, 80, 62, 45, 30, 15, 355, 330],
);

/** Ramp of sea temperature: dark violet through red and orange to pale yellow; warm water is light. */
export const thermalRamp = evenRamp(
  [0.2, 0.92],
  [0.1, 0.13, 0.14, 0.145, 0.155, 0.15, 0.14, 0.14, 0.12],
  [280, 285, 305, 340, 10, 35, 60, 85, 105],
);

/** Range of the colours of air temperature, °C. */
export const airRange = [-40, 45] as const;

/**
 * Ramp of air temperature: dark violet through blue and green, lighter up to the yellow of a summer's day, from
 * there darker, orange to the dark red of a desert.
 */
export const airRamp = rampThrough(airRange, [
  [-40, 0.25, 0.1, 305],
  [-25, 0.36, 0.14, 292],
  [-15, 0.45, 0.15, 278],
  [-5, 0.555, 0.14, 262],
  [0, 0.625, 0.125, 248],
  [5, 0.69, 0.11, 228],
  [10, 0.75, 0.105, 200],
  [15, 0.8, 0.12, 160],
  [20, 0.845, 0.135, 125],
  [24, 0.86, 0.145, 103],
  [28, 0.8, 0.16, 80],
  [32, 0.7, 0.18, 55],
  [36, 0.59, 0.19, 34],
  [40, 0.48, 0.17, 22],
  [45, 0.36, 0.13, 15],
]);

export const cloudRamp = evenRamp([0.5, 0.95], [0.09, 0.07, 0.045, 0.02, 0.005], [245, 243, 240, 240, 240]);

/**
 * Ramp of differences: dark teal for the largest deficit, pale where both are equal, dark brown for the largest excess.
 * Eyes that confuse red and green see blue and yellow; no other ramp of the map is pale in its middle.
 */
export const differenceRamp: Ramp = [
  [0.34, 0.075, 205],
  [0.48, 0.095, 200],
  [0.62, 0.1, 195],
  [0.76, 0.075, 192],
  [0.88, 0.012, 150],
  [0.78, 0.085, 82],
  [0.65, 0.12, 68],
  [0.51, 0.115, 58],
  [0.37, 0.09, 50],
];

/** Shares of members, per cent, at which each colour of the map begins; smaller shares have none. */
export const shareSteps = [5, 10, 20, 40, 60, 80] as const;

/** Hue of the statistics of ensembles, degrees: rose, which neither wind nor waves have. */
const ROSE = 345;

/** Ramp of shares of members, one colour for each step: more members are darker. */
export const shareRamp: Ramp = [
  [0.85, 0.055, ROSE],
  [0.75, 0.09, ROSE],
  [0.64, 0.115, ROSE],
  [0.53, 0.125, ROSE],
  [0.42, 0.11, ROSE],
  [0.31, 0.085, ROSE],
];

/** Ramp of shares of members at dusk: more members are lighter. */
export const shareDuskRamp: Ramp = [
  [0.54, 0.12, ROSE],
  [0.62, 0.13, ROSE],
  [0.7, 0.125, ROSE],
  [0.78, 0.11, ROSE],
  [0.86, 0.075, ROSE],
  [0.94, 0.035, ROSE],
];

/** Ramp of the spread of members: more spread is darker. */
export const spreadRamp = evenRamp(
  [0.87, 0.3],
  [0.045, 0.08, 0.105, 0.12, 0.12, 0.1, 0.08],
  Array.from({ length: 7 }, () => ROSE),
);

/** Ramp of the spread of members at dusk: more spread is lighter. */
export const spreadDuskRamp = evenRamp(
  [0.5, 0.93],
  [0.11, 0.13, 0.125, 0.11, 0.08, 0.04],
  Array.from({ length: 6 }, () => ROSE),
);

/** Shallow water is light, as on nautical charts. */
export const depthRamp = evenRamp(
  [0.91, 0.27],
  [0.04, 0.06, 0.075, 0.09, 0.1, 0.11, 0.11, 0.1, 0.08],
  [190, 196, 204, 216, 230, 246, 260, 270, 278],
);

/** A ramp whose lightness changes evenly. @param lightness Lightness of the first and the last colour. */
function evenRamp([first, last]: [number, number], chroma: readonly number[], hue: readonly number[]): Ramp {
  const step = (last - first) / (chroma.length - 1);
  return chroma.map((saturation, at) => [first + step * at, saturation, hue[at]!]);
}

/**
 * A ramp through colours at given values.
 *
 * @param range Values of the first and last colour, in the unit of the field.
 * @param stops Value, lightness, chroma and hue of each colour; hues may be below 0 or above 360 and are
 * interpolated along the circle.
 * @param toField Converts the values of the stops to the unit of the field, if they have another unit.
 */
function rampThrough(
  [low, high]: readonly [number, number],
  stops: readonly (readonly [value: number, lightness: number, chroma: number, hue: number])[],
  toField = (value: number) => value,
): Ramp {
  return Array.from({ length: POINTS }, (_, index) => {
    const value = low + ((high - low) * index) / (POINTS - 1);
    const next = stops.findIndex(([at], stop) => stop > 0 && toField(at) >= value);
    const to = stops.at(next)!;
    const from = stops.at(next < 0 ? -2 : next - 1)!;
    const share = Math.min(1, (value - toField(from[0])) / (toField(to[0]) - toField(from[0])));
    const mixed = (of: 1 | 2 | 3) => from[of] + (to[of] - from[of]) * share;
    return [mixed(1), mixed(2), mixed(3)] as const;
  });
}
