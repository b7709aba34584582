import type { Prediction } from "#components/api-client/tide-queries.ts";
import { PrintedPage } from "#components/ui/printed-page.tsx";
import { civilOf, zoneWith } from "#components/view-state/civil.ts";
import { formatMonth, formatMonthDay } from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { offsetAt } from "#lib/tides/local-day.ts";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { daysOf, differencesText, nameText, numbersText, valueStyle } from "./format-tide.ts";
import { useOwnPort } from "./own-port.tsx";
import { TideTable } from "./tide-table.tsx";

interface Props {
  /** Prediction of whole days in the station's time zone. */
  month: Prediction;
  /** Called after printing or cancelling. */
  onEnd(): void;
}

/** A month of a station for printing, in its time zone, in place of the page. */
export function PrintedMonth({ month, onEnd }: Props) {
  return (
    <PrintedPage onEnd={onEnd}>
      <MonthSheet month={month} />
    </PrintedPage>
  );
}

export function MonthSheet({ month }: { month: Prediction }) {
  const view = useView("u");
  const { words } = useZone("tides");
  const { station, attribution } = month;
  const zone = zoneWith((time) => offsetAt(time, station.timezone), words);
  const first = parseInstant(month.from);
  const days = Math.round((parseInstant(month.to) - first) / DAY_S);
  const port = useOwnPort(station.id);
  const heading = `${nameText(month, port, words)} · ${formatMonth(civilOf(first, zone), words)}`;
  const mark = differencesText(month, words);
  const above = numbersText(month, valueStyle(month, view.u, words), words);
  // First day on which the clocks differ from the day before.
  const starts = daysOf(month, first, days, zone).map(({ start }) => start);
  const changed = starts.find((start) => zone.offset(start + DAY_S) !== zone.offset(first));
  const clocks = [
    zone.label(first),
    ...(changed === undefined
      ? []
      : [
          words.tides.clockFrom({
            day: formatMonthDay(changed, zone),
            clock: zone.label(changed + DAY_S),
          }),
        ]),
  ].join(words.ui.joins.list);
  return (
    <section className="printed-tide">
      <h1 className="font-semibold text-lg">{heading}</h1>
      <p>
        {above} · {station.timezone} {clocks}
      </p>
      {mark ? (
        <p>
          <strong>{mark}</strong> · {words.tides.subordinate({ name: station.reference?.name ?? "" })}
        </p>
      ) : null}
      <TideTable prediction={month} first={first} days={days} caption={heading} units={view.u} zone={zone} />
      <p className="text-xs">
        {words.tides.withoutWeather} {attribution}
      </p>
    </section>
  );
}
