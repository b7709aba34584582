import { chartFrame, linePath, roundTop, type Sample, symbolTimes } from "#components/ui/chart.ts";
import { dayStartsWithin, type Zone } from "#components/view-state/civil.ts";
import { layerName, layers, readingOf } from "#components/view-state/overlays.ts";
import {
  type DrawnVariable,
  directionOutput,
  mentionedIn,
  paintedOutput,
  periodOutput,
} from "#lib/catalog/colours.ts";
import { type Output, variable } from "#lib/catalog/variables.ts";
import { fromKnots } from "#lib/knots.ts";
import { formatUngrouped } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { currentArrow, SLACK, waveArrow, windArrow } from "#lib/symbols/arrow.ts";
import { type Glyph, svgPaths } from "#lib/symbols/glyph.ts";
import { HOUR_S } from "#lib/time.ts";
import { textIn, type Units, unitFor } from "#lib/units.ts";
import type { RunSeries } from "./run-spread.ts";
import type { SeriesRow } from "./use-conditions.ts";

/** Heights of the lines of a meteogram, by layer, pixels. */
const heights: Partial<Record<DrawnVariable, number>> = { wind: 72, wave: 52 };
const LOW = 34;

/** Arrows further apart than this show a false turn: a tidal current turns round in 6 hours. */
const MAX_APART_S: Partial<Record<DrawnVariable, number>> = { current: 3 * HOUR_S };

/** Lowest wind of a gale (force 8), knots: the limit of warnings to shipping. */
const GALE_KNOTS = 34;

const TITLE = 16;
const ARROWS = 18;
const NUMBERS = 13;
const GAP = 8;
/** Least width of an arrow, and of a number below it. */
const SYMBOL_ROOM = 15;
const ARROW_LENGTH = 13;

/** One quantity of a meteogram. Positions are pixels from the top left of the picture. */
export interface MeteogramRow {
  name: DrawnVariable;
  /** `Wind and gusts (dashed), kn`. */
  title: string;
  /** Baseline of the title; top and bottom of the lines. */
  titleY: number;
  top: number;
  bottom: number;
  /** The highest value of the scale and half of it. */
  scale: { top: string; middle: string };
  /** The first is drawn solid, the others dashed. */
  paths: string[];
  /** What runs of before say of the first, thin. */
  earlier: string[];
  limit?: { y: number; text: string };
  arrows: { x: number; y: number; bearing: number; strokes: string; filled: string }[];
  /** It has no arrows because they would stand too far apart. */
  isTooSparse: boolean;
  numbers: { x: number; y: number; text: string }[];
}

/** A day on the axis. */
export interface DayMark {
  /** Where it begins, and the middle of what is shown of it. */
  x: number;
  middle: number;
  time: number;
  labelled: boolean;
}

export interface MeteogramLayout {
  rows: MeteogramRow[];
  days: DayMark[];
  /** Top of the labels of days; the whole height. */
  axisY: number;
  height: number;
  x(time: number): number;
  /** Inverse of `x`. */
  timeAt(x: number): number;
}

/** Least width of a day that is labelled. */
const DAY_ROOM = 26;

/**
 * Where everything of a meteogram is drawn. Winds, waves and currents are the layers with a button of their own; one without
 * values has no row.
 *
 * @param width Pixels.
 * @param earlier Runs of before.
 */
export function layOut(
  series: readonly SeriesRow[],
  width: number,
  units: Units,
  zone: Zone,
  earlier: readonly RunSeries[] = [],
): MeteogramLayout {
  const times = series.map(({ time }) => time);
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const { x } = chartFrame([first, last], [0, 1], width, 1);
  const symbols = symbolTimes(times, width, SYMBOL_ROOM, zone.offset).filter(
    (time) => x(time) >= SYMBOL_ROOM / 2 && x(time) <= width - SYMBOL_ROOM / 2,
  );
  const rows: MeteogramRow[] = [];
  let y = 0;
  for (const name of layers.first) {
    const row = layOutRow(name, series, earlier, symbols, { width, y, x }, units, zone.words);
    if (!row) continue;
    rows.push(row);
    y =
      Math.max(
        row.bottom,
        ...row.arrows.map((arrow) => arrow.y + ARROWS / 2),
        ...row.numbers.map((number) => number.y),
      ) + GAP;
  }
  const starts = dayStartsWithin(first, last, zone);
  const days = starts.map((time, index): DayMark => {
    const end = starts[index + 1] ?? last;
    const [from, to] = [x(time), x(end)];
    return { x: from, middle: (from + to) / 2, time, labelled: to - from >= DAY_ROOM };
  });
  const height = y + 2 * NUMBERS;
  return { rows, days, axisY: y, height, x, timeAt: (at) => first + (at / width) * (last - first) };
}

interface Place {
  width: number;
  y: number;
  x(time: number): number;
}

function layOutRow(
  name: DrawnVariable,
  series: readonly SeriesRow[],
  earlier: readonly RunSeries[],
  symbols: readonly number[],
  { width, y, x }: Place,
  units: Units,
  words: Words,
): MeteogramRow | undefined {
  const painted = paintedOutput(name);
  const unit = unitFor(painted.unit, units, readingOf(name), words);
  const others = mentionedIn(name);
  const outputs = [painted, ...others.flatMap((one) => variable(one).outputs[0] ?? [])];
  const samplesOf = (rows: readonly SeriesRow[], { point }: Output) =>
    rows.map(({ time, conditions }) => ({ time, value: conditions[point] ?? Number.NaN }));
  const isKnown = (samples: readonly Sample[]) => samples.some(({ value }) => !Number.isNaN(value));
  const lines = outputs.map((output) => samplesOf(series, output)).filter(isKnown);
  const before = earlier.map(({ rows }) => samplesOf(rows, painted)).filter(isKnown);
  const known = [...lines, ...before]
    .flat()
    .flatMap(({ value }) => (Number.isNaN(value) ? [] : [unit.to(value)]));
  // A line needs two points.
  if (known.length < 2) return undefined;
  const highest = Math.max(...known);
  const gale = name === "wind" ? fromKnots(GALE_KNOTS) : undefined;
  const galeNear = gale !== undefined && highest >= 0.7 * unit.to(gale);
  const top = roundTop(Math.max(highest, galeNear ? 1.05 * unit.to(gale) : 0, unit.decimals > 0 ? 0.5 : 1));
  const height = heights[name] ?? LOW;
  const [from, to] = [y + TITLE, y + TITLE + height];
  const first = series[0]?.time ?? 0;
  const frame = chartFrame([first, series.at(-1)?.time ?? 1], [0, top], width, height);
  const shifted = { x, y: (value: number) => from + frame.y(value) };
  const byTime = new Map(series.map((row) => [row.time, row.conditions]));
  const direction = directionOutput(name);
  const arrowY = to + ARROWS / 2 + 3;
  const arrowTimes = closeTimes(symbols, MAX_APART_S[name] ?? Number.POSITIVE_INFINITY);
  const arrows = arrowTimes.flatMap((time) => {
    const bearing = direction && byTime.get(time)?.[direction.point];
    const value = byTime.get(time)?.[painted.point];
    if (typeof bearing !== "number" || typeof value !== "number") return [];
    return [
      { x: x(time), y: arrowY, bearing: travels(direction, bearing), ...svgPaths(glyphOf(name, value)) },
    ];
  });
  const period = periodOutput(name);
  const numbers = symbols.flatMap((time) => {
    const value = period && byTime.get(time)?.[period.point];
    return typeof value === "number"
      ? [{ x: x(time), y: arrowY + ARROWS / 2 + NUMBERS - 3, text: String(Math.round(value)) }]
      : [];
  });
  const { chart } = words.point;
  const pathOf = (samples: readonly Sample[]) =>
    linePath(
      samples.map(({ time, value }) => ({ time, value: unit.to(value) })),
      shifted,
    );
  return {
    name,
    title: chart.title({
      names: [
        layerName(name, words),
        ...others.map((one) => chart.dashed({ name: words.catalog.mentions[one] })),
      ].join(words.ui.joins.and),
      unit: unit.symbol,
      period: numbers.length > 0,
    }),
    titleY: y + TITLE - 5,
    top: from,
    bottom: to,
    scale: { top: scaleText(top, words), middle: scaleText(top / 2, words) },
    paths: lines.map(pathOf),
    earlier: before.map(pathOf),
    ...(gale !== undefined &&
      top >= unit.to(gale) && {
        limit: { y: shifted.y(unit.to(gale)), text: chart.gale({ speed: textIn(gale, unit) }) },
      }),
    arrows,
    isTooSparse: symbols.length > 0 && arrowTimes.length === 0,
    numbers,
  };
}

/** The times that have another one at most `apart` seconds from them. */
function closeTimes(times: readonly number[], apart: number): number[] {
  const near = (one: number, other = Number.POSITIVE_INFINITY) => Math.abs(one - other) <= apart;
  return times.filter((time, index) => near(time, times[index - 1]) || near(time, times[index + 1]));
}

/** Where something goes TO, degrees clockwise from north: winds and waves are named by where they come from. */
function travels(direction: Output | undefined, bearing: number): number {
  return direction?.is === "bearingTo" ? bearing : (bearing + 180) % 360;
}

function glyphOf(name: DrawnVariable, value: number): Glyph {
  if (name === "wind") return windArrow(ARROW_LENGTH);
  if (name === "current") return currentArrow(value < SLACK ? 0 : ARROW_LENGTH);
  return waveArrow(ARROW_LENGTH);
}

/** A round number and halves of it: `200`, `7.5`, `0.25`. */
function scaleText(value: number, { language }: Words): string {
  const decimals = [0, 1, 2].find((digits) => Number(value.toFixed(digits)) === Number(value.toFixed(2)));
  return formatUngrouped(value, decimals ?? 2, language);
}
