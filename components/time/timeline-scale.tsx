import type { CSSProperties } from "react";
import {
  addDays,
  type CivilDate,
  civilOf,
  daysFrom,
  startOf,
  type Zone,
} from "#components/view-state/civil.ts";
import { formatBarDay } from "#components/view-state/format-time.ts";
import type { Segment, Span, TimeWindow } from "#components/view-state/time-window.ts";
import { DAY_S } from "#lib/time.ts";

interface Props {
  window: TimeWindow;
  segments: readonly Segment[];
  /** Unix seconds. */
  now: number;
  /** Base time of the run shown, Unix seconds. */
  runTime: number | undefined;
  zone: Zone;
}

/** What lies below the slider: where there is a forecast, a past, nothing; now and the run; the days. */
export function TimelineScale({ window, segments, now, runTime, zone }: Props) {
  const { from, to } = window;
  if (to <= from) return null;
  const share = (time: number) => (100 * (time - from)) / (to - from);
  const place = (span: { from: number; to: number }): CSSProperties => ({
    left: `${share(span.from)}%`,
    width: `${share(span.to) - share(span.from)}%`,
  });
  const isOn = (time: number | undefined): time is number => time !== undefined && time >= from && time <= to;
  const marks = dayMarks(window, zone);
  const today = marks.find((mark) => now >= mark.from && now < mark.to);
  return (
    <div aria-hidden="true" className="timeline-scale">
      <div className="timeline-strip">
        {segments.map((segment) => (
          <span key={segment.from} data-kind={segment.kind} style={place(segment)} />
        ))}
        {isOn(now) ? <i className="timeline-now" style={{ left: `${share(now)}%` }} /> : null}
        {isOn(runTime) ? (
          <i className="timeline-run" style={{ left: `${share(runTime)}%` }}>
            <b>{zone.words.time.bar.run}</b>
          </i>
        ) : null}
      </div>
      <div className="timeline-days">
        {marks.map((mark, index) => {
          // The names that stay on narrow bars are counted from today.
          const rank = Math.abs(today ? daysFrom(today.date, mark.date) : index);
          return (
            <span
              key={mark.from}
              style={place(mark)}
              data-today={mark === today || undefined}
              data-thin={rank % 4 === 0 ? "4" : rank % 2 === 0 ? "2" : undefined}
            >
              {mark.isNamed ? <small>{formatBarDay(mark.date, zone.words)}</small> : null}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** A day on the time bar, or what the bar shows of it. */
interface DayMark extends Span {
  date: CivilDate;
  /** Enough of the day is on the bar for its name. */
  isNamed: boolean;
}

/** The days of a window by the clock of a zone, ascending. */
export function dayMarks({ from, to }: Span, zone: Zone): DayMark[] {
  const marks: DayMark[] = [];
  let date: CivilDate = civilOf(from, zone);
  for (let start = startOf(date, zone); start < to; ) {
    const next = addDays(date, 1);
    const end = startOf(next, zone);
    const shown = { from: Math.max(from, start), to: Math.min(to, end) };
    marks.push({ ...shown, date, isNamed: shown.to - shown.from >= 0.75 * DAY_S });
    [date, start] = [next, end];
  }
  return marks;
}
