import { type ColourScale, colourScales, type DrawnVariable, layerRow, paintedOutput } from "./colours.ts";
import {
  ensembleQuantities,
  type Statistic,
  type StatisticKind,
  type StatisticName,
  statisticOf,
  statistics,
  type storedWindows,
} from "./ensemble.ts";
import { shareDuskRamp, shareRamp, shareSteps, spreadDuskRamp, spreadRamp } from "./ramps.ts";
import type { LayerRow } from "./variable-row.ts";

/** The map paints the quantity of a layer, or a statistic over the members of an ensemble. */
export type PaintedName = DrawnVariable | StatisticName;

type PaintedStatistic =
  | Extract<Statistic, { is: "share" }>
  | (Omit<Statistic, keyof StatisticKind> & { is: "spread" });

/** The map counts the members of quantities that have limits. */
const isPainted = (statistic: Statistic): statistic is Statistic & PaintedStatistic =>
  (statistic.is === "share" || statistic.is === "spread") && statistic.quantity.thresholds.length > 0;

/** The statistics that the map can paint. */
export const paintedStatistics: readonly PaintedStatistic[] = statistics.filter(isPainted);

/** The statistic with a name; undefined for the name of a layer. */
export function paintedStatistic(name: PaintedName): PaintedStatistic | undefined {
  const statistic = statisticOf(name);
  return statistic && isPainted(statistic) ? statistic : undefined;
}

/** The layer of the quantity whose members a statistic counts; the name of a layer is returned as it is. */
export function layerOf(name: PaintedName): DrawnVariable {
  return (paintedStatistic(name)?.quantity.variable ?? name) as DrawnVariable;
}

/** Layers whose quantity has members, and that have statistics to paint. */
export const ensembleLayers = ensembleQuantities
  .filter(({ thresholds }) => thresholds.length > 0)
  .map(({ variable }) => variable as DrawnVariable);

/** The statistic of a layer that is painted. */
export interface StatisticChoice {
  layer: DrawnVariable;
  /** Position of the limit, lowest first; `spread` for the spread of the members. */
  limit: number | "spread";
  /** Hours from the time of the map within which members are counted; undefined counts them at that time. */
  hours?: (typeof storedWindows)[number] | undefined;
}

/** Name of a statistic; undefined if the layer has no such statistic. */
export function statisticName({ layer, limit, hours }: StatisticChoice): StatisticName | undefined {
  const found = paintedStatistics.find((one) => {
    if (one.quantity.variable !== layer) return false;
    if (one.is === "spread") return limit === "spread";
    return one.quantity.thresholds.indexOf(one.threshold) === limit && one.hours === hours;
  });
  return found?.name;
}

/** The choice whose statistic has a name; undefined for the name of a layer. */
export function choiceOf(name: PaintedName): StatisticChoice | undefined {
  const statistic = paintedStatistic(name);
  if (!statistic) return undefined;
  const layer = layerOf(name);
  if (statistic.is === "spread") return { layer, limit: "spread" };
  const { quantity, threshold, hours } = statistic;
  return { layer, limit: quantity.thresholds.indexOf(threshold), hours };
}

/** Position of the limit that is chosen first: gales, and rough seas. */
export const FIRST_LIMIT = 1;

/** The colours of a painted quantity or statistic. */
export type PaintedScale = Omit<ColourScale, "bands">;

const shareScale: PaintedScale = {
  paints: "value",
  range: [0, 100],
  ramp: shareRamp,
  steps: shareSteps,
  duskRamp: shareDuskRamp,
};

/** Range of the colours of a spread, as a share of the range of its quantity. */
const SPREAD_RANGE = 1 / 4;
/** The colours of a spread fade below this share of their range. */
const FAINT_SPREAD = 1 / 10;

function spreadScale(layer: DrawnVariable): PaintedScale {
  const high = colourScales[layer].range[1] * SPREAD_RANGE;
  return {
    paints: "value",
    range: [0, high],
    ramp: spreadRamp,
    solidFrom: high * FAINT_SPREAD,
    duskRamp: spreadDuskRamp,
  };
}

const scales = new Map<PaintedName, PaintedScale>(
  paintedStatistics.map(({ name, is }) => [name, is === "share" ? shareScale : spreadScale(layerOf(name))]),
);

/** The colours of a quantity or a statistic. The same object is returned for the same name. */
export function paintedScale(name: PaintedName): PaintedScale {
  return scales.get(name) ?? colourScales[name as DrawnVariable];
}

/** Unit of a quantity or a statistic, as in the API. */
export function paintedUnit(name: PaintedName): string {
  const statistic = paintedStatistic(name);
  if (!statistic) return paintedOutput(name as DrawnVariable).unit;
  return statistic.is === "share" ? "%" : statistic.quantity.output.unit;
}

/** How the map draws a quantity or a statistic. Statistics have no symbols and no lines. */
export function paintedRow(name: PaintedName): LayerRow {
  const row = layerRow(layerOf(name));
  if (!paintedStatistic(name)) return row;
  return row.overLand ? { overLand: true } : {};
}
