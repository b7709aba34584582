import { fromKnots } from "@open-metocean/geo/knots";
import type { Place } from "@open-metocean/geo/sphere";
import { nightsAt } from "@open-metocean/geo/sun";
import { memo, useMemo, useRef } from "react";
import {
  areaPath,
  bandPath,
  chartFrame,
  type Frame,
  GUTTER,
  linePath,
  nameWidth,
  nearestSample,
  placeNames,
  roundTop,
  type Sample,
  scaleText,
  symbolTimes,
} from "#components/ui/chart.ts";
import {
  ChartLayer,
  type ChartRoom,
  type ChartRow,
  ChartRowPicture,
  type FurtherRow,
  TimeLines,
  TimeSlider,
} from "#components/ui/time-chart.tsx";
import { useWidth } from "#components/ui/use-width.ts";
import { dayStartsWithin, type Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAxisDay, formatShortTime } from "#components/view-state/format-time.ts";
import { coloursUpwards, type Theme } from "#components/view-state/map-colours.ts";
import { layerName, layers, readingOf } from "#components/view-state/overlays.ts";
import { instantBeside, instantNear } from "#components/view-state/timeline.ts";
import { useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import {
  type DrawnVariable,
  type MentionedVariable,
  mentionedIn,
  paintedOutput,
  periodOutput,
} from "#lib/catalog/colours.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Distribution } from "#lib/contract/ensemble.ts";
import type { Words } from "#lib/messages/words.ts";
import { currentArrow, type Glyph, SLACK, svgPaths, waveArrow, windArrow } from "#lib/symbols/symbols.ts";
import { HOUR_S } from "#lib/time.ts";
import { numberIn, textIn, type Unit, type Units, unitFor } from "#lib/units.ts";
import type { EnsembleSeries } from "./ensemble-query.ts";
import { goesTo, keyValues } from "./format-conditions.ts";
import type { ModelSeries } from "./model-queries.ts";
import { type CoarsePart, coarseParts, type ModelSteps } from "./model-steps.ts";
import type { RunSeries, SeriesRow } from "./point-queries.ts";

interface MeteogramProps {
  rows: readonly SeriesRow[];
  /** Times of the models' own steps. */
  steps: ModelSteps;
  time: number;
  place: Place;
  further?: FurtherRow | undefined;
  /** Values of the last runs, newest first, drawn as thin lines behind the newest. */
  runs?: readonly RunSeries[] | undefined;
  /** Values of all models, drawn thin beside the shown one. */
  models?: readonly ModelSeries[] | undefined;
  /** The members of an ensemble, drawn as bands; other models and earlier runs replace them. */
  ensemble?: EnsembleSeries | undefined;
  /** Time under the pointer. */
  pointed: number | undefined;
  onPoint(time: number | undefined): void;
}

/** Inner width of the panel on a desktop, pixels, used until the width is measured. */
const USUAL_WIDTH = 347;

/**
 * Wind with gusts, waves, current, pressure and rain over the days, in the colours of the map. It acts as a
 * slider: a click, a tap and arrow keys set the time of the map. The table gives the same in numbers.
 */
export const Meteogram = memo(function Meteogram({
  place,
  rows,
  steps,
  time,
  runs,
  models,
  ensemble,
  further,
  pointed,
  onPoint,
}: MeteogramProps) {
  const view = useView("u");
  const zone = useZone();
  const theme = useShownTheme();
  const { words } = zone;
  const { chart, heading } = words.point;
  const { instants, setTime } = useClock("instants", "setTime");
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, USUAL_WIDTH) - GUTTER;
  const layout = useMemo(
    () =>
      layOut(rows, width, view.u, zone, { theme, earlier: runs?.slice(1), models, ensemble, further, steps }),
    [rows, width, view.u, zone, theme, runs, models, ensemble, further, steps],
  );
  const times = useMemo(() => rows.map((row) => row.time), [rows]);
  if (layout.rows.length === 0) return null;
  const [first = time, last = time] = [times[0], times.at(-1)];
  // Screen readers get the values at the time of the map, wherever the pointer is.
  const spoken = rows[nearestSample(times, Math.min(last, Math.max(first, time)))];
  if (!spoken) return null;
  const values = keyValues(spoken.conditions, view.u, words)
    .map((line) => line.spoken)
    .join(words.ui.joins.sentences);
  const shownTime = formatShortTime(time, zone);

  /** The nearest time of the map, or the hour itself if the layer has none near it. */
  const settable = (at: number) => instantNear(instants, at) ?? times[nearestSample(times, at)] ?? at;
  return (
    <TimeSlider
      element={element}
      label={chart.slider}
      spoken={
        spoken.time === time
          ? heading({ of: shownTime, sentences: values })
          : chart.valuesOf({ time: shownTime, of: formatShortTime(spoken.time, zone), values })
      }
      first={first}
      last={last}
      time={time}
      beside={(by) => instantBeside(instants, time, by)}
      settle={settable}
      timeAt={layout.timeAt}
      onTime={setTime}
      onPoint={onPoint}
    >
      <MeteogramPicture
        layout={layout}
        place={place}
        width={width}
        zone={zone}
        time={time}
        pointed={pointed}
      />
    </TimeSlider>
  );
});

interface PictureProps {
  layout: MeteogramLayout;
  place: Place;
  width: number;
  zone: Zone;
  /** Time of the map, Unix seconds; marked if it lies on the chart. */
  time: number;
  pointed?: number | undefined;
}

/**
 * A meteogram as a picture, in CSS pixels; the width is that of the plot. Its words are those of the
 * surrounding component.
 */
export function MeteogramPicture({ layout, place, width, zone, time, pointed }: PictureProps) {
  const { height, rows, x } = layout;
  const cursor = pointed ?? time;
  return (
    <div className="chart-stack">
      <Chart layout={layout} place={place} width={width} zone={zone} />
      {/* The time lines are a separate picture, because a moving line would repaint the whole chart below it. */}
      <ChartLayer width={width} height={height}>
        <TimeLines width={width} rows={rows} time={time} pointed={pointed} x={x} />
        {/* Numbers stand beside the titles, because in the plot they would cover the lines. */}
        {rows.map(({ id, titleY, limit, valueAt }) => (
          <text
            key={id}
            x={width}
            y={titleY}
            textAnchor="end"
            className={`chart-text title ${limit ? "limit" : ""}`}
          >
            {limit?.text ?? valueAt?.(cursor)}
          </text>
        ))}
      </ChartLayer>
    </div>
  );
}

/** Everything except the time lines: the part that does not change while the user steps in time. */
const Chart = memo(function Chart({
  layout,
  place,
  width,
  zone,
}: Pick<PictureProps, "layout" | "place" | "width" | "zone">) {
  const { rows, days, coarse, axisY, height, end, x, timeAt } = layout;
  const nights = nightsAt(place, timeAt(0), timeAt(end));
  return (
    <ChartLayer width={width} height={height}>
      {rows.map(({ id, top, bottom }) => (
        <g key={id}>
          {nights.map(({ from, to }) => (
            <rect
              key={from}
              x={x(from)}
              width={x(to) - x(from)}
              y={top}
              height={bottom - top}
              className="chart-night"
            />
          ))}
          {days.map((day) => (
            <line key={day.time} x1={day.x} x2={day.x} y1={top} y2={bottom} className="chart-axis" />
          ))}
        </g>
      ))}
      {days.map((day) =>
        day.labelled ? (
          <DayLabel key={day.time} x={day.middle} y={axisY + 10} text={formatAxisDay(day.time, zone)} />
        ) : null,
      )}
      {coarse.map(({ from, hours }) => (
        <g key={from}>
          <path d={`M${x(from).toFixed(1)} ${axisY + 31.5}h16`} className="chart-line coarse" />
          <text x={x(from) + 20} y={axisY + 35} className="chart-text">
            {zone.words.point.chart.coarse({ hours })}
          </text>
        </g>
      ))}
      {rows.map((row) => (
        <ChartRowPicture key={row.id} row={row} width={width} />
      ))}
    </ChartLayer>
  );
});

function DayLabel({ x, y, text: [weekday, day] }: { x: number; y: number; text: [string, string] }) {
  return (
    <text x={x} y={y} textAnchor="middle" className="chart-text">
      {weekday}
      <tspan x={x} dy={12}>
        {day}
      </tspan>
    </text>
  );
}

/** Quantities of the chart from top to bottom; cloud is used only if there is no rain. */
const charted = ["wind", "gust", ...layers.first.slice(1), "pressure", "rain", "cloud"] as const;

/** Heights of the rows by layer, pixels. */
const heights: Partial<Record<DrawnVariable, number>> = { wind: 96, gust: 48, wave: 64 };
const LOW = 36;
const FURTHER = 48;

/**
 * Largest distance between arrows, seconds; farther apart they would show a false turn, because a tidal
 * current reverses within 6 hours.
 */
const MAX_APART_S: Partial<Record<DrawnVariable, number>> = { current: 3 * HOUR_S };

/** Lowest wind of a gale (force 8), knots: the limit of warnings to shipping. */
const GALE_KNOTS = 34;

const TITLE = 16;
const ARROWS = 18;
const NUMBERS = 13;
const GAP = 12;
/** Least width for an arrow, and for a number below it. */
const SYMBOL_ROOM = 14;
const ARROW_LENGTH = 13;

/**
 * Least total height, pixels, which is two fifths of a panel beside the map; the wind row is extended to
 * reach it.
 */
const MIN_HEIGHT = 300;

interface DayMark {
  /** x of its beginning, and of the middle of its visible part. */
  x: number;
  middle: number;
  time: number;
  labelled: boolean;
}

interface MeteogramLayout {
  rows: ChartRow[];
  days: DayMark[];
  /** Where the steps of the wind become longer. */
  coarse: CoarsePart[];
  /** Top of the day labels, and the total height. */
  axisY: number;
  height: number;
  /** Position of the last time. */
  end: number;
  x(time: number): number;
  timeAt(x: number): number;
}

/** Dashes of the lines of models in a chart (CSS), by the order in which the models are listed. */
const dashes = ["", "6 2", "1.5 2.5", "7 2 1.5 2", "3 3", "10 3", "7 2 1.5 2 1.5 2", "1 5"] as const;

export const modelDashes = (index: number): string => dashes[index % dashes.length]!;

/** Most width right of the lines for the names of models, pixels; longer names begin over the lines. */
const MAX_NAME = 76;

/** Least width of a labelled day. */
const DAY_ROOM = 20;

interface LayoutOptions {
  /** Theme of the colours below the lines. */
  theme?: Theme;
  earlier?: readonly RunSeries[] | undefined;
  models?: readonly ModelSeries[] | undefined;
  ensemble?: EnsembleSeries | undefined;
  further?: FurtherRow | undefined;
  steps?: ModelSteps;
}

/**
 * Lays out a meteogram. A quantity without values has no row.
 *
 * @param width Width of the plot, pixels.
 */
export function layOut(
  series: readonly SeriesRow[],
  width: number,
  units: Units,
  zone: Zone,
  { theme = "light", earlier = [], models = [], ensemble, further, steps = {} }: LayoutOptions = {},
): MeteogramLayout {
  const times = series.map(({ time }) => time);
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  // The names of models lie right of the lines.
  const end = width - Math.min(MAX_NAME, Math.max(0, ...models.map(({ title }) => nameWidth(title))));
  const { x } = chartFrame([first, last], [0, 1], end, 1);
  const symbols = symbolTimes(times, end, SYMBOL_ROOM, zone.offset).filter(
    (time) => x(time) >= SYMBOL_ROOM / 2 && x(time) <= end - SYMBOL_ROOM / 2,
  );
  // Beside the lines of models and of earlier runs bands could not be read.
  const members = models.length > 0 || earlier.length > 0 ? undefined : ensemble;
  const layOutRows = (added: number) => {
    const rows: ChartRow[] = [];
    let y = 0;
    const roomOf = (height: number): ChartRoom => {
      const top = y + TITLE;
      return { width, titleY: top - 5, top, bottom: top + height, x };
    };
    const add = (row: ChartRow | undefined) => {
      if (!row) return;
      rows.push(row);
      y =
        Math.max(
          row.bottom,
          ...row.arrows.map((arrow) => arrow.y + ARROWS / 2),
          ...(row.numbers ?? []).map((number) => number.y),
        ) + GAP;
    };
    for (const name of charted) {
      // Gusts are a line of the wind, unless members have some.
      if (name === "gust" && !(members && bandsOf(members, name))) continue;
      if (name === "cloud" && rows.some(({ id }) => id === "rain")) continue;
      const room = roomOf((heights[name] ?? LOW) + (rows.length === 0 ? added : 0));
      add(
        layOutRow(name, series, { earlier, models, members }, symbols, room, units, zone.words, theme, steps),
      );
    }
    if (further && rows.length > 0) add(further(roomOf(FURTHER)));
    return { rows, y };
  };
  const least = layOutRows(0);
  const { rows, y } = least.y < MIN_HEIGHT ? layOutRows(MIN_HEIGHT - least.y) : least;
  const starts = dayStartsWithin(first, last, zone);
  const days = starts.map((time, index): DayMark => {
    const end = starts[index + 1] ?? last;
    const [from, to] = [x(time), x(end)];
    return { x: from, middle: (from + to) / 2, time, labelled: to - from >= DAY_ROOM };
  });
  const coarse = coarseParts(steps.wind ?? []).filter(({ from }) => from > first && from < last);
  const height = y + (coarse.length > 0 ? 3 : 2) * NUMBERS;
  return {
    rows,
    days,
    coarse,
    axisY: y,
    height,
    end,
    x,
    timeAt: (at) => first + (at / end) * (last - first),
  };
}

function layOutRow(
  name: DrawnVariable,
  series: readonly SeriesRow[],
  {
    earlier,
    models,
    members,
  }: Required<Pick<LayoutOptions, "earlier" | "models">> & {
    members: EnsembleSeries | undefined;
  },
  symbols: readonly number[],
  { width, titleY, top: from, bottom: to, x }: ChartRoom,
  units: Units,
  words: Words,
  theme: Theme,
  steps: ModelSteps,
): ChartRow | undefined {
  const painted = paintedOutput(name);
  const unit = unitFor(painted.unit, units, readingOf(name), words);
  // Beside the lines of other models the dashed one of the gusts would be taken for one of them.
  const bands = members && bandsOf(members, name);
  const hasOwnRow = (one: MentionedVariable) => members !== undefined && bandsOf(members, one) !== undefined;
  const others = models.length > 0 ? [] : mentionedIn(name).filter((one) => !hasOwnRow(one));
  const outputs = [painted, ...others.flatMap((one) => variable(one).outputs[0] ?? [])];
  const samplesOf = (rows: readonly SeriesRow[], { point }: Output) =>
    rows.map(({ time, conditions }) => ({ time, value: conditions[point] ?? Number.NaN }));
  const isKnown = (samples: readonly Sample[]) => samples.some(({ value }) => !Number.isNaN(value));
  const lines = outputs.map((output) => samplesOf(series, output)).filter(isKnown);
  const before = earlier.map(({ rows }) => samplesOf(rows, painted)).filter(isKnown);
  const beside = models.map(({ title, rows }, index) => ({
    title,
    samples: samplesOf(rows, painted),
    dashes: modelDashes(index),
  }));
  const banded = bands ? [bands.lines[0], bands.lines[4], bands.control] : [];
  const known = [...lines, ...before, ...banded, ...beside.map(({ samples }) => samples)]
    .flat()
    .flatMap(({ value }) => (Number.isNaN(value) ? [] : [unit.to(value)]));
  // A line needs two points.
  if (known.length < 2) return undefined;
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const gale = name === "wind" ? fromKnots(GALE_KNOTS) : undefined;
  const galeNear = gale !== undefined && highest >= 0.7 * unit.to(gale);
  const [low, top] = isLevel(name)
    ? levelRange(lowest, highest, unit)
    : [0, roundTop(Math.max(highest, galeNear ? 1.05 * unit.to(gale) : 0, unit.decimals > 0 ? 0.5 : 1))];
  const first = series[0]?.time ?? 0;
  const frame = chartFrame([first, series.at(-1)?.time ?? 1], [low, top], width, to - from);
  const shifted = { x, y: (value: number) => from + frame.y(value) };
  const byTime = new Map(series.map((row) => [row.time, row.conditions]));
  const arrowY = to + ARROWS / 2 + 3;
  const arrowTimes = closeTimes(symbols, MAX_APART_S[name] ?? Number.POSITIVE_INFINITY);
  const arrows = arrowTimes.flatMap((time) => {
    const conditions = byTime.get(time) ?? {};
    const bearing = goesTo(name, conditions);
    const value = conditions[painted.point];
    if (bearing === undefined || typeof value !== "number") return [];
    return [{ x: x(time), y: arrowY, bearing, ...svgPaths(glyphOf(name, value)) }];
  });
  const period = periodOutput(name);
  // Periods change slowly, so every other one suffices.
  const numbers = symbols.flatMap((time, index) => {
    const value = period && index % 2 === 0 && byTime.get(time)?.[period.point];
    return typeof value === "number"
      ? [{ x: x(time), y: arrowY + ARROWS / 2 + NUMBERS - 3, text: String(Math.round(value)) }]
      : [];
  });
  const inUnits = (samples: readonly Sample[]) =>
    samples.map(({ time, value }) => ({ time, value: unit.to(value) }));
  const shownBand = (lower: readonly Sample[], upper: readonly Sample[]) =>
    bandPath(inUnits(lower), inUnits(upper), shifted);
  const { chart } = words.point;
  const last = series.at(-1)?.time ?? first;
  const [{ from: coarseFrom } = { from: Number.POSITIVE_INFINITY }] = coarseParts(
    steps[name as VariableName] ?? [],
  );
  const pathOf = (samples: readonly Sample[]) => linePath(inUnits(samples), shifted);
  return {
    id: name,
    title: chart.title({
      names: [
        layerName(name, words),
        ...others.map((one) => chart.dashed({ name: words.catalog.mentions[one] })),
      ].join(words.ui.joins.and),
      unit: unit.symbol,
      period: numbers.length > 0,
    }),
    titleY,
    top: from,
    bottom: to,
    scale: [top, (top + low) / 2].map((value) => ({
      y: shifted.y(value),
      text: scaleText(value, words.language),
    })),
    paths: lines.map((samples) => pathOf(samples.filter(({ time }) => time <= coarseFrom))),
    ...(coarseFrom < last && {
      coarse: lines.map((samples) => pathOf(samples.filter(({ time }) => time >= coarseFrom))),
    }),
    ...(bands && {
      bands: {
        outer: shownBand(bands.lines[0], bands.lines[4]),
        inner: shownBand(bands.lines[1], bands.lines[3]),
        median: pathOf(bands.lines[2]),
        control: pathOf(bands.control),
        colours: coloursUpwards(name, (height) => unit.from(height * top), theme),
      },
    }),
    ...(lines[0] &&
      !bands &&
      !isLevel(name) && { area: areaBelow(lines[0], { name, unit, top, theme }, shifted, to) }),
    earlier: before.map(pathOf),
    ...(beside.length > 0 &&
      besideMain(
        lines[0] ?? [],
        beside,
        pathOf,
        (end) => ({
          x: x(end.time),
          y: shifted.y(unit.to(end.value)),
        }),
        { width, top: from, bottom: to },
      )),
    ...(gale !== undefined &&
      top >= unit.to(gale) && {
        limit: { y: shifted.y(unit.to(gale)), text: chart.gale({ speed: textIn(gale, unit) }) },
      }),
    arrows,
    numbers,
    ...(!isFirst(name) && {
      valueAt(time) {
        const value = byTime.get(time)?.[painted.point];
        // Hours without rain have no number.
        return value ? numberIn(value, unit) : undefined;
      },
    }),
  };
}

/** Least height of a row whose lines have names, pixels; the dashes are the same in all rows. */
const NAMED_ROW = 60;

/**
 * The lines of other models beside that of the shown one, and the names at the ends of all. A model that equals the
 * shown line gives it its name and has no line of its own.
 */
function besideMain(
  main: readonly Sample[],
  models: readonly { title: string; samples: readonly Sample[]; dashes: string }[],
  pathOf: (samples: readonly Sample[]) => string,
  placeOf: (sample: Sample) => { x: number; y: number },
  room: { width: number; top: number; bottom: number },
): Pick<ChartRow, "others" | "names"> {
  const isKnown = ({ value }: Sample) => !Number.isNaN(value);
  const values = new Map(main.map(({ time, value }) => [time, value]));
  const isMain = ({ time, value }: Sample) => values.get(time) === value;
  const end = main.findLast(isKnown);
  const same =
    end && models.find(({ samples }) => samples.some((one) => one.time === end.time && isMain(one)));
  const others = models.filter(({ samples }) => !samples.filter(isKnown).every(isMain));
  const ends = [
    ...(same ? [{ ...placeOf(end), text: same.title, isMain: true }] : []),
    ...others.flatMap(({ title, samples }) => {
      const last = samples.findLast(isKnown);
      return last && title !== same?.title ? [{ ...placeOf(last), text: title, isMain: false }] : [];
    }),
  ];
  return {
    others: others.map(({ samples, dashes }) => ({ path: pathOf(samples), dashes })),
    names: room.bottom - room.top < NAMED_ROW ? [] : placeNames(ends, room),
  };
}

/** Whether the panel shows the value above the chart. */
const isFirst = (name: DrawnVariable) => name === "gust" || layers.first.some((one) => one === name);

/** The times that have a neighbour at most `apart` seconds away. */
function closeTimes(times: readonly number[], apart: number): number[] {
  const near = (one: number, other = Number.POSITIVE_INFINITY) => Math.abs(one - other) <= apart;
  return times.filter((time, index) => near(time, times[index - 1]) || near(time, times[index + 1]));
}

/** Whether a quantity has no natural zero, so that only its changes matter. */
const isLevel = (name: DrawnVariable) => name === "pressure";

/**
 * Ends of the scale of such a quantity, in its unit, at least ten hectopascals apart, so that a calm day
 * looks flat.
 */
function levelRange(lowest: number, highest: number, { to }: Unit): [low: number, top: number] {
  const step = to(5) - to(0);
  const middle = Math.round((lowest + highest) / 2 / step) * step;
  const half = Math.max(step, Math.ceil((highest - lowest) / 2 / step + 0.5) * step);
  return [middle - half, middle + half];
}

interface RowScale {
  name: DrawnVariable;
  unit: Unit;
  /** Highest value of the row, in its unit. */
  top: number;
  theme: Theme;
}

/** The percentiles of members that bands are drawn with, 10, 25, 50, 75 and 90, and the control. */
interface Bands {
  lines: readonly [Sample[], Sample[], Sample[], Sample[], Sample[]];
  control: Sample[];
}

/** The bands of a layer; undefined if its members have no values. */
function bandsOf({ rows }: EnsembleSeries, name: DrawnVariable): Bands | undefined {
  const { point } = paintedOutput(name);
  const samplesOf = (numberOf: (one: Distribution) => number | null | undefined) =>
    rows.map(({ time, conditions }) => {
      const distribution = conditions[point];
      return { time, value: (distribution && numberOf(distribution)) ?? Number.NaN };
    });
  const percentile = (index: number) => samplesOf(({ percentiles }) => percentiles?.[index]);
  const median = percentile(2);
  // A line needs two points.
  if (median.filter(({ value }) => !Number.isNaN(value)).length < 2) return undefined;
  return {
    lines: [percentile(0), percentile(1), median, percentile(3), percentile(4)],
    control: samplesOf(({ control }) => control),
  };
}

/** The area below a line, in the map's colours for its values. */
function areaBelow(
  samples: readonly Sample[],
  { name, unit, top, theme }: RowScale,
  frame: Frame,
  bottom: number,
): NonNullable<ChartRow["area"]> {
  const colours = coloursUpwards(name, (height) => unit.from(height * top), theme);
  const shown = samples.map(({ time, value }) => ({ time, value: unit.to(value) }));
  return { path: areaPath(shown, frame, bottom), colours };
}

/** The map's glyph for a direction. @param value In the unit of the API. */
export function glyphOf(name: DrawnVariable, value: number): Glyph {
  if (name === "wind") return windArrow(ARROW_LENGTH);
  if (name === "current") return currentArrow(value < SLACK ? 0 : ARROW_LENGTH);
  return waveArrow(ARROW_LENGTH);
}
