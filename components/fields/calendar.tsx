import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import {
  addDays,
  addMonths,
  type CivilDate,
  civilOf,
  daysFrom,
  startOf,
  weekdayOf,
  type Zone,
} from "#components/view-state/civil.ts";
import { formatClock, formatLongDate, formatMonth, weekDays } from "#components/view-state/format-time.ts";
import type { Span } from "#components/view-state/time-window.ts";
import { useWords } from "#components/words/words-context.ts";
import { acceptedTimes, type DatasetName } from "#lib/catalog/datasets.ts";
import { HOUR_S } from "#lib/time.ts";

interface CalendarProps {
  /** The day that has the keyboard focus; its month is shown. */
  focused: CivilDate;
  /** The day whose hours are shown. */
  chosen: CivilDate;
  today: CivilDate;
  /** First and last day that the service accepts. */
  range: { first: CivilDate; last: CivilDate };
  kindOf(date: CivilDate): DayKind;
  onFocus(date: CivilDate): void;
  onChoose(date: CivilDate): void;
}

interface Choosing {
  zone: Zone;
  /** Weather clock, and the displayed time, Unix seconds. */
  now: number;
  time: number;
  /** Interval of the offered hours, on the clock. */
  step?: number;
  /** Contents of the archive; undefined while unknown. */
  spans?: ArchiveSpans | undefined;
  onChoose(time: number): void;
}

/** A calendar, and the hours of the day selected in it. @returns `goTo` shows the month of a time. */
export function useCalendar({ zone, now, time, step = 1, spans, onChoose }: Choosing) {
  const words = useWords();
  const [chosen, setChosen] = useState<CivilDate>(() => civilOf(time, zone));
  const [focused, setFocused] = useState(chosen);
  const [choices, setChoices] = useState(0);
  const { first: from, last: to } = acceptedTimes(now);
  const accepted = { from, to };
  return {
    goTo: (month: number) => setFocused(civilOf(month, zone)),
    calendar: (
      <Calendar
        focused={focused}
        chosen={chosen}
        today={civilOf(now, zone)}
        range={{ first: civilOf(from, zone), last: civilOf(to, zone) }}
        kindOf={(date) => kindOf(date, zone, spans, accepted)}
        onFocus={setFocused}
        onChoose={(date) => {
          setChosen(date);
          setChoices(choices + 1);
        }}
      />
    ),
    hours: (
      <HourList
        title={words.time.picker.hours({ date: formatLongDate(chosen, words), clock: zone.label(time) })}
        hours={hoursOf(chosen, zone, step, spans, accepted)}
        shown={time}
        zone={zone}
        focusedBy={choices}
        onChoose={onChoose}
      />
    ),
  };
}

const sameDay = (one: CivilDate, other: CivilDate) => daysFrom(one, other) === 0;

/**
 * A month as a grid (ARIA authoring practices): arrows move by day and week, PageUp and PageDown by month,
 * Enter selects.
 */
function Calendar({ focused, chosen, today, range, kindOf, onFocus, onChoose }: CalendarProps) {
  const title = useId();
  const grid = useRef<HTMLTableElement>(null);
  const isMoving = useRef(false);
  useEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const within = (date: CivilDate) =>
    daysFrom(range.first, date) < 0 ? range.first : daysFrom(range.last, date) > 0 ? range.last : date;
  const words = useWords();
  const { calendar, kinds } = words.time;
  const months = monthsOf(range);
  const index = months.findIndex(({ year, month }) => year === focused.year && month === focused.month);
  const goMonth = (by: number) => onFocus(within(addMonths(focused, by)));
  const onKeyDown = (event: KeyboardEvent) => {
    const to = moved(event, focused);
    if (!to) return;
    event.preventDefault();
    isMoving.current = true;
    onFocus(within(to));
  };
  return (
    <div className="calendar">
      <div className="flex items-center gap-1">
        <Button
          className=""
          aria-label={calendar.monthBefore}
          disabled={index <= 0}
          onClick={() => goMonth(-1)}
        >
          <Icon name="back" />
        </Button>
        <select
          id={title}
          aria-label={calendar.month}
          className="field flex-1 font-medium"
          value={index}
          onChange={({ target }) => {
            const month = months[Number(target.value)];
            if (month) onFocus(within({ ...month, day: 1 }));
          }}
        >
          {months.map((month, at) => (
            <option key={`${month.year}-${month.month}`} value={at}>
              {formatMonth(month, words)}
            </option>
          ))}
        </select>
        <Button
          className=""
          aria-label={calendar.monthAfter}
          disabled={index >= months.length - 1}
          onClick={() => goMonth(1)}
        >
          <Icon name="forward" />
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern uses a table */}
      <table ref={grid} role="grid" aria-label={formatMonth(focused, words)} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weekDays(words).map(({ short, long }) => (
              <th key={short} scope="col" abbr={long}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(focused).map((week) => (
            <tr key={week[0]?.day}>
              {week.map((date) => {
                const kind = kindOf(date);
                const name = formatLongDate(date, words);
                return (
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
                  // biome-ignore lint/a11y/useFocusableInteractive: the button in it takes the focus
                  <td key={date.day} role="gridcell" aria-selected={sameDay(date, chosen)}>
                    <button
                      type="button"
                      className="calendar-day"
                      data-kind={kind}
                      data-other={date.month !== focused.month || undefined}
                      aria-current={sameDay(date, today) ? "date" : undefined}
                      aria-disabled={canBeShown(kind) ? undefined : true}
                      aria-label={kind === "unknown" ? name : calendar.day({ date: name, kind: kinds[kind] })}
                      tabIndex={sameDay(date, focused) ? 0 : -1}
                      onClick={() => {
                        onFocus(within(date));
                        if (canBeShown(kind)) onChoose(date);
                      }}
                    >
                      {date.day}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function monthsOf({ first, last }: CalendarProps["range"]): { year: number; month: number }[] {
  const count = 12 * (last.year - first.year) + last.month - first.month + 1;
  return Array.from({ length: count }, (_, by) => {
    const { year, month } = addMonths({ ...first, day: 1 }, by);
    return { year, month };
  });
}

/** The date to which a key moves; undefined for any other key. */
function moved({ key, shiftKey }: KeyboardEvent, date: CivilDate): CivilDate | undefined {
  const weekday = (weekdayOf(date) + 6) % 7;
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -weekday, End: 6 - weekday }[
    key
  ];
  if (days !== undefined) return addDays(date, days);
  const months = { PageUp: -1, PageDown: 1 }[key];
  return months === undefined ? undefined : addMonths(date, shiftKey ? 12 * months : months);
}

interface HourListProps {
  title: string;
  hours: readonly DayHour[];
  /** Displayed time of the map, Unix seconds. */
  shown: number;
  zone: Zone;
  /** The list takes the focus when this changes, after a day was selected. */
  focusedBy: number;
  onChoose(time: number): void;
}

/** The hours of a day. Tab enters and leaves the list; arrow keys move within it. */
function HourList({ title, hours, shown, zone, focusedBy, onChoose }: HourListProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const clock = formatClock(shown, zone);
  const usable = hours.filter(({ hasData }) => hasData);
  // The displayed hour, or else the last one before that time of day.
  const current = usable.findLast(({ time }) => formatClock(time, zone) <= clock) ?? usable[0];
  useEffect(() => {
    if (focusedBy > 0) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focusedBy]);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>("button:enabled") ?? [])];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const to = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  };
  const twice = new Set(
    hours.map(({ time }) => formatClock(time, zone)).filter((text, at, all) => all.indexOf(text) !== at),
  );
  return (
    <fieldset ref={list} className="hour-list" onKeyDown={onKeyDown}>
      <legend className="font-medium text-sm">{title}</legend>
      <div>
        {hours.map(({ time, hasData }) => {
          const text = formatClock(time, zone);
          return (
            <button
              key={time}
              type="button"
              className="toggle"
              disabled={!hasData}
              aria-pressed={time === shown}
              tabIndex={time === current?.time ? 0 : -1}
              onClick={() => onChoose(time)}
            >
              {text}
              {/* When clocks are set back, an hour occurs twice. */}
              {twice.has(text) ? <small> {zone.label(time)}</small> : null}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Spans of the archive that answer, ascending; see `answeringSpans`. */
export type ArchiveSpans = readonly (Span & { dataset: DatasetName })[];

/** Contents of the archive for a day; `unknown` while they are being read. */
type DayKind = "forecast" | "hindcast" | "gap" | "beyond" | "unknown";

/** The weeks of a month, Monday first, completed with days of the adjacent months. */
export function weeksOf({ year, month }: Pick<CivilDate, "year" | "month">): CivilDate[][] {
  const first = { year, month, day: 1 };
  const weeks: CivilDate[][] = [];
  for (let start = addDays(first, -((weekdayOf(first) + 6) % 7)); ; start = addDays(start, 7)) {
    if (weeks.length > 0 && start.month !== month) return weeks;
    weeks.push(Array.from({ length: 7 }, (_, day) => addDays(start, day)));
  }
}

/**
 * Contents of the archive for a day.
 *
 * @param accepted Times that the service accepts, Unix seconds.
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

const canBeShown = (kind: DayKind): boolean => kind !== "gap" && kind !== "beyond";

interface DayHour {
  /** Unix seconds. */
  time: number;
  hasData: boolean;
}

/**
 * The whole hours of a day on the clock of a zone; 23 or 25 if the clock changes.
 *
 * @param step Interval on the clock, hours.
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
