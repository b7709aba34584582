import type { FieldName } from "./fields.ts";
import type { VariableName } from "./variables.ts";

/** How a variable is painted. Colours do not depend on the unit that people choose. */
export interface ColourScale {
  /** Stored fields that the map needs, in the order of a frame's planes. */
  planes: readonly FieldName[];
  /** What is painted: the length of the vector that the first two planes make, or the first plane. */
  paints: "length" | "value";
  /** Values of the first and last colour, in the unit of the stored field; beyond them the end colours hold. */
  range: readonly [number, number];
  /** Control points of the ramp, evenly spaced: OKLCH lightness 0..1, chroma, hue in degrees. */
  ramp: readonly (readonly [lightness: number, chroma: number, hue: number])[];
  /** What is light by day is bright at night too, as else only what is dark by day. */
  lightByNight?: true;
}

/** Entries of a colour table. */
export const COLOURS = 256;

type Ramp = ColourScale["ramp"];

/** Pale blue over blue and violet to dark red: wind and its gusts, so that they compare. */
const windRamp: Ramp = [
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

/** Dark violet over red and orange to pale yellow: temperatures, the warm ones light. */
const thermalRamp: Ramp = [
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

const WAVE = "sea_surface_wave";

/**
 * Scales of the variables that the map draws.
 *
 * Lightness changes evenly with the value, so that order survives colour blindness and grey print; the hue only helps.
 * What a sailor fears is dark: strong wind, high waves, low pressure. Depths alone are as on every chart, shoals light, and
 * stay so at night: most of the sea is deep, and shall not glow.
 */
export const colourScales = {
  wind: {
    planes: ["eastward_wind_10m", "northward_wind_10m"],
    paints: "length",
    range: [0, 32],
    ramp: windRamp,
  },
  gust: { planes: ["wind_speed_of_gust"], paints: "value", range: [0, 40], ramp: windRamp },
  wave: {
    // The direction is drawn by arrows.
    planes: [`${WAVE}_significant_height`, `${WAVE}_from_direction_x`, `${WAVE}_from_direction_y`],
    paints: "value",
    range: [0, 10],
    ramp: [
      [0.97, 0.02, 180],
      [0.885, 0.06, 185],
      [0.8, 0.09, 195],
      [0.715, 0.1, 210],
      [0.63, 0.11, 230],
      [0.545, 0.13, 255],
      [0.46, 0.15, 280],
      [0.375, 0.15, 310],
      [0.29, 0.11, 340],
    ],
  },
  current: {
    planes: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
    paints: "length",
    range: [0, 2],
    ramp: [
      [0.97, 0.03, 105],
      [0.885, 0.09, 108],
      [0.8, 0.12, 115],
      [0.715, 0.13, 125],
      [0.63, 0.13, 138],
      [0.545, 0.11, 150],
      [0.46, 0.09, 165],
      [0.375, 0.07, 190],
      [0.29, 0.06, 220],
    ],
  },
  pressure: {
    planes: ["air_pressure_at_mean_sea_level"],
    paints: "value",
    range: [960, 1040],
    ramp: [
      [0.29, 0.11, 300],
      [0.375, 0.13, 290],
      [0.46, 0.13, 275],
      [0.545, 0.12, 255],
      [0.63, 0.1, 230],
      [0.715, 0.08, 200],
      [0.8, 0.07, 150],
      [0.885, 0.08, 110],
      [0.97, 0.05, 95],
    ],
  },
  rain: {
    planes: ["precipitation_flux"],
    paints: "value",
    range: [0, 10],
    ramp: [
      [0.97, 0.005, 240],
      [0.885, 0.06, 240],
      [0.8, 0.105, 245],
      [0.715, 0.14, 252],
      [0.63, 0.17, 260],
      [0.545, 0.19, 272],
      [0.46, 0.19, 290],
      [0.375, 0.17, 310],
      [0.29, 0.13, 330],
    ],
  },
  mucape: {
    planes: ["atmosphere_convective_available_potential_energy"],
    paints: "value",
    range: [0, 4000],
    ramp: [
      [0.97, 0.015, 100],
      [0.885, 0.09, 95],
      [0.8, 0.13, 80],
      [0.715, 0.15, 62],
      [0.63, 0.165, 45],
      [0.545, 0.175, 30],
      [0.46, 0.17, 15],
      [0.375, 0.145, 355],
      [0.29, 0.11, 330],
    ],
  },
  temp: { planes: ["air_temperature"], paints: "value", range: [-30, 40], ramp: thermalRamp },
  sst: { planes: ["sea_surface_temperature"], paints: "value", range: [-2, 32], ramp: thermalRamp },
  cloud: {
    planes: ["cloud_area_fraction"],
    paints: "value",
    range: [0, 100],
    ramp: [
      [0.45, 0.09, 245],
      [0.58, 0.07, 243],
      [0.71, 0.045, 240],
      [0.84, 0.02, 240],
      [0.97, 0.003, 240],
    ],
  },
  bathy: {
    planes: ["sea_floor_depth_below_sea_surface"],
    paints: "value",
    range: [0, 6000],
    ramp: [
      [0.97, 0.04, 110],
      [0.885, 0.075, 150],
      [0.8, 0.085, 180],
      [0.715, 0.09, 205],
      [0.63, 0.1, 228],
      [0.545, 0.11, 248],
      [0.46, 0.11, 265],
      [0.375, 0.1, 278],
      [0.29, 0.08, 288],
    ],
    lightByNight: true,
  },
} as const satisfies Partial<Record<VariableName, ColourScale>>;

/** A variable that the map can draw. */
export type DrawnVariable = keyof typeof colourScales;

export const drawnVariables = Object.keys(colourScales) as [DrawnVariable, ...DrawnVariable[]];

/**
 * The 256 colours of a scale, interpolated in OKLab (Ottosson 2020), which keeps steps even to the eye.
 *
 * @returns RGBA bytes, 4 × 256, lowest value first.
 */
export function colourTable({ ramp }: Pick<ColourScale, "ramp">): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(4 * COLOURS);
  for (let index = 0; index < COLOURS; index++) {
    const at = (index / (COLOURS - 1)) * (ramp.length - 1);
    const low = Math.min(Math.floor(at), ramp.length - 2);
    const from = toLab(ramp[low] ?? [0, 0, 0]);
    const to = toLab(ramp[low + 1] ?? [0, 0, 0]);
    const share = at - low;
    const [red, green, blue] = toSrgb(
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
      from[2] + (to[2] - from[2]) * share,
    );
    table.set([red, green, blue, 255], 4 * index);
  }
  return table;
}

/**
 * A table that says its own index: red is the index, blue 255, green 0. Tests turn pixels back into values with it.
 */
export function probeTable(): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(4 * COLOURS);
  for (let index = 0; index < COLOURS; index++) table.set([index, 0, 255, 255], 4 * index);
  return table;
}

/** Entry of the table for a value, as the shader of the field layer computes it. */
export function colourIndex(value: number, [low, high]: readonly [number, number]): number {
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return Math.floor(share * (COLOURS - 1) + 0.5);
}

/** Colour of a table entry in CSS. */
export function cssColour(table: Uint8Array, index: number): string {
  return `rgb(${table[4 * index]} ${table[4 * index + 1]} ${table[4 * index + 2]})`;
}

type Lab = [lightness: number, a: number, b: number];

function toLab([lightness, chroma, hue]: ColourScale["ramp"][number]): Lab {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/** OKLab to sRGB bytes, clipped to the gamut. */
function toSrgb(lightness: number, a: number, b: number): [number, number, number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function gamma(linear: number): number {
  const light = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, light)));
}
