import { type DrawnVariable, drawnVariables, layerRow, paintedOutput } from "#lib/catalog/colours.ts";
import type { Reading } from "#lib/catalog/variable-row.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Words } from "#lib/words/en.ts";

/** A layer of the map: a variable painted in colours, or the plain map. */
export type LayerName = DrawnVariable | "none";

export const layerNames: readonly LayerName[] = [...drawnVariables, "none"];

/** The variable that a layer paints; undefined for the plain map. */
export function paintedBy(layer: LayerName): DrawnVariable | undefined {
  return layer === "none" ? undefined : layer;
}

/** The layer that a query asks for (parameter `l`); the first for none, or one that there is not. */
export function requestedLayer(search: string): LayerName {
  const asked = new URLSearchParams(search).get("l");
  return layerNames.find((name) => name === asked) ?? drawnVariables[0];
}

/** Layers in the order of the chooser: those with a button of their own (keys 1 to 3), then those under More. */
export const layers = {
  first: drawnVariables.filter((name) => layerRow(name).primary),
  more: layerNames.filter((name) => name === "none" || !layerRow(name).primary),
};

/** Name of a layer on its button. */
export function layerName(name: LayerName, { catalog }: Words): string {
  return catalog.layers[name];
}

/** Title of what a layer shows. */
export function layerTitle(name: LayerName, words: Words): string {
  const painted = paintedBy(name);
  return painted ? paintedTitle(painted, words) : words.catalog.plainMap;
}

/** Title of the public number that the colours of a layer show. */
export function paintedTitle(name: DrawnVariable, { catalog }: Words): string {
  return catalog.outputs[paintedOutput(name).point];
}

/** The preferred ingest source of a layer. */
export function firstSource(name: DrawnVariable): string {
  return variable(name).sources[0] ?? "gfs";
}

/** How values of a variable are written where that differs from the default. */
export function readingOf(name: VariableName): Reading | undefined {
  return variable(name).reading;
}
