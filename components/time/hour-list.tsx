import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Zone } from "#components/view-state/civil.ts";
import { formatClock } from "#components/view-state/format-time.ts";
import type { DayHour } from "./calendar-month.ts";

interface Props {
  title: string;
  hours: readonly DayHour[];
  /** Time of the map, Unix seconds. */
  shown: number;
  zone: Zone;
  /** Takes the focus when it changes: the day was chosen. */
  focusedBy: number;
  onChoose(time: number): void;
}

/** The hours of a day. Tab enters and leaves the list, arrow keys move in it. */
export function HourList({ title, hours, shown, zone, focusedBy, onChoose }: Props) {
  const list = useRef<HTMLFieldSetElement>(null);
  const clock = formatClock(shown, zone);
  const usable = hours.filter(({ hasData }) => hasData);
  // The hour shown, or else the last one before that time of the day.
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
              {/* Where the clock is put back an hour comes twice. */}
              {twice.has(text) ? <small> {zone.label(time)}</small> : null}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
