import type { Ramp } from "./variable-row.ts";

/*
 * Lightness changes evenly with the value, so that order survives colour blindness and grey print; the hue only helps.
 * What a sailor fears is dark: strong wind, high waves, low pressure.
 */

/** Pale to dark blue: a variable that names no ramp. */
export const plainRamp: Ramp = [
  [0.97, 0.01, 250],
  [0.63, 0.1, 250],
  [0.29, 0.08, 250],
];

/** Pale blue over blue and violet to dark red: wind and gusts, so that they compare. */
export const windRamp: Ramp = [
  [0.97, 0.012, 220],
  [0.885, 0.055, 220],
  [0.8, 0.095, 232],
  [0.715, 0.13, 250],
  [0.63, 0.165, 270],
  [0.545, 0.195, 295],
  [0.46, 0.19, 330],
  [0.375, 0.15, 5],
  [0.29, 0.105, 25],
];

export const waveRamp: Ramp = [
  [0.97, 0.02, 180],
  [0.885, 0.06, 185],
  [0.8, 0.09, 195],
  [0.715, 0.1, 210],
  [0.63, 0.11, 230],
  [0.545, 0.13, 255],
  [0.46, 0.15, 280],
  [0.375, 0.15, 310],
  [0.29, 0.11, 340],
];

export const currentRamp: Ramp = [
  [0.97, 0.03, 105],
  [0.885, 0.09, 108],
  [0.8, 0.12, 115],
  [0.715, 0.13, 125],
  [0.63, 0.13, 138],
  [0.545, 0.11, 150],
  [0.46, 0.09, 165],
  [0.375, 0.07, 190],
  [0.29, 0.06, 220],
];

export const pressureRamp: Ramp = [
  [0.29, 0.11, 300],
  [0.375, 0.13, 290],
  [0.46, 0.13, 275],
  [0.545, 0.12, 255],
  [0.63, 0.1, 230],
  [0.715, 0.08, 200],
  [0.8, 0.07, 150],
  [0.885, 0.08, 110],
  [0.97, 0.05, 95],
];

export const rainRamp: Ramp = [
  [0.97, 0.005, 240],
  [0.885, 0.06, 240],
  [0.8, 0.105, 245],
  [0.715, 0.14, 252],
  [0.63, 0.17, 260],
  [0.545, 0.19, 272],
  [0.46, 0.19, 290],
  [0.375, 0.17, 310],
  [0.29, 0.13, 330],
];

export const capeRamp: Ramp = [
  [0.97, 0.015, 100],
  [0.885, 0.09, 95],
  [0.8, 0.13, 80],
  [0.715, 0.15, 62],
  [0.63, 0.165, 45],
  [0.545, 0.175, 30],
  [0.46, 0.17, 15],
  [0.375, 0.145, 355],
  [0.29, 0.11, 330],
];

/** Dark violet over red and orange to pale yellow: temperatures, the warm ones light. */
export const thermalRamp: Ramp = [
  [0.2, 0.1, 280],
  [0.295, 0.13, 285],
  [0.39, 0.14, 305],
  [0.485, 0.145, 340],
  [0.58, 0.155, 10],
  [0.675, 0.15, 35],
  [0.77, 0.14, 60],
  [0.865, 0.14, 85],
  [0.96, 0.1, 105],
];

export const cloudRamp: Ramp = [
  [0.45, 0.09, 245],
  [0.58, 0.07, 243],
  [0.71, 0.045, 240],
  [0.84, 0.02, 240],
  [0.97, 0.003, 240],
];

/** Shoals light, as on every chart. */
export const depthRamp: Ramp = [
  [0.97, 0.04, 110],
  [0.885, 0.075, 150],
  [0.8, 0.085, 180],
  [0.715, 0.09, 205],
  [0.63, 0.1, 228],
  [0.545, 0.11, 248],
  [0.46, 0.11, 265],
  [0.375, 0.1, 278],
  [0.29, 0.08, 288],
];
