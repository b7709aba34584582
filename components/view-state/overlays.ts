import {
  type DrawnVariable,
  drawnVariables,
  type LinedVariable,
  layerRow,
  type PrimaryVariable,
  paintedOutput,
  variableOf,
} from "#lib/catalog/colours.ts";
import {
  layerOf,
  type PaintedName,
  paintedStatistic,
  paintedStatistics,
  paintedUnit,
} from "#lib/catalog/painted.ts";
import type { LayerRow, Reading } from "#lib/catalog/variable-row.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import { formatUngrouped, inUnit } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { defaultUnits, differenceUnit, type Unit, type Units, unitFor } from "#lib/units.ts";

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

export type LayerName = PaintedName | "none";

export const layerNames: readonly LayerName[] = [
  ...drawnVariables,
  ...paintedStatistics.map(({ name }) => name),
  "none",
];

/** Layers that are not statistics of another one. */
const ownLayers = [...drawnVariables, "none"] as const;

/** Display name of a variable, which is that of its layer. */
export function variableTitle(name: VariableName, { catalog }: Words): string {
  return { ...catalog.variables, ...catalog.layers }[name];
}

/** The quantity or statistic that a layer paints; undefined for the plain map. */
export function paintedBy(layer: LayerName): PaintedName | undefined {
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
  layers: ownLayers.filter((name) => (name === "none" ? "sea" : (layerRow(name).group ?? "sea")) === group),
}));

/** Name of a layer on its button. */
export function layerName(name: LayerName, words: Words, units = defaultUnits): string {
  if (name === "none") return words.catalog.layers.none;
  const layer = words.catalog.layers[layerOf(name)];
  const statistic = paintedStatistic(name);
  const { statistics } = words.catalog;
  if (!statistic) return layer;
  if (statistic.is === "spread") return statistics.spread({ name: layer });
  const limit = limitText(statistic.threshold.value, limitUnit(layerOf(name), units, words));
  return statistics.over({ name: layer, limit, hours: statistic.hours });
}

/** Unit in which a limit of a layer is written. */
export const limitUnit = (layer: DrawnVariable, units: Units, words: Words): Unit =>
  unitFor(paintedOutput(layer).unit, units, readingOf(layer), words);

/** A limit with its unit: `34 kn`, `2.5 m`, `4 m`. @param value In the unit of the API. */
export function limitText(value: number, unit: Unit): string {
  const number = Number(unit.to(value).toFixed(unit.decimals));
  const decimals = Number.isInteger(number) ? 0 : unit.decimals;
  return inUnit(formatUngrouped(number, decimals, unit.words.language), unit.symbol, unit.words);
}

export function layerTitle(name: LayerName, words: Words): string {
  const painted = paintedBy(name);
  return painted ? paintedTitle(painted, words) : words.catalog.plainMap;
}

/** Title of what a layer's colours show: a public number, or a statistic of members. */
export function paintedTitle(name: PaintedName, words: Words): string {
  if (paintedStatistic(name)) return layerName(name, words);
  return words.catalog.outputs[paintedOutput(layerOf(name)).point];
}

/**
 * Unit in which numbers of what is painted are shown: those of shares in per cent, and those of a spread as a difference
 * of two values, because a spread of Beaufort forces means nothing.
 */
export function paintedUnitFor(name: PaintedName, units: Units, words: Words): Unit {
  const unitOf = paintedStatistic(name)?.is === "spread" ? differenceUnit : unitFor;
  return unitOf(paintedUnit(name), units, readingOf(name), words);
}

/** How values of a variable are formatted, if that differs from the default. */
export function readingOf(name: PaintedName | VariableName): Reading | undefined {
  return variable(variableOf(layerOf(name as PaintedName))).reading;
}
