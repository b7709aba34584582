import { fromKnots } from "@open-metocean/geo/knots";
import { useMemo, useRef } from "react";
import {
  areaPath,
  chartFrame,
  endBesideTitle,
  GUTTER,
  linePath,
  nearestSample,
  placeLineName,
  roundTop,
  scaleText,
  symbolTimes,
} from "#components/ui/chart.ts";
import {
  ChartLayer,
  type ChartRow,
  ChartRowPicture,
  LimitText,
  TimeLines,
  TimeSlider,
} from "#components/ui/time-chart.tsx";
import { useWidth } from "#components/ui/use-width.ts";
import { dayStartsWithin } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime, formatWeekdayDay } from "#components/view-state/format-time.ts";
import { coloursUpwards, type Theme } from "#components/view-state/map-colours.ts";
import { instantBeside } from "#components/view-state/timeline.ts";
import { useShownTheme } from "#components/view-state/view-context.tsx";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { OutputName } from "#lib/catalog/variables.ts";
import type { PassageMeta, PassagePiece, PassagePlan } from "#lib/contract/passage-reply.ts";
import { type LimitName, seaLimitOf } from "#lib/passage/limits.ts";
import { type Glyph, svgPaths, waveArrow, windArrow } from "#lib/symbols/symbols.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";
import type { Unit } from "#lib/units.ts";
import {
  currentUnit,
  formatGateTide,
  isUsual,
  limitText,
  type PassageStyle,
  seaUnit,
  unitOf,
  usePassageStyle,
  windUnit,
} from "./passage-format.tsx";
import { type Column, columns, columnTitle, isUnknown, type PassageRow, rowsOf } from "./passage-table.tsx";

interface Props {
  plan: PassagePlan;
  meta: PassageMeta;
  /** Time of the map, Unix seconds. */
  time: number;
  /** Time under the pointer. */
  pointed: number | undefined;
  onPoint(time: number | undefined): void;
  /** Sets the time of the map. */
  onTime(time: number): void;
}

/** Inner width of the wide panel on a desktop, pixels, used until the width is measured. */
const USUAL_WIDTH = 640;

/** Columns written above the chart and announced to screen readers. */
const readoutColumns = columns.filter(({ id }) =>
  ["wind", "wind_angle", "gust", "sea", "sea_angle", "current_along"].includes(id),
);

/**
 * Shows wind with gusts, waves, current along the course and pressure on one time axis with the legs. The chart acts as
 * a slider: a click and arrow keys set the time of the map. The values above it are those under the pointer; without a
 * pointer, those at the map's time.
 */
export function PassageChart({ plan, meta, time, pointed, onPoint, onTime }: Props) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { instants } = useClock("instants");
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, USUAL_WIDTH) - GUTTER;
  const theme = useShownTheme();
  const layout = useMemo(
    () => layOutPassage(plan, meta, width, style, theme),
    [plan, meta, width, style, theme],
  );
  const rows = useMemo(() => rowsOf(plan, "pieces", meta.distance_nm, meta.legs.length), [plan, meta]);
  const times = useMemo(() => rows.map((row) => row.time), [rows]);
  const [first, last] = [parseInstant(plan.departure), parseInstant(plan.end.timestamp)];
  const clamped = Math.min(last, Math.max(first, time));
  const row = rows[nearestSample(times, pointed ?? clamped)];
  if (!row || layout.rows.length === 0) return null;
  const valuesAt = (at: number): (readonly [title: string, text: string])[] => {
    const shown = rows[nearestSample(times, at)] ?? row;
    if (isUnknown(shown.piece)) return [[words.noForecast, ""]];
    return readoutColumns.map((column) => [columnTitle(column.id, style), fullValue(column, shown, style)]);
  };
  return (
    <div className="passage-chart">
      <p className="meteogram-readout mb-1.5" aria-hidden="true" data-testid="passage-readout">
        <span className="font-medium">{formatShortTime(row.time, zone)}</span>
        {valuesAt(pointed ?? clamped).map(([title, text]) => (
          <span key={title}>
            <span className="text-muted">{title}</span> <b className="font-semibold">{text}</b>
          </span>
        ))}
      </p>
      <TimeSlider
        element={element}
        label={words.chart.label}
        spoken={words.chart.said({
          when: formatShortTime(clamped, zone),
          values: valuesAt(clamped)
            .map((value) => value.join(" ").trim())
            .join(", "),
        })}
        first={first}
        last={last}
        time={clamped}
        beside={(by) => instantBeside(instants, clamped, by)}
        timeAt={layout.timeAt}
        onTime={onTime}
        onPoint={onPoint}
      >
        <PassageChartPicture layout={layout} width={width} time={time} pointed={pointed} />
      </TimeSlider>
      <p className="text-muted text-xs">
        {[words.chart.arrows, ...(layout.gates.length > 0 ? [words.chart.gates] : [])].join(
          zone.words.ui.joins.sentences,
        )}
      </p>
    </div>
  );
}

/** Text such as `249° 18 kn`. */
function fullValue(column: Column, row: PassageRow, style: PassageStyle): string {
  return column.full?.(row, style) ?? `${column.text(row, style)} ${column.unit(style)}`.trim();
}

interface PictureProps {
  layout: PassageChartLayout;
  width: number;
  /** Time of the map, and time under the pointer, Unix seconds. */
  time?: number | undefined;
  pointed?: number | undefined;
}

/** The chart as a picture, in CSS pixels. Its words are those of the surrounding component. */
export function PassageChartPicture({ layout, width, time, pointed }: PictureProps) {
  const style = usePassageStyle();
  const { rows, days, waypoints, unknownX, axisY, height, x } = layout;
  return (
    <ChartLayer width={width} height={height} className="passage-picture">
      {unknownX === undefined ? null : (
        <>
          <rect
            x={unknownX}
            y={0}
            width={width - unknownX}
            height={axisY}
            className="fill-muted opacity-18"
          />
          <text x={Math.min(unknownX + 4, width - 60)} y={axisY - 4} className="chart-text over">
            {style.words.noForecast}
          </text>
        </>
      )}
      {waypoints.map(({ x: at, number }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: waypoints keep their order
        <g key={index}>
          {rows.map(({ top, bottom }) => (
            <line key={top} x1={at} x2={at} y1={top} y2={bottom} className="stroke-1 stroke-muted" />
          ))}
          {number === undefined ? null : (
            <text
              x={Math.min(width - 4, Math.max(4, at))}
              y={axisY + 13}
              textAnchor="middle"
              className="chart-text font-semibold"
            >
              {number}
            </text>
          )}
        </g>
      ))}
      <ChartDays times={days} x={x} width={width} bottom={axisY + 18} textY={axisY + 30} />
      {layout.gates.map(({ text, y, eta, from, to, isMissed }) => (
        <g key={y}>
          <text x={2} y={y + 11} className="chart-text">
            {text}
          </text>
          <rect
            x={from}
            y={y + 15}
            width={Math.max(0, to - from)}
            height={6}
            className="fill-accent opacity-60"
          />
          <path
            d={`M${eta} ${y + 13}v10`}
            className={`fill-none stroke-2 ${isMissed ? "stroke-alarm" : "stroke-text"}`}
          />
        </g>
      ))}
      <TimeLines width={width} rows={rows} time={time} pointed={pointed} x={x} />
      {rows.map((row) => (
        <g key={row.id}>
          <ChartRowPicture row={row} width={width} />
          <LimitText row={row} />
        </g>
      ))}
    </ChartLayer>
  );
}

interface DaysProps {
  /** Starts of days, Unix seconds. */
  times: readonly number[];
  x(time: number): number;
  width: number;
  /** y of the lower ends of the lines, and baseline of the names. */
  bottom: number;
  textY: number;
}

/** Least width for the name of a day. */
const DAY_ROOM = 46;

/** Days on a time axis. Names that would overlap are left out at a regular interval of days. */
export function ChartDays({ times, x, width, bottom, textY }: DaysProps) {
  const { zone } = usePassageStyle();
  const every = Math.ceil(DAY_ROOM / Math.max(1, x(DAY_S) - x(0)));
  return times.map((time, index) => (
    <g key={time}>
      <line x1={x(time)} x2={x(time)} y1={0} y2={bottom} className="chart-axis" />
      {index % every === 0 && x(time) <= width - DAY_ROOM ? (
        <text x={x(time) + 3} y={textY} className="chart-text">
          {formatWeekdayDay(time, zone)}
        </text>
      ) : null}
    </g>
  ));
}

const TITLE = 16;
const GAP = 10;
const ARROWS = 18;
/** Height of a gate's row. */
const GATE = 28;
const ARROW_LENGTH = 13;
/** Least width for an arrow. */
const SYMBOL_ROOM = 16;
/** Least width for the number of a waypoint. */
const WAYPOINT_ROOM = 14;

interface PassageChartLayout {
  rows: ChartRow[];
  /** Starts of days, Unix seconds. */
  days: number[];
  /** A number that would overlap another one is undefined. */
  waypoints: { x: number; number: number | undefined }[];
  /** When gates are open, and when the vessel arrives at them. */
  gates: { text: string; y: number; eta: number; from: number; to: number; isMissed: boolean }[];
  /** x from which on nothing is known; undefined if everything is. */
  unknownX: number | undefined;
  axisY: number;
  height: number;
  x(time: number): number;
  /** Inverse of `x`. */
  timeAt(x: number): number;
}

interface Line {
  id: ChartRow["id"];
  title(values: { unit: string }): string;
  unit(style: PassageStyle): Unit;
  /** The area below the first line has the colours that the map has for this quantity. */
  layer?: DrawnVariable;
  /** Values in the unit of the API. */
  of: ((piece: PassagePiece) => number | null | undefined)[];
  height: number;
  from: "zero" | "both sides" | "range";
  /**
   * Limit in the unit of the API; null if none is set. @see name The limit that is written, if it is the same
   * for all pieces.
   */
  limit?: {
    name?: LimitName;
    of(piece: PassagePiece, limits: PassageMeta["limits"]): number | null | undefined;
  };
  arrows?: { direction: OutputName; glyph: Glyph };
}

const metresPerSecond = (knots: number | null) => (knots === null ? null : fromKnots(knots));

const lines = ({ chart }: PassageStyle["words"]): Line[] => [
  {
    id: "wind",
    title: chart.wind,
    layer: "wind",
    unit: windUnit,
    of: [({ conditions }) => conditions.Winds_10m_Intensity, ({ gust_kt }) => metresPerSecond(gust_kt)],
    height: 64,
    from: "zero",
    limit: { name: "gust_kt", of: (_, limits) => metresPerSecond(limits.gust_kt ?? null) },
    arrows: { direction: "Winds_10m_Direction", glyph: windArrow(ARROW_LENGTH) },
  },
  {
    id: "sea",
    title: chart.sea,
    layer: "wave",
    unit: seaUnit,
    of: [({ conditions }) => conditions.Waves_Significant_Height],
    height: 46,
    from: "zero",
    limit: { of: seaLimit },
    arrows: { direction: "Waves_Mean_Direction", glyph: waveArrow(ARROW_LENGTH) },
  },
  {
    id: "current",
    title: chart.current,
    unit: currentUnit,
    of: [({ current_along_kt }) => metresPerSecond(current_along_kt)],
    height: 36,
    from: "both sides",
  },
  {
    id: "pressure",
    title: chart.pressure,
    unit: (style) => unitOf("hPa", "pressure", style),
    of: [({ conditions }) => conditions.Pressure],
    height: 34,
    from: "range",
  },
];

/**
 * Lays out the chart, with one time axis below all rows; a quantity without values has no row.
 *
 * @param width Width of the plot, pixels.
 * @param theme Theme of the colours below the lines; on paper those of the day.
 */
export function layOutPassage(
  plan: PassagePlan,
  { limits }: Pick<PassageMeta, "limits">,
  width: number,
  style: PassageStyle,
  theme: Theme = "light",
): PassageChartLayout {
  const pieces = plan.pieces ?? [];
  const times = pieces.map(({ at }) => parseInstant(at.timestamp));
  const [first, last] = [parseInstant(plan.departure), parseInstant(plan.end.timestamp)];
  const { x } = chartFrame([first, last], [0, 1], width, 1);
  const symbols = symbolTimes(times, width, SYMBOL_ROOM, style.zone.offset).filter(
    (time) => x(time) >= SYMBOL_ROOM / 2 && x(time) <= width - SYMBOL_ROOM / 2,
  );
  const rows: ChartRow[] = [];
  let y = 0;
  for (const line of lines(style.words)) {
    const unit = line.unit(style);
    const values = line.of.map((of) => pieces.map((piece) => shownIn(unit, of(piece))));
    const known = values.flat().filter((value) => !Number.isNaN(value));
    if (known.length < 2) continue;
    const drawn = values
      .filter((series) => series.some((value) => !Number.isNaN(value)))
      .map((series) => series.map((value, index) => ({ time: times[index]!, value })));
    const most = pieces.map((piece) => shownIn(unit, line.limit?.of(piece, limits)));
    const limit = Math.min(...most.filter((value) => !Number.isNaN(value)));
    // A limit far above all values would flatten the lines, so it is left out.
    const shownLimit = Math.max(...known) >= 0.6 * limit ? limit : undefined;
    const [low, high] = rangeOf(line.from, known, shownLimit);
    const [top, bottom] = [y + TITLE, y + TITLE + line.height];
    const frame = chartFrame([first, last], [low, high], width, line.height);
    const place = { x, y: (value: number) => top + frame.y(value) };
    const curves = drawn.map((series) =>
      series
        .filter(({ value }) => !Number.isNaN(value))
        .map(({ time, value }) => ({ x: x(time), y: place.y(value) })),
    );
    const limitName = line.limit?.name ? limitLabel(line.limit.name, limits, style) : "";
    const [title, titleY] = [line.title({ unit: unit.symbol }), y + TITLE - 5];
    const titleEnd = endBesideTitle(title, limitName, width);
    const arrowY = bottom + ARROWS / 2 + 2;
    const arrows = line.arrows ? arrowsOf(line.arrows, pieces, times, symbols, x, arrowY) : [];
    rows.push({
      id: line.id,
      title,
      titleY,
      top,
      bottom,
      scale: [high, (low + high) / 2, ...(line.from === "zero" ? [] : [low])].map((value) => ({
        y: place.y(value),
        text: scaleText(value, style.zone.words.language),
      })),
      paths: drawn.map((series) => linePath(series, place)),
      ...(line.layer && {
        area: {
          path: areaPath(drawn[0]!, place, bottom),
          colours: coloursUpwards(line.layer, (height) => unit.from(height * high), theme),
        },
      }),
      ...(shownLimit !== undefined && {
        limit: {
          y: place.y(shownLimit),
          text: limitName,
          place:
            titleEnd === undefined
              ? placeLineName(limitName, place.y(shownLimit), curves, { width, top, bottom })
              : { x: titleEnd, y: titleY, textAnchor: "end" as const },
          band: bandOf(plan, most, { x, y: (value) => Math.max(top, place.y(value)) }, top),
        },
      }),
      arrows,
    });
    y = (arrows.length > 0 ? arrowY + ARROWS / 2 : bottom) + GAP;
  }
  const gates = gatesOf(plan, y, width, x, style);
  y += GATE * gates.length;
  const unknown = plan.no_forecast_from;
  return {
    rows,
    days: dayStartsWithin(first, last, style.zone).filter((time) => time > first),
    waypoints: waypointsOf(plan, x),
    gates,
    unknownX: unknown === null ? undefined : Math.max(0, x(parseInstant(unknown))),
    axisY: y,
    height: y + 40,
    x,
    timeAt: (at) => first + (at / Math.max(1, width)) * (last - first),
  };
}

/**
 * The limit for waves from the direction in which they meet the vessel; the lowest limit if that is unknown.
 */
function seaLimit(
  { wave_angle_deg: angle }: PassagePiece,
  { head_sea_m: head, beam_sea_m: beam, following_sea_m: following }: PassageMeta["limits"],
): number | null | undefined {
  if (angle === null)
    return Math.min(...[head, beam, following].map((one) => one ?? Number.POSITIVE_INFINITY));
  return { head_sea_m: head, beam_sea_m: beam, following_sea_m: following }[seaLimitOf(angle)];
}

function limitLabel(name: LimitName, limits: PassageMeta["limits"], style: PassageStyle): string {
  const value = limitText(name, limits[name] ?? 0, style);
  return style.words.chart.limit({ value, isUsual: isUsual(name, style) });
}

/**
 * The area beyond the limit of each piece, up to the top of a row. @param limits Limit of each piece; NaN for
 * none.
 */
function bandOf(
  { pieces = [], end }: PassagePlan,
  limits: readonly number[],
  { x, y }: { x(time: number): number; y(value: number): number },
  top: number,
): string {
  return pieces
    .flatMap(({ start }, index) => {
      const limit = limits[index]!;
      if (!Number.isFinite(limit)) return [];
      const [from, to] = [start, pieces[index + 1]?.start ?? end].map(({ timestamp }) =>
        x(parseInstant(timestamp)).toFixed(1),
      );
      return [`M${from} ${top}V${y(limit).toFixed(1)}H${to}V${top}Z`];
    })
    .join("");
}

function shownIn(unit: Unit, value: number | null | undefined): number {
  return typeof value === "number" ? unit.to(value) : Number.NaN;
}

function rangeOf(from: Line["from"], known: readonly number[], limit = 0): [low: number, high: number] {
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  if (from === "zero") return [0, roundTop(Math.max(highest, limit * 1.05, 0.5))];
  if (from === "both sides") {
    const most = roundTop(Math.max(highest, -lowest, 0.5));
    return [-most, most];
  }
  // These steps can be halved to whole numbers, in hPa as well as in inches.
  const step = highest > 100 ? 10 : 0.2;
  const low = Math.floor(lowest / step) * step;
  return [low, Math.max(low + step, Math.ceil(highest / step) * step)];
}

function arrowsOf(
  { direction, glyph }: NonNullable<Line["arrows"]>,
  pieces: readonly PassagePiece[],
  times: readonly number[],
  symbols: readonly number[],
  x: (time: number) => number,
  y: number,
): ChartRow["arrows"] {
  return symbols.flatMap((time) => {
    const from = pieces[times.indexOf(time)]?.conditions[direction];
    return typeof from === "number"
      ? [{ x: x(time), y, bearing: (from + 180) % 360, ...svgPaths(glyph) }]
      : [];
  });
}

function gatesOf(
  { gates = [] }: PassagePlan,
  top: number,
  width: number,
  x: (time: number) => number,
  style: PassageStyle,
): PassageChartLayout["gates"] {
  const met = gates.filter(({ eta }) => eta !== null);
  return met.map((gate, index) => {
    const { window: open } = gate;
    const at = (instant: string | null, otherwise: number) =>
      instant === null ? otherwise : Math.max(0, Math.min(width, x(parseInstant(instant))));
    return {
      text: formatGateTide(gate, style),
      y: top + GATE * index,
      eta: x(parseInstant(gate.eta!)),
      from: open ? at(open.from, 0) : 0,
      to: open ? at(open.to, width) : 0,
      isMissed: gate.holds === false,
    };
  });
}

/** Beginnings of the legs, and the end of a route that arrives. */
function waypointsOf(
  { pieces = [], ending, end }: PassagePlan,
  x: (time: number) => number,
): PassageChartLayout["waypoints"] {
  const starts = pieces.flatMap(({ leg, start }, index) =>
    pieces[index - 1]?.leg === leg ? [] : [{ x: x(parseInstant(start.timestamp)), number: leg + 1 }],
  );
  const last = pieces.at(-1);
  const all =
    ending === "arrived" && last
      ? [...starts, { x: x(parseInstant(end.timestamp)), number: last.leg + 2 }]
      : starts;
  let free = Number.NEGATIVE_INFINITY;
  return all.map(({ x: at, number }) => {
    const isLabelled = at >= free;
    if (isLabelled) free = at + WAYPOINT_ROOM;
    return { x: at, number: isLabelled ? number : undefined };
  });
}
