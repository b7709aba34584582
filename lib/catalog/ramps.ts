import { fromKnots } from "@open-metocean/geo/knots";
import type { Ramp } from "./variable-row.ts";

/*
 * Lightness changes evenly with the value, so the order of values stays visible with colour blindness and in
 * grey print; hue is only an aid. Hazardous values are dark: strong wind, high waves, low pressure.
 */

/** Number of control points of a ramp; for wind this is about one per knot. */
const POINTS = 81;

/** The ramp of a variable that names none: pale to dark blue. */
export const plainRamp = evenRamp([0.97, 0.29], [0.01, 0.1, 0.08], [250, 250, 250]);

/** Range of the colours of wind and gusts, m/s. Both share it, so a colour means the same speed in both. */
export const windRange = [0, 40] as const;

/**
 * Ramp shared by wind and gusts, so that they can be compared: pale when calm, blue and green up to a fresh
 * breeze, yellow at force 6, crimson from gale force, nearly black beyond hurricane force. Colours change
 * fastest from 8 to 25 kn, the range in which people sail.
 */
export const windRamp = rampThrough(
  windRange,
  [
    [0, 0.98, 0.012, 230],
    [5, 0.962, 0.025, 225],
    [8, 0.945, 0.04, 220],
    [11, 0.91, 0.075, 205],
    [14, 0.88, 0.11, 180],
    [17, 0.85, 0.15, 152],
    [20, 0.82, 0.175, 126],
    [22, 0.79, 0.165, 102],
    [25, 0.73, 0.155, 74],
    [28, 0.665, 0.165, 52],
    [31, 0.59, 0.175, 34],
    [34, 0.525, 0.195, 18],
    [41, 0.46, 0.185, 8],
    [48, 0.4, 0.165, -5],
    [56, 0.33, 0.145, -25],
    [64, 0.255, 0.115, -45],
    [78, 0.13, 0.05, -55],
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
  [0, 0.975, 0.015, 210],
  [0.5, 0.945, 0.04, 205],
  [1, 0.9, 0.07, 205],
  [1.5, 0.855, 0.09, 215],
  [2, 0.81, 0.105, 228],
  [2.5, 0.765, 0.118, 240],
  [3, 0.72, 0.13, 252],
  [4, 0.645, 0.155, 275],
  [5, 0.585, 0.175, 298],
  [6, 0.535, 0.19, 322],
  [8, 0.46, 0.18, 350],
  [10, 0.4, 0.15, 370],
  [13, 0.29, 0.1, 385],
  [16, 0.18, 0.05, 390],
]);

/** Range of the colours of wave periods, s. */
export const periodRange = [0, 20] as const;

/** Ramp of wave periods: pale green for a short sea, blue and violet for a long swell. */
export const periodRamp = rampThrough(periodRange, [
  [0, 0.97, 0.02, 110],
  [4, 0.92, 0.06, 130],
  [6, 0.86, 0.09, 150],
  [8, 0.79, 0.105, 165],
  [10, 0.71, 0.105, 185],
  [12, 0.63, 0.105, 210],
  [14, 0.55, 0.12, 240],
  [16, 0.46, 0.14, 270],
  [18, 0.37, 0.14, 295],
  [20, 0.28, 0.11, 315],
]);

export const currentRamp = evenRamp(
  [0.97, 0.29],
  [0.03, 0.09, 0.12, 0.13, 0.13, 0.11, 0.09, 0.07, 0.06],
  [105, 108, 115, 125, 138, 150, 165, 190, 220],
);

export const pressureRamp = evenRamp(
  [0.29, 0.97],
  [0.11, 0.13, 0.13, 0.12, 0.1, 0.08, 0.07, 0.08, 0.05],
  [300, 290, 275, 255, 230, 200, 150, 110, 95],
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
  [0.97, 0.29],
  [0.06, 0.09, 0.13, 0.15, 0.165, 0.175, 0.17, 0.145, 0.11],
  [100, 95, 80, 62, 45, 30, 15, 355, 330],
);

/** Ramp of sea temperature: dark violet through red and orange to pale yellow; warm water is light. */
export const thermalRamp = evenRamp(
  [0.2, 0.96],
  [0.1, 0.13, 0.14, 0.145, 0.155, 0.15, 0.14, 0.14, 0.1],
  [280, 285, 305, 340, 10, 35, 60, 85, 105],
);

/** Range of the colours of air temperature, °C. */
export const airRange = [-40, 45] as const;

/**
 * Ramp of air temperature, distinct from that of the sea: dark violet through blue and green to pale yellow,
 * with most of the colours from −5 to 30 °C.
 */
export const airRamp = rampThrough(airRange, [
  [-40, 0.16, 0.06, 310],
  [-25, 0.26, 0.11, 295],
  [-15, 0.34, 0.14, 280],
  [-5, 0.43, 0.14, 262],
  [0, 0.49, 0.13, 250],
  [5, 0.555, 0.12, 232],
  [10, 0.62, 0.105, 212],
  [15, 0.685, 0.105, 180],
  [20, 0.75, 0.125, 150],
  [25, 0.815, 0.145, 122],
  [30, 0.87, 0.15, 104],
  [36, 0.92, 0.12, 96],
  [45, 0.97, 0.05, 95],
]);

export const cloudRamp = evenRamp([0.45, 0.97], [0.09, 0.07, 0.045, 0.02, 0.003], [245, 243, 240, 240, 240]);

/** Shallow water is light, as on nautical charts. */
export const depthRamp = evenRamp(
  [0.97, 0.29],
  [0.04, 0.075, 0.085, 0.09, 0.1, 0.11, 0.11, 0.1, 0.08],
  [110, 150, 180, 205, 228, 248, 265, 278, 288],
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
