import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import { nearestSample } from "#components/ui/chart.ts";
import { useWidth } from "#components/ui/use-width.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { instantBeside } from "#components/view-state/timeline.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";
import { layOutPassage } from "./passage-chart-layout.ts";
import { PassageChartPicture } from "./passage-chart-picture.tsx";
import { type Column, columns, columnTitle } from "./passage-columns.ts";
import type { PassageStyle } from "./passage-format.ts";
import { isUnknown, type PassageRow, rowsOf } from "./passage-rows.ts";

interface Props {
  plan: PassagePlan;
  meta: PassageMeta;
  style: PassageStyle;
  /** Time of the map, Unix seconds. */
  time: number;
  /** Time under the pointer. */
  pointed: number | undefined;
  onPoint(time: number | undefined): void;
  /** Sets the time of the map. */
  onTime(time: number): void;
}

/** Inside the wide panel of a desk, pixels; until the width is measured. */
const USUAL_WIDTH = 640;

/** What is written above the chart, and spoken. */
const readoutColumns = columns.filter(({ id }) =>
  ["wind", "wind_angle", "gust", "sea", "sea_angle", "current_along"].includes(id),
);

/**
 * Wind with gusts, waves, current along and pressure on one axis of time with the legs. It is a slider: a click and arrow
 * keys set the time of the map; the values under the pointer, or else of that time, are above it.
 */
export function PassageChart({ plan, meta, style, time, pointed, onPoint, onTime }: Props) {
  const { words, zone } = style;
  const { instants } = useClock();
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, USUAL_WIDTH);
  const layout = useMemo(() => layOutPassage(plan, meta, width, style), [plan, meta, width, style]);
  const rows = useMemo(() => rowsOf(plan, "pieces", meta.distance_nm, meta.legs.length), [plan, meta]);
  const times = useMemo(() => rows.map((row) => row.time), [rows]);
  const [first, last] = [parseInstant(plan.departure), parseInstant(plan.end.timestamp)];
  const clamped = Math.min(last, Math.max(first, time));
  const row = rows[nearestSample(times, pointed ?? clamped)];
  if (!row || layout.rows.length === 0) return null;
  const valuesAt = (at: number) => {
    const shown = rows[nearestSample(times, at)] ?? row;
    if (isUnknown(shown.piece)) return [words.noForecast];
    return readoutColumns.map((column) => namedValue(column, shown, style));
  };
  const timeUnder = ({ clientX }: { clientX: number }) => {
    const left = element.current?.getBoundingClientRect().left ?? 0;
    return Math.min(last, Math.max(first, layout.timeAt(clientX - left)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const beside = (by: 1 | -1) => instantBeside(instants, clamped, by) ?? clamped + by * HOUR_S;
    const to = {
      ArrowRight: beside(1),
      ArrowUp: beside(1),
      ArrowLeft: beside(-1),
      ArrowDown: beside(-1),
      PageUp: clamped + DAY_S,
      PageDown: clamped - DAY_S,
      Home: first,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onPoint(undefined);
    onTime(Math.min(last, Math.max(first, to)));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== "touch") onPoint(timeUnder(event));
  };
  return (
    <div className="passage-chart">
      <p className="meteogram-readout" aria-hidden="true" data-testid="passage-readout">
        <span className="font-medium">{formatShortTime(row.time, zone)}</span>
        {valuesAt(pointed ?? clamped).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      <div
        ref={element}
        role="slider"
        tabIndex={0}
        aria-label={words.chart.label}
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={clamped}
        aria-valuetext={words.chart.said({
          when: formatShortTime(clamped, zone),
          values: valuesAt(clamped).join(", "),
        })}
        className="meteogram-slider"
        onClick={(event) => {
          onPoint(undefined);
          onTime(timeUnder(event));
        }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => onPoint(undefined)}
        onKeyDown={onKeyDown}
      >
        <PassageChartPicture layout={layout} width={width} style={style} time={time} pointed={pointed} />
      </div>
      <p className="text-muted text-xs">{words.chart.arrows}</p>
    </div>
  );
}

/** `True wind 249° 18 kn`. */
function namedValue(column: Column, row: PassageRow, style: PassageStyle): string {
  const value = column.full?.(row, style) ?? `${column.text(row, style)} ${column.unit(style)}`.trim();
  return `${columnTitle(column.id, style)} ${value}`;
}
