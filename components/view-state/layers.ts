import { colourScales, type DrawnVariable, drawnVariables } from "#lib/catalog/colours.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Reading } from "#lib/units.ts";

const shortNames: Partial<Record<VariableName, string>> = {
  wind: "Wind",
  wave: "Waves",
  current: "Current",
  gust: "Gusts",
  sst: "Sea temperature",
  rain: "Rain",
  mucape: "CAPE",
  temp: "Air temperature",
  cloud: "Cloud",
  pressure: "Pressure",
  bathy: "Depth",
};

/** A layer of the map: a variable painted in colours, or the plain map. */
export type LayerName = DrawnVariable | "none";

export const layerNames: readonly LayerName[] = [...drawnVariables, "none"];

/** The variable that a layer paints; undefined for the plain map. */
export function paintedBy(layer: LayerName): DrawnVariable | undefined {
  return layer === "none" ? undefined : layer;
}

/** Layers with a button of their own; keys 1 to 3 choose them. */
const first: readonly VariableName[] = ["wind", "wave", "current"];

/** Layers in the order of the chooser: those with a button, then those under More. */
export const layers = {
  first: first.filter((name): name is DrawnVariable => (drawnVariables as readonly string[]).includes(name)),
  more: layerNames.filter((name) => name === "none" || !first.includes(name)),
};

/** Name of a layer on its button. */
export function layerName(name: LayerName): string {
  if (name === "none") return "Plain map";
  return shortNames[name] ?? variable(name).title;
}

/** Title of what a layer shows. */
export function layerTitle(name: LayerName): string {
  const painted = paintedBy(name);
  return painted ? paintedOutput(painted).title : "Map";
}

/** The public output that the colours of a layer show. */
export function paintedOutput(name: DrawnVariable): Output {
  const { paints } = colourScales[name];
  const { outputs } = variable(name);
  return (
    outputs.find(({ is }) => (paints === "length" ? is === "speed" : is === "value")) ??
    (outputs[0] as Output)
  );
}

/** The preferred ingest source of a layer. */
export function firstSource(name: DrawnVariable): string {
  return variable(name).sources[0] ?? "gfs";
}

/** How values of a variable are written where that differs from the default. */
export function readingOf(name: VariableName): Reading | undefined {
  if (name === "bathy") return "deep";
  return name === "current" ? "slow" : undefined;
}
