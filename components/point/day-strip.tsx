import { memo, useMemo } from "react";
import { civilOf } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAxisDay, formatClock, formatDay } from "#components/view-state/format-time.ts";
import { tintOf } from "#components/view-state/map-colours.ts";
import { readingOf } from "#components/view-state/overlays.ts";
import { instantNear } from "#components/view-state/timeline.ts";
import { useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import { inUnit } from "#lib/messages/number.ts";
import { type Unit, unitFor } from "#lib/units.ts";
import { type DayAhead, daysAhead, type Highest } from "./days.ts";
import { numberRounded } from "./outlook.ts";
import type { SeriesRow } from "./point-queries.ts";
import { SkySymbol } from "./sky-symbol.tsx";

/** Number of days in the strip. */
const DAYS = 5;

/**
 * The coming days, each with its sky, its strongest wind and gust in the colours of the map, and its highest sea. A
 * pressed day shows the time of its strongest wind on the map.
 */
export const DayStrip = memo(function DayStrip({ rows }: { rows: readonly SeriesRow[] }) {
  const zone = useZone();
  const { now, time } = useClock("now", "time");
  const shown = time === undefined ? undefined : civilOf(time, zone);
  const days = useMemo(() => daysAhead(rows, now, zone).slice(0, DAYS), [rows, now, zone]);
  if (days.length === 0) return null;
  return (
    <ul
      aria-label={zone.words.point.days.title}
      className="grid grid-cols-5 gap-1 tabular-nums"
      data-testid="days"
    >
      {days.map((day) => (
        <DayItem key={day.wind.time} day={day} isShown={isSameDay(day.date, shown)} />
      ))}
    </ul>
  );
});

function isSameDay({ day, month, year }: DayAhead["date"], other: DayAhead["date"] | undefined): boolean {
  return day === other?.day && month === other.month && year === other.year;
}

/** A step in time renders only the days that it leaves and enters. */
const DayItem = memo(function DayItem({ day, isShown }: { day: DayAhead; isShown: boolean }) {
  const view = useView("u");
  const theme = useShownTheme() ?? "light";
  const zone = useZone();
  const { words } = zone;
  const { instants, setTime } = useClock("instants", "setTime");
  const { from, until, wind, gust, wave, sky } = day;
  const speed = unitFor("m/s", view.u, readingOf("wind"), words);
  const height = unitFor("m", view.u, readingOf("wave"), words);
  const at = (of: number | undefined) => (of === undefined ? undefined : formatClock(of, zone));
  const [weekday, number] = formatAxisDay(wind.time, zone);
  const shortAt = (of: number | undefined) => at(of)?.replace(/:00$/, "");
  const hours =
    from === undefined && until === undefined
      ? number
      : words.point.days.hours({ from: shortAt(from) ?? "00", until: shortAt(until) ?? "24" });
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-current={isShown ? "date" : undefined}
        aria-label={words.point.days.day({
          day: formatDay(wind.time, zone),
          from: at(from),
          until: at(until),
          sky: sky && words.point.days.skies[sky],
          wind: textOf(wind, speed),
          gusts: gust && textOf(gust, speed),
          sea: wave && textOf(wave, height),
          clock: formatClock(wind.time, zone),
        })}
        className={`grid w-full justify-items-center rounded-md border pt-1 pb-0.5 text-sm leading-5 hover:border-accent ${isShown ? "border-accent bg-page" : "border-line"}`}
        onClick={() => setTime(instantNear(instants, wind.time) ?? wind.time)}
      >
        <span className="font-semibold leading-4">{weekday}</span>
        <span className="text-[0.6875rem] text-muted leading-4">{hours}</span>
        {sky ? <SkySymbol sky={sky} /> : <span className="h-8" />}
        <span className="w-full font-semibold text-base" style={tintOf("wind", wind.value, theme)}>
          {numberOf(wind, speed)}
        </span>
        {gust ? (
          <span className="w-full" style={tintOf("gust", gust.value, theme)}>
            {`G${numberOf(gust, speed)}`}
          </span>
        ) : null}
        <span>{wave ? textOf(wave, height) : "—"}</span>
      </button>
    </li>
  );
});

/** A highest value, rounded so that it is never understated, nor overstated if it may have been higher. */
const numberOf = ({ value, isAtLeast }: Highest, unit: Unit) =>
  isAtLeast ? `≥${numberRounded(value, unit, "down")}` : numberRounded(value, unit, "up");

const textOf = (highest: Highest, unit: Unit) => inUnit(numberOf(highest, unit), unit.symbol, unit.words);
