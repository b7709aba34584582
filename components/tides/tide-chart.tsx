import { useMemo, useRef, useState } from "react";
import type { Prediction } from "#components/api-client/tide-queries.ts";
import { areaPath, chartFrame, GUTTER, linePath, roundTop, scaleText } from "#components/ui/chart.ts";
import {
  ChartLayer,
  type ChartRow,
  ChartRowPicture,
  TimeLines,
  TimeSlider,
} from "#components/ui/time-chart.tsx";
import { useWidth } from "#components/ui/use-width.ts";
import {
  addDays,
  civilOf,
  dayStartsWithin,
  instantOf,
  startOf,
  type Zone,
} from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAxisDay, formatClock, formatShortTime } from "#components/view-state/format-time.ts";
import { instantBeside, instantNear } from "#components/view-state/timeline.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { currentArrow, svgPaths } from "#lib/symbols/symbols.ts";
import { curveOf, valueAt } from "#lib/tides/reading.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  allEvents,
  directionAt,
  eventNumber,
  nowOf,
  phasesOf,
  type ValueStyle,
  valueStyle,
} from "./format-tide.ts";

interface Props {
  prediction: Prediction;
  /** Time of the map, Unix seconds, within the first day. */
  time: number;
  /** 1 shows the hours of the day with its high and low waters; more show days with springs and neaps. */
  days: number;
}

/** Inner width of the panel on a desktop, pixels, used until the width is measured. */
const USUAL_WIDTH = 347;

/** Hours labelled below a single day. */
const NAMED_HOURS = [0, 6, 12, 18] as const;

/** Heights in pixels: the title, the curve of one day, the curve of several days, and the axis below. */
const [TITLE, DAY_HEIGHT, DAYS_HEIGHT, AXIS] = [16, 120, 72, 14];
/** Space for times above and below a curve, and half the width of a number. */
const [LABEL, HALF_LABEL] = [14, 32];
/** Least upper end of the scale, metres or knots, so that a negligible tide looks flat. */
const MIN_HIGH = 0.5;
/** A long curve uses every third sample. */
const THINNED = 3;

/** The curve of some days. It acts as a slider: a click, a tap and arrow keys set the time of the map. */
export function TideChart({ prediction, time, days }: Props) {
  const view = useView("u");
  const zone = useZone("tides");
  const { instants, setTime } = useClock("instants", "setTime");
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, USUAL_WIDTH) - GUTTER;
  const [pointed, setPointed] = useState<number>();
  const { words } = zone;
  const style = valueStyle(prediction, view.u, words);
  const date = civilOf(time, zone);
  const [first, last] = [startOf(date, zone), startOf(addDays(date, days), zone)];
  const layout = useMemo(
    () =>
      layOut(
        prediction,
        { first, last, isDay: days === 1 },
        width,
        valueStyle(prediction, view.u, words),
        zone,
      ),
    [prediction, first, last, days, width, view.u, words, zone],
  );
  const value = pointed === undefined ? undefined : valueAt(prediction, pointed);
  const title =
    pointed === undefined || value === undefined
      ? style.unit.symbol
      : `${formatShortTime(pointed, zone)} · ${style.text(value)}`;
  const height = layout.bottom + AXIS;
  return (
    <TimeSlider
      element={element}
      label={words.tides.chart}
      spoken={[formatShortTime(time, zone), nowOf(prediction, time, view.u, words)?.text].join(" ")}
      first={first}
      last={last}
      time={time}
      beside={(by) => instantBeside(instants, time, by)}
      timeAt={(x) => first + (Math.min(width, Math.max(0, x)) / width) * (last - first)}
      onTime={(at) => setTime(instantNear(instants, at) ?? Math.round(at / HOUR_S) * HOUR_S)}
      onPoint={setPointed}
    >
      <div className="chart-stack">
        <ChartLayer width={width} height={height}>
          {layout.ticks.map(({ x, text }) => (
            <g key={x}>
              <line x1={x} x2={x} y1={TITLE} y2={layout.bottom} className="chart-axis faint" />
              <text x={x + 2} y={height - 3} className="chart-text">
                {text}
              </text>
            </g>
          ))}
          <ChartRowPicture row={{ ...layout.row, title }} width={width} />
        </ChartLayer>
        <ChartLayer width={width} height={height}>
          <TimeLines
            width={width}
            rows={[{ top: layout.row.top, bottom: layout.bottom }]}
            time={time}
            pointed={pointed}
            x={layout.x}
          />
          {/* Numbers are drawn above the time lines, which may coincide with a high water. */}
          {layout.marks.map(({ x, y, text }) => (
            <text key={x} x={x} y={y} textAnchor="middle" className="chart-text over title">
              {text}
            </text>
          ))}
        </ChartLayer>
      </div>
    </TimeSlider>
  );
}

/** @see first Unix seconds, as `last`. */
interface Span {
  first: number;
  last: number;
  isDay: boolean;
}

/** Computes the positions of everything that is drawn, pixels. */
function layOut(prediction: Prediction, span: Span, width: number, style: ValueStyle, zone: Zone<"tides">) {
  const { first, last, isDay } = span;
  const values = curveOf(prediction).map(({ time, value }) => ({ time, value: style.to(value) }));
  // The scale covers the whole prediction, so that neaps are recognisable on a single day.
  const low = Math.min(0, ...values.map(({ value }) => value));
  const high = Math.max(style.to(MIN_HIGH), ...values.map(({ value }) => value));
  const [top, height] = [TITLE + LABEL, isDay ? DAY_HEIGHT : DAYS_HEIGHT];
  const bottom = top + height + LABEL;
  const frame = chartFrame([first, last], [low, high], width, height);
  const shifted = { x: frame.x, y: (value: number) => top + frame.y(value) };
  const step = roundTop((high - low) / 3);
  const scale = Array.from({ length: 5 }, (_, at) => (Math.ceil(low / step) + at) * step)
    .filter((value) => value <= high)
    .map((value) => ({ y: shifted.y(value), text: scaleText(value, zone.words.language) }));
  const isWithin = ({ time }: { time: number }) => time >= first && time <= last;
  const shown = values.filter((sample, at) => isWithin(sample) && (isDay || at % THINNED === 0));
  const events = allEvents(prediction).filter(({ time }) => isDay && time >= first && time < last);
  const within = (x: number) => Math.min(width - HALF_LABEL, Math.max(HALF_LABEL, x));
  const fromMiddle = ({ value }: { value: number }) => Math.abs(style.to(value) - (low + high) / 2);
  const marks = isDay
    ? apart(
        events
          .toSorted((one, other) => fromMiddle(other) - fromMiddle(one))
          .map(({ time, type, value }) => ({
            x: within(shifted.x(time)),
            y:
              shifted.y(style.to(value)) +
              (type === "low" || type === "max_ebb" || type === "min_flood" ? 12 : -4),
            text: [formatClock(time, zone), eventNumber({ type, value }, style)].join(" ").trim(),
          })),
      )
    : phasesOf(prediction)
        .filter(isWithin)
        .map(({ time, phase }) => ({
          x: within(shifted.x(time)),
          y: TITLE - 5,
          text: zone.words.tides[phase],
        }));
  const arrows = events.flatMap(({ time, type, value }) => {
    const bearing = prediction.kind === "stream" ? directionAt(type, prediction) : undefined;
    if (bearing === undefined) return [];
    return [
      { x: shifted.x(time), y: shifted.y(style.to(value) / 2), bearing, ...svgPaths(currentArrow(13)) },
    ];
  });
  const row: ChartRow = {
    id: "tide",
    title: "",
    titleY: TITLE - 5,
    top,
    bottom: shifted.y(0),
    scale,
    paths: [linePath(shown, shifted)],
    area: {
      path: areaPath(shown, shifted, shifted.y(0)),
      colours: [0, 1].map((offset) => ({ offset, colour: "var(--map-sea)" })),
    },
    arrows,
  };
  const ticks = isDay ? hourTicks(first, zone) : dayTicks(first, last, zone);
  return {
    row,
    bottom,
    x: shifted.x,
    ticks: ticks.map(({ time, text }) => ({ x: shifted.x(time), text })),
    marks,
  };
}

interface Mark {
  x: number;
  y: number;
  text: string;
}

/**
 * Drops texts that overlap a preceding one; of a double high water the higher one remains. @param marks The
 * most important first.
 */
function apart(marks: readonly Mark[]): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks)
    if (kept.every(({ x, y }) => Math.abs(x - mark.x) > 2 * HALF_LABEL || Math.abs(y - mark.y) > LABEL))
      kept.push(mark);
  return kept;
}

function hourTicks(first: number, zone: Zone) {
  const date = civilOf(first, zone);
  return NAMED_HOURS.map((hour) => {
    const { time } = instantOf({ ...date, hour, minute: 0 }, zone);
    return { time, text: formatClock(time, zone) };
  });
}

/** Ticks on every second day, for which there is enough space. */
function dayTicks(first: number, last: number, zone: Zone) {
  return dayStartsWithin(first, last - 1, zone).map((time, at) => ({
    time,
    text: at % 2 === 0 && last - time > DAY_S ? formatAxisDay(time, zone).join(" ") : "",
  }));
}
