import { type DrawnVariable, drawnVariables, layerRow } from "#lib/catalog/colours.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Reading } from "#lib/units.ts";

/** A layer of the map: a variable in colours, or the plain map. */
export type LayerName = DrawnVariable | "none";

export const layerNames: readonly LayerName[] = [...drawnVariables, "none"];

/** The variable that a layer paints. */
export function paintedBy(layer: LayerName): DrawnVariable | undefined {
  return layer === "none" ? undefined : layer;
}

/** Layers that have a button of their own (the digits 1 to 3 choose them), and those under More. */
export const layers = {
  first: drawnVariables.filter((name) => layerRow(name).primary),
  more: layerNames.filter((name) => name === "none" || !layerRow(name).primary),
};

/** Name of a layer on its button. */
export function layerName(name: LayerName): string {
  if (name === "none") return "Plain map";
  return layerRow(name).name ?? variable(name).title;
}

/** The ingest source that fills a layer, of several the best. */
export function firstSource(name: DrawnVariable): string {
  return variable(name).sources[0] ?? "gfs";
}

/** How the numbers of a variable are read, where that is not as usual. */
export function readingOf(name: VariableName): Reading | undefined {
  return variable(name).reading;
}
