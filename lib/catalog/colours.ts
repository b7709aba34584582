import { fields } from "./fields.ts";
import { plainRamp } from "./ramps.ts";
import type { LayerRow, Ramp } from "./variable-row.ts";
import {
  type FieldName,
  type Output,
  type VariableName,
  variable,
  variableNames,
  type variables,
} from "./variables.ts";

/** How a variable is painted. Colours do not depend on the unit that people choose. */
export interface ColourScale {
  /** Stored fields that the map needs, in the order of a frame's bands: what is painted, then its direction. */
  bands: readonly FieldName[];
  /** What is painted: the length of the vector of the first two bands, or the first band. */
  paints: "length" | "value";
  /** Values of the first and last colour, in the unit of the stored field; values beyond them take the end colours. */
  range: readonly [low: number, high: number];
  ramp: Ramp;
  /** What is light by day is bright at night too; by default what is dark by day is. */
  lightByNight?: true;
}

/** Entries of a colour table. */
export const COLOURS = 256;

/** A variable that the map can draw. */
export type DrawnVariable = {
  [N in VariableName]: (typeof variables)[N] extends { layer: false } ? never : N;
}[VariableName];

/** A variable that is drawn as lines of equal value. */
export type LinedVariable = {
  [N in DrawnVariable]: (typeof variables)[N] extends { layer: { isolines: object } } ? N : never;
}[DrawnVariable];

/** A variable that the line of another mentions. */
export type MentionedVariable = {
  [N in VariableName]: (typeof variables)[N] extends { mention: object } ? N : never;
}[VariableName];

/** In the order of the list of layers. */
export const drawnVariables = variableNames
  .filter((name): name is DrawnVariable => variable(name).layer !== false)
  .sort((one, other) => orderOf(one) - orderOf(other)) as [DrawnVariable, ...DrawnVariable[]];

export const colourScales = Object.fromEntries(
  drawnVariables.map((name) => [name, colourScale(name)]),
) as Readonly<Record<DrawnVariable, ColourScale>>;

/** How the map draws a variable. */
export function layerRow(name: DrawnVariable): LayerRow {
  return variable(name).layer || {};
}

/** The public number that the colours of a layer show: the first speed or value. */
export function paintedOutput(name: DrawnVariable): Output {
  const { outputs } = variable(name);
  return (outputs.find(({ is }) => is === "speed" || is === "value") ?? outputs[0]) as Output;
}

/** The public direction that belongs to what a layer paints. */
export function directionOutput(name: DrawnVariable): Output | undefined {
  return variable(name).outputs.find(({ is }) => is.startsWith("bearing"));
}

/** The public period that belongs to what a layer paints: waves have one. */
export function periodOutput(name: DrawnVariable): Output | undefined {
  return variable(name).outputs.find(({ unit }) => unit === "s");
}

/** The variables that the line of a layer mentions: gusts beside wind. */
export function mentionedIn(name: DrawnVariable): MentionedVariable[] {
  return variableNames.filter((other): other is MentionedVariable => variable(other).mention?.in === name);
}

/** The variable that a frame has every band of. @param names Stored fields. */
export function variableOfBands(names: readonly string[]): DrawnVariable | undefined {
  return drawnVariables.find((name) => colourScales[name].bands.every((band) => names.includes(band)));
}

function orderOf(name: DrawnVariable): number {
  return layerRow(name).order ?? Number.MAX_SAFE_INTEGER;
}

function colourScale(name: DrawnVariable): ColourScale {
  const painted = paintedOutput(name);
  const { range, ramp = plainRamp, lightByNight } = layerRow(name);
  return {
    bands: [...new Set<FieldName>([...painted.of, ...(directionOutput(name)?.of ?? [])])],
    paints: painted.is === "speed" ? "length" : "value",
    range: range ?? packedRange(painted.of[0]),
    ramp,
    ...(lightByNight ? { lightByNight } : {}),
  };
}

/** All that a field can hold, without negative numbers: a quantity that has them names its range. */
function packedRange(name: FieldName): [low: number, high: number] {
  const { scale, offset } = fields[name];
  return [Math.max(0, offset - 32_767 * scale), offset + 32_767 * scale];
}

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
 * A table that encodes its own index: red is the index, green 0, blue 255. Tests convert pixels back to values with it.
 */
export function probeTable(): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(4 * COLOURS);
  for (let index = 0; index < COLOURS; index++) table.set([index, 0, 255, 255], 4 * index);
  return table;
}

/** Index of a value in the table, as the shader of the field layer computes it. */
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
