import { toKnots } from "#lib/knots.ts";
import type { Ramp } from "./variable-row.ts";

/*
 * Lightness changes evenly with the value, so that order survives colour blindness and grey print; the hue only helps.
 * What a sailor fears is dark: strong wind, high waves, low pressure.
 */

/** Control points of a ramp through colours: about one a knot. */
const POINTS = 81;

/** Pale to dark blue: a variable that names no ramp. */
export const plainRamp = evenRamp([0.97, 0.29], [0.01, 0.1, 0.08], [250, 250, 250]);

/** Range of the colours of wind and gusts, m/s: one colour is one speed in both. */
export const windRange = [0, 40] as const;

/**
 * Wind and gusts, so that they compare: pale blue up to a fresh breeze, then blue, violet and red, nearly black beyond a
 * hurricane. Hue and lightness change fastest from 20 to 35 kn, where plans are made.
 */
export const windRamp = rampThrough(windRange, [
  [0, 0.975, 0.01, 225],
  [10, 0.915, 0.05, 220],
  [20, 0.82, 0.09, 227],
  [22, 0.78, 0.105, 236],
  [28, 0.685, 0.14, 266],
  [34, 0.59, 0.185, 306],
  [41, 0.53, 0.195, 335],
  [48, 0.48, 0.185, 368],
  [56, 0.425, 0.155, 386],
  [64, 0.355, 0.12, 398],
  [78, 0.2, 0.05, 400],
]);

export const waveRamp = evenRamp(
  [0.97, 0.29],
  [0.02, 0.06, 0.09, 0.1, 0.11, 0.13, 0.15, 0.15, 0.11],
  [180, 185, 195, 210, 230, 255, 280, 310, 340],
);

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

export const rainRamp = evenRamp(
  [0.97, 0.29],
  [0.035, 0.06, 0.105, 0.14, 0.17, 0.19, 0.19, 0.17, 0.13],
  [200, 225, 245, 252, 260, 272, 290, 310, 330],
);

export const capeRamp = evenRamp(
  [0.97, 0.29],
  [0.06, 0.09, 0.13, 0.15, 0.165, 0.175, 0.17, 0.145, 0.11],
  [100, 95, 80, 62, 45, 30, 15, 355, 330],
);

/** Dark violet over red and orange to pale yellow: temperatures, the warm ones light. */
export const thermalRamp = evenRamp(
  [0.2, 0.96],
  [0.1, 0.13, 0.14, 0.145, 0.155, 0.15, 0.14, 0.14, 0.1],
  [280, 285, 305, 340, 10, 35, 60, 85, 105],
);

export const cloudRamp = evenRamp([0.45, 0.97], [0.09, 0.07, 0.045, 0.02, 0.003], [245, 243, 240, 240, 240]);

/** Shoals light, as on every chart. */
export const depthRamp = evenRamp(
  [0.97, 0.29],
  [0.04, 0.075, 0.085, 0.09, 0.1, 0.11, 0.11, 0.1, 0.08],
  [110, 150, 180, 205, 228, 248, 265, 278, 288],
);

/** @param lightness Of the first and the last colour; it changes evenly in between. */
function evenRamp([first, last]: [number, number], chroma: readonly number[], hue: readonly number[]): Ramp {
  const step = (last - first) / (chroma.length - 1);
  return chroma.map((saturation, at) => [first + step * at, saturation, hue[at]!]);
}

/**
 * A ramp through colours at given speeds.
 *
 * @param range Values of the first and last colour, m/s.
 * @param stops Knots, lightness, chroma and hue; hues continue past 360 and are interpolated along the circle.
 */
function rampThrough([low, high]: readonly [number, number], stops: readonly number[][]): Ramp {
  return Array.from({ length: POINTS }, (_, index) => {
    const knots = toKnots(low + ((high - low) * index) / (POINTS - 1));
    const next = Math.max(
      1,
      stops.findIndex(([at = 0]) => at >= knots),
    );
    const [from = [], to = []] = [stops[next - 1], stops[next]];
    const share = (knots - (from[0] ?? 0)) / ((to[0] ?? 1) - (from[0] ?? 0));
    const mixed = (of: number) => (from[of] ?? 0) + ((to[of] ?? 0) - (from[of] ?? 0)) * share;
    return [mixed(1), mixed(2), mixed(3)] as const;
  });
}
