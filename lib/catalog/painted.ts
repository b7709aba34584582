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

/** What the map can paint: the quantity of a layer, or a statistic of the members of an ensemble. */
export type PaintedName = DrawnVariable | StatisticName;

type PaintedStatistic =
  | Extract<Statistic, { is: "share" }>
  | (Omit<Statistic, keyof StatisticKind> & { is: "spread" });

/** Quantities whose members the map counts are those with limits. */
const isPainted = (statistic: Statistic): statistic is Statistic & PaintedStatistic =>
  (statistic.is === "share" || statistic.is === "spread") && statistic.quantity.thresholds.length > 0;

/** The statistics that the map can paint. */
export const paintedStatistics: readonly PaintedStatistic[] = statistics.filter(isPainted);

/** The statistic with a name; undefined for the name of a layer. */
export function paintedStatistic(name: PaintedName): PaintedStatistic | undefined {
  const statistic = statisticOf(name);
  return statistic && isPainted(statistic) ? statistic : undefined;
}

/** The layer with the quantity of which a statistic counts members; of a layer itself. */
export function layerOf(name: PaintedName): DrawnVariable {
  return (paintedStatistic(name)?.quantity.variable ?? name) as DrawnVariable;
}

/** Layers whose quantity has members, and that have statistics to paint. */
export const ensembleLayers = ensembleQuantities
  .filter(({ thresholds }) => thresholds.length > 0)
  .map(({ variable }) => variable as DrawnVariable);

/** Which statistic of a layer is painted. */
export interface StatisticChoice {
  layer: DrawnVariable;
  /** Position of the limit, lowest first; `spread` for the spread of the members. */
  limit: number | "spread";
  /** Hours from the time of the map within which members are counted; undefined counts them at that time. */
  hours?: (typeof storedWindows)[number] | undefined;
}

/** Name of a statistic; undefined if the layer has no members. */
export function statisticName({ layer, limit, hours }: StatisticChoice): StatisticName | undefined {
  const found = paintedStatistics.find(
    (one) =>
      one.quantity.variable === layer &&
      (one.is === "spread"
        ? limit === "spread"
        : one.quantity.thresholds.findIndex(({ text }) => text === one.threshold.text) === limit &&
          one.hours === hours),
  );
  return found?.name;
}

/** The choice that a statistic is; undefined for the name of a layer. */
export function choiceOf(name: PaintedName): StatisticChoice | undefined {
  const statistic = paintedStatistic(name);
  if (!statistic) return undefined;
  const layer = layerOf(name);
  if (statistic.is === "spread") return { layer, limit: "spread" };
  const { quantity, threshold, hours } = statistic;
  return { layer, limit: quantity.thresholds.findIndex(({ text }) => text === threshold.text), hours };
}

/** The limit whose members are counted first: that of a gale, and of rough seas. */
export const FIRST_LIMIT = 1;

/** How the colours of a field are chosen; of a layer its `ColourScale`. */
export type PaintedScale = Omit<ColourScale, "bands">;

const shareScale: PaintedScale = {
  paints: "value",
  range: [0, 100],
  ramp: shareRamp,
  steps: shareSteps,
  duskRamp: shareDuskRamp,
};

/** Share of the colours' range of a quantity that those of its spread have, and below which they fade. */
const [SPREAD, FAINT] = [1 / 4, 1 / 10];

const scales = new Map<PaintedName, PaintedScale>();

/** The colours of what is painted. The same object is returned for the same name. */
export function paintedScale(name: PaintedName): PaintedScale {
  const statistic = paintedStatistic(name);
  if (!statistic) return colourScales[name as DrawnVariable];
  if (statistic.is === "share") return shareScale;
  const high = colourScales[layerOf(name)].range[1] * SPREAD;
  const scale: PaintedScale = scales.get(name) ?? {
    paints: "value",
    range: [0, high],
    ramp: spreadRamp,
    solidFrom: high * FAINT,
    duskRamp: spreadDuskRamp,
  };
  scales.set(name, scale);
  return scale;
}

/** Unit of what is painted, as in the API. */
export function paintedUnit(name: PaintedName): string {
  const statistic = paintedStatistic(name);
  if (!statistic) return paintedOutput(name as DrawnVariable).unit;
  return statistic.is === "share" ? "%" : statistic.quantity.output.unit;
}

/** How the map draws what is painted; statistics have no symbols and no lines. */
export function paintedRow(name: PaintedName): LayerRow {
  const row = layerRow(layerOf(name));
  if (!paintedStatistic(name)) return row;
  return row.overLand ? { overLand: true } : {};
}
