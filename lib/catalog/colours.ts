import { fields } from "./fields.ts";
import { differenceRamp, plainRamp } from "./ramps.ts";
import type { LayerRow, OutputLayer, Ramp } from "./variable-row.ts";
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
  /** The painted quantity: `length` is the length of the vector of the first two bands, `value` the first band. */
  paints: "length" | "value";
  /**
   * Values of the first and last colour, in the unit of the stored field; values outside the range take the
   * end colours.
   */
  range: readonly [low: number, high: number];
  ramp: Ramp;
  /** Colours that are light by day are also bright at night. By default the dark ones become bright. */
  lightByNight?: true;
  /** Colours below this value fade: see `LayerRow`. */
  solidFrom?: number;
  /**
   * Values at which each colour of the ramp begins, ascending; values below the first have no colour. Without steps the
   * colours blend.
   */
  steps?: readonly number[];
  /** Ramp at dusk in place of `ramp`, whose colours of large values would be darker than the sea of that theme. */
  duskRamp?: Ramp;
}

/** Entries of a colour table. */
export const COLOURS = 256;

/**
 * A quantity that the map can draw: a variable (its first output is painted) or another output of a variable.
 */
export type DrawnVariable =
  | { [N in VariableName]: (typeof variables)[N] extends { layer: false } ? never : N }[VariableName]
  | OutputLayerName;

/** A variable that has its own button. */
export type PrimaryVariable = {
  [N in VariableName]: (typeof variables)[N] extends { layer: { primary: true } } ? N : never;
}[VariableName];

type OutputLayerName = {
  [N in VariableName]: (typeof variables)[N] extends { outputLayers: infer L } ? keyof L : never;
}[VariableName];

/** A variable that the map draws as isolines. */
export type LinedVariable = {
  [N in VariableName]: (typeof variables)[N] extends { layer: { isolines: object } } ? N : never;
}[VariableName];

/** A variable that is mentioned in the panel line of another variable. */
export type MentionedVariable = {
  [N in VariableName]: (typeof variables)[N] extends { mention: object } ? N : never;
}[VariableName];

/** The variable and the row of each layer in `outputLayers`, by layer name. */
const outputLayers = new Map<string, { of: VariableName; row: OutputLayer }>(
  variableNames.flatMap((of) =>
    Object.entries(variable(of).outputLayers ?? {}).map(([name, row]) => [name, { of, row }] as const),
  ),
);

/** Sorted as in the list of layers. */
export const drawnVariables = [
  ...variableNames.filter((name): name is DrawnVariable & VariableName => variable(name).layer !== false),
  ...(outputLayers.keys() as Iterable<OutputLayerName>),
].sort((one, other) => orderOf(one) - orderOf(other)) as [DrawnVariable, ...DrawnVariable[]];

export const colourScales = Object.fromEntries(
  drawnVariables.map((name) => [name, colourScale(name)]),
) as Readonly<Record<DrawnVariable, ColourScale>>;

/** How the map draws a variable. */
export function layerRow(name: DrawnVariable): LayerRow {
  return outputLayers.get(name)?.row ?? (variable(variableOf(name)).layer || {});
}

/** The variable whose output a layer paints. */
export function variableOf(name: DrawnVariable | VariableName): VariableName {
  return outputLayers.get(name)?.of ?? (name as VariableName);
}

/**
 * The public output that a layer's colours show: the one the layer names, else the first output that is a
 * speed or value.
 */
export function paintedOutput(name: DrawnVariable): Output {
  const { outputs } = variable(variableOf(name));
  const paints = outputLayers.get(name)?.row.paints;
  const isPainted = ({ point, is }: Output) =>
    paints === undefined ? is === "speed" || is === "value" : point === paints;
  return (outputs.find(isPainted) ?? outputs[0]) as Output;
}

/** The public direction that belongs to the output a layer paints. */
export function directionOutput(name: DrawnVariable): Output | undefined {
  const [painted] = paintedOutput(name).of;
  return variable(variableOf(name)).outputs.find((output) =>
    output.is === "bearing" ? output.magnitude === painted : output.is.startsWith("bearing"),
  );
}

/** The public period that belongs to the output a layer paints; only waves have one. */
export function periodOutput(name: DrawnVariable): Output | undefined {
  return variable(variableOf(name)).outputs.find(({ unit }) => unit === "s");
}

/** The variables that a layer's panel line mentions, such as gusts beside wind. */
export function mentionedIn(name: DrawnVariable): MentionedVariable[] {
  return variableNames.filter((other): other is MentionedVariable => variable(other).mention?.in === name);
}

/** The variable whose bands are all in a frame. @param names Stored fields of the frame. */
export function variableOfBands(names: readonly string[]): DrawnVariable | undefined {
  return drawnVariables.find((name) => colourScales[name].bands.every((band) => names.includes(band)));
}

function orderOf(name: DrawnVariable): number {
  return layerRow(name).order ?? Number.MAX_SAFE_INTEGER;
}

function colourScale(name: DrawnVariable): ColourScale {
  const painted = paintedOutput(name);
  const { min, max } = fields[painted.of[0]];
  const { range = [min, max], ramp = plainRamp, lightByNight, solidFrom } = layerRow(name);
  return {
    bands: [...new Set<FieldName>([...painted.of, ...(directionOutput(name)?.of ?? [])])],
    paints: painted.is === "speed" ? "length" : "value",
    range,
    ramp,
    ...(lightByNight && { lightByNight }),
    ...(solidFrom !== undefined && { solidFrom }),
  };
}

/** Share of a variable's range that the colours of its differences reach on either side of zero. */
const [SHARE_FROM_ZERO, SHARE] = [1 / 4, 1 / 8];

const differences = new Map<DrawnVariable, ColourScale>();

/**
 * The colours of the difference of two fields of a variable, symmetric about zero. Quantities that begin at zero differ
 * by a larger share of their range than temperatures and pressures do.
 */
export function differenceScale(name: DrawnVariable): ColourScale {
  const { bands, paints, range } = colourScales[name];
  const [low, high] = range;
  const end = (high - low) * (low === 0 ? SHARE_FROM_ZERO : SHARE);
  const scale = differences.get(name) ?? { bands, paints, range: [-end, end], ramp: differenceRamp };
  differences.set(name, scale);
  return scale;
}

/**
 * The 256 colours of a scale, interpolated in OKLab (Ottosson 2020), which makes the steps look even. Colours
 * are opaque from `solidFrom` on.
 *
 * @returns RGBA bytes, 4 × 256, lowest value first.
 */
export function colourTable({
  ramp,
  range: [low, high],
  solidFrom = low,
  steps,
}: Pick<ColourScale, "ramp" | "range" | "solidFrom" | "steps">): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(4 * COLOURS);
  const begins = steps?.map((step) => colourIndex(step, [low, high]));
  const firstSolid = ((solidFrom - low) / (high - low)) * (COLOURS - 1);
  for (let index = 0; index < COLOURS; index++) {
    const reached = begins?.findLastIndex((begin) => begin <= index);
    if (reached === -1) {
      // It is white, so that at night the first colour is brighter than none.
      table.set([255, 255, 255, 0], 4 * index);
      continue;
    }
    const at = reached ?? (index / (COLOURS - 1)) * (ramp.length - 1);
    const point = Math.min(Math.floor(at), ramp.length - 2);
    const from = toLab(ramp[point] ?? [0, 0, 0]);
    const to = toLab(ramp[point + 1] ?? [0, 0, 0]);
    const share = at - point;
    const [red, green, blue] = toSrgb(
      from[0] + (to[0] - from[0]) * share,
      from[1] + (to[1] - from[1]) * share,
      from[2] + (to[2] - from[2]) * share,
    );
    const opacity = steps || index >= firstSolid ? 255 : Math.round((255 * index) / firstSolid);
    table.set([red, green, blue, opacity], 4 * index);
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
  const [red, green, blue, opacity = 255] = table.subarray(4 * index, 4 * index + 4);
  const alpha = opacity === 255 ? "" : ` / ${(opacity / 255).toFixed(2)}`;
  return `rgb(${red} ${green} ${blue}${alpha})`;
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
