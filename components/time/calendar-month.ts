import { addDays, type CivilDate, startOf, weekdayOf, type Zone } from "#components/view-state/civil.ts";
import type { Span } from "#components/view-state/time-window.ts";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import { HOUR_S } from "#lib/time.ts";

/** Spans of the archive that answer, ascending, see `answeringSpans`. */
export type ArchiveSpans = readonly (Span & { dataset: DatasetName })[];

/** What the archive has of a day; `unknown` while that is being read. */
export type DayKind = "forecast" | "hindcast" | "gap" | "beyond" | "unknown";

/** The weeks of a month, Monday first, filled up with days of the months beside it. */
export function weeksOf({ year, month }: Pick<CivilDate, "year" | "month">): CivilDate[][] {
  const first = { year, month, day: 1 };
  const weeks: CivilDate[][] = [];
  for (let start = addDays(first, -((weekdayOf(first) + 6) % 7)); ; start = addDays(start, 7)) {
    if (weeks.length > 0 && start.month !== month) return weeks;
    weeks.push(Array.from({ length: 7 }, (_, day) => addDays(start, day)));
  }
}

/**
 * What the archive has of a day.
 *
 * @param accepted What the service answers for, Unix seconds.
 */
export function kindOf(
  date: CivilDate,
  zone: Zone,
  spans: ArchiveSpans | undefined,
  accepted: Span,
): DayKind {
  const [from, to] = [startOf(date, zone), startOf(addDays(date, 1), zone) - 1];
  if (to < accepted.from || from > accepted.to) return "beyond";
  if (!spans) return "unknown";
  const datasets = spans.filter((span) => span.from <= to && span.to >= from).map(({ dataset }) => dataset);
  if (datasets.length === 0) return "gap";
  return datasets.includes("Forecast") ? "forecast" : "hindcast";
}

export const canBeShown = (kind: DayKind): boolean => kind !== "gap" && kind !== "beyond";

/** An hour of a day. */
export interface DayHour {
  /** Unix seconds. */
  time: number;
  hasData: boolean;
}

/**
 * The whole hours of a day by the clock of a zone: 23 or 25 where the clock is changed.
 *
 * @param step Every how many hours of the clock.
 */
export function hoursOf(
  date: CivilDate,
  zone: Zone,
  step: number,
  spans: readonly Span[] | undefined,
  accepted: Span,
): DayHour[] {
  const [from, to] = [startOf(date, zone), startOf(addDays(date, 1), zone)];
  const hours: DayHour[] = [];
  for (let time = from; time < to; time += HOUR_S) {
    if (Math.floor((time + zone.offset(time)) / HOUR_S) % step !== 0) continue;
    const isAccepted = time >= accepted.from && time <= accepted.to;
    const hasData = isAccepted && (!spans || spans.some((span) => time >= span.from && time <= span.to));
    hours.push({ time, hasData });
  }
  return hours;
}
