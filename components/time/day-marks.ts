import { addDays, type CivilDate, civilOf, startOf, type Zone } from "#components/view-state/civil.ts";
import type { Span } from "#components/view-state/time-window.ts";
import { DAY_S } from "#lib/time.ts";

/** A day on the time bar, or what the bar shows of it. */
export interface DayMark extends Span {
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
