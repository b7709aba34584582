import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { addDays, addMonths, type CivilDate, daysFrom, weekdayOf } from "#components/view-state/civil.ts";
import { formatLongDate, formatMonth, weekDays } from "#components/view-state/format-time.ts";
import { useWords } from "#components/words/words-context.ts";
import { canBeShown, type DayKind, weeksOf } from "./calendar-month.ts";

interface Props {
  /** The day that the arrow keys are at; its month is shown. */
  focused: CivilDate;
  /** The day whose hours are shown. */
  chosen: CivilDate;
  today: CivilDate;
  /** First and last day that the service answers for. */
  range: { first: CivilDate; last: CivilDate };
  kindOf(date: CivilDate): DayKind;
  onFocus(date: CivilDate): void;
  onChoose(date: CivilDate): void;
}

const sameDay = (one: CivilDate, other: CivilDate) => daysFrom(one, other) === 0;

/** A month as a grid (ARIA authoring practices): arrows go by day and week, PageUp and PageDown by month, Enter chooses. */
export function Calendar({ focused, chosen, today, range, kindOf, onFocus, onChoose }: Props) {
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
        <button
          type="button"
          className="button"
          aria-label={calendar.monthBefore}
          disabled={index <= 0}
          onClick={() => goMonth(-1)}
        >
          <Icon name="back" />
        </button>
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
        <button
          type="button"
          className="button"
          aria-label={calendar.monthAfter}
          disabled={index >= months.length - 1}
          onClick={() => goMonth(1)}
        >
          <Icon name="forward" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern is made of a table */}
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

/** All months of a range, ascending. */
function monthsOf({ first, last }: Props["range"]): { year: number; month: number }[] {
  const count = 12 * (last.year - first.year) + last.month - first.month + 1;
  return Array.from({ length: count }, (_, by) => {
    const { year, month } = addMonths({ ...first, day: 1 }, by);
    return { year, month };
  });
}

/** Where a key goes; undefined for any other key. */
function moved({ key, shiftKey }: KeyboardEvent, date: CivilDate): CivilDate | undefined {
  const weekday = (weekdayOf(date) + 6) % 7;
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -weekday, End: 6 - weekday }[
    key
  ];
  if (days !== undefined) return addDays(date, days);
  const months = { PageUp: -1, PageDown: 1 }[key];
  return months === undefined ? undefined : addMonths(date, shiftKey ? 12 * months : months);
}
