import {
  type DrawnVariable,
  drawnVariables,
  type LinedVariable,
  layerRow,
  type PrimaryVariable,
  paintedOutput,
  variableOf,
} from "#lib/catalog/colours.ts";
import type { LayerRow, Reading } from "#lib/catalog/variable-row.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Words } from "#lib/messages/words.ts";

interface OverlayChoice {
  /** Drawn unless the link or the user switches it off: always, or from `NEAR_ZOOM` on. */
  byDefault: boolean | "near";
  /** Layers on which it is offered; all layers if omitted. */
  with?: readonly LayerName[];
  /** The variable whose lines it draws over any other layer. */
  lines?: LinedVariable;
}

const layersWith = (drawn: (row: LayerRow) => unknown): readonly DrawnVariable[] =>
  drawnVariables.filter((name) => drawn(layerRow(name)));

export const linedVariables = layersWith((row) => row.isolines) as readonly LinedVariable[];

/** Overlays that can be drawn on top of the coloured field: one row per switch of the menu, in its order. */
const overlayChoices = {
  barbs: { byDefault: true, with: layersWith((row) => row.symbols === "barbs") },
  arrows: { byDefault: true, with: layersWith((row) => row.symbols === "arrows") },
  // Lines of the layer's own variable, at full resolution; `isobars` and `heights` are drawn at half a
  // degree.
  isolines: { byDefault: true, with: linedVariables },
  isobars: { byDefault: false, lines: "pressure" },
  heights: { byDefault: false, lines: "wave" },
  particles: { byDefault: false, with: layersWith((row) => row.particlePace) },
  names: { byDefault: true },
  storms: { byDefault: true },
  boxes: { byDefault: true },
  tides: { byDefault: "near" },
  graticule: { byDefault: "near" },
} as const satisfies Record<string, OverlayChoice>;

export type Overlay = keyof typeof overlayChoices;

export const overlayNames = Object.keys(overlayChoices) as Overlay[];

/** Zoom of the map from which a harbour and its approaches fill it. */
export const NEAR_ZOOM = 8;

const nearOverlays = overlayNames.filter((name) => overlayChoices[name].byDefault);
const farOverlays = nearOverlays.filter((name) => overlayChoices[name].byDefault !== "near");

/** Overlays that are drawn at a zoom of the map unless others are chosen. */
export function defaultOverlays(zoom: number): Overlay[] {
  return zoom >= NEAR_ZOOM ? nearOverlays : farOverlays;
}

/** The row of an overlay, with the common type of all rows. */
function overlayChoice(name: Overlay): OverlayChoice {
  return overlayChoices[name];
}

export function isOffered(name: Overlay, layer: LayerName): boolean {
  const { with: layers, lines } = overlayChoice(name);
  return lines ? lines !== layer : (layers?.includes(layer) ?? true);
}

/** Label of an overlay's switch on a layer. */
export function overlayTitle(name: Overlay, layer: LayerName, { catalog, screen }: Words): string {
  const own = name === "isolines" ? linedVariables.find((variable) => variable === layer) : undefined;
  const drawn = own ?? overlayChoice(name).lines;
  return drawn ? catalog.lines[drawn] : screen.overlays[name as keyof typeof screen.overlays];
}

/**
 * The overlay that draws the lines of a variable: `isolines` if the layer paints that variable. undefined if
 * none does; lines of wind are drawn over its own colours only.
 */
export function linesOverlay(lined: LinedVariable, layer: LayerName): Overlay | undefined {
  if (lined === layer) return "isolines";
  return overlayNames.find((name) => overlayChoice(name).lines === lined);
}

export function drawsLines(lined: LinedVariable, layer: LayerName, shown: readonly Overlay[]): boolean {
  const overlay = linesOverlay(lined, layer);
  return overlay !== undefined && shown.includes(overlay);
}

export function toggled(shown: readonly Overlay[], name: Overlay): Overlay[] {
  return overlayNames.filter((overlay) => (overlay === name) !== shown.includes(overlay));
}

/** Overlays that draw the layer's own field as symbols. */
const symbols = ["barbs", "arrows", "isolines", "particles"] as const satisfies readonly Overlay[];

export function symbolsOf(layer: LayerName, shown: readonly Overlay[]) {
  return symbols.filter((name) => shown.includes(name) && overlayChoice(name).with?.includes(layer));
}

export type LayerName = DrawnVariable | "none";

export const layerNames: readonly LayerName[] = [...drawnVariables, "none"];

/** Display name of a variable, which is that of its layer. */
export function variableTitle(name: VariableName, { catalog }: Words): string {
  return { ...catalog.variables, ...catalog.layers }[name];
}

/** The variable that a layer paints; undefined for the plain map. */
export function paintedBy(layer: LayerName): DrawnVariable | undefined {
  return layer === "none" ? undefined : layer;
}

/** The layers of the keys 1 to 3. */
export const layers = {
  first: drawnVariables.filter((name): name is PrimaryVariable => layerRow(name).primary === true),
};

/** Layers that have a button of their own on wide screens. */
export const favouriteLayers = [
  "wind",
  "gust",
  "wave",
  "swell",
  "current",
  "rain",
] as const satisfies readonly LayerName[];

/** Layers by group, in the order of the list; the plain map is the last of the sea. */
export const layerGroups = (["wind", "sea", "sky"] as const).map((group) => ({
  group,
  layers: layerNames.filter((name) => (name === "none" ? "sea" : (layerRow(name).group ?? "sea")) === group),
}));

/** Name of a layer on its button. */
export function layerName(name: LayerName, { catalog }: Words): string {
  return catalog.layers[name];
}

export function layerTitle(name: LayerName, words: Words): string {
  const painted = paintedBy(name);
  return painted ? paintedTitle(painted, words) : words.catalog.plainMap;
}

/** Title of the public number that a layer's colours show. */
export function paintedTitle(name: DrawnVariable, { catalog }: Words): string {
  return catalog.outputs[paintedOutput(name).point];
}

/** How values of a variable are formatted, if that differs from the default. */
export function readingOf(name: DrawnVariable | VariableName): Reading | undefined {
  return variable(variableOf(name)).reading;
}
