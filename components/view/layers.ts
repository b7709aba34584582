import { colourScales, type DrawnVariable, drawnVariables } from "#lib/catalog/colours.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";

const short: Partial<Record<VariableName, string>> = {
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

/** Layers that have a button of their own; the digits 1 to 3 choose them. */
const first: readonly VariableName[] = ["wind", "wave", "current"];

/** Layers in the order of the chooser: those with a button, and those under More. */
export const layers = {
  first: first.filter((name): name is DrawnVariable => (drawnVariables as readonly string[]).includes(name)),
  more: drawnVariables.filter((name) => !first.includes(name)),
};

/** Name of a layer on its button. */
export function layerName(name: DrawnVariable): string {
  return short[name] ?? variable(name).title;
}

/** The public number that the colours of a layer show. */
export function paintedOutput(name: DrawnVariable): Output {
  const { paints } = colourScales[name];
  const { outputs } = variable(name);
  return (
    outputs.find(({ is }) => (paints === "length" ? is === "speed" : is === "value")) ??
    (outputs[0] as Output)
  );
}

/** Currents are slow: their numbers have a decimal more. */
export function isSlow(name: VariableName): boolean {
  return name === "current";
}
