import type { Prediction } from "#components/api-client/tide-queries.ts";
import type { Zone } from "#components/view-state/civil.ts";
import { formatClock, formatWeekdayDay } from "#components/view-state/format-time.ts";
import type { Units } from "#lib/units.ts";
import { daysOf, eventNumber, valueStyle } from "./format-tide.ts";

interface Props {
  prediction: Prediction;
  /** Unix seconds within the first day. */
  first: number;
  days: number;
  caption: string;
  units: Units;
  zone: Zone<"tides">;
}

/** High and low waters, or slacks and fastest streams, one row per day; high waters and floods are bold. */
export function TideTable({ prediction, first, days, caption, units, zone }: Props) {
  const { tides } = zone.words;
  const style = valueStyle(prediction, units, zone.words);
  return (
    <table className="tide-table" data-kind={prediction.kind}>
      <caption>{caption}</caption>
      <tbody>
        {daysOf(prediction, first, days, zone).map(({ start, events, phase }) => (
          <tr key={start}>
            <th scope="row">
              {formatWeekdayDay(start, zone)}
              {phase ? <span className="tide-phase">{tides[phase]}</span> : null}
            </th>
            <td>
              {events.map((event) => {
                const number = eventNumber(event, style);
                const isMain = event.type === "high" || event.type === "max_flood";
                return (
                  <span key={event.time} className="whitespace-nowrap">
                    <span className="sr-only">{tides.events[event.type]} </span>
                    {formatClock(event.time, zone)} {isMain ? <strong>{number}</strong> : number || "–"}
                    {event.coefficient === undefined ? null : (
                      <span className="text-muted"> {tides.coefficient({ value: event.coefficient })}</span>
                    )}
                  </span>
                );
              })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
