import { formatClock, formatWeekdayDay } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { TrackComparison, TrackDifference } from "#lib/storms/compare.ts";
import { ColumnHead } from "./column-head.tsx";
import { shortAgency } from "./format-storm.ts";

/** Distance and winds of one storm by two providers, by time: what is ahead first, then back from now. */
export function TrackDifferences({ comparison }: { comparison: TrackComparison }) {
  const { differences, averagingMinutes: minutes } = comparison;
  const { peer } = useWords("stormCard").stormCard;
  // Between two points of one provider a distance is interpolated; the forecast has few common times.
  const ahead = differences.filter(({ stage }) => stage === "forecast");
  const observed = differences.filter(({ stage, exact }) => stage === "observed" && exact).reverse();
  if (ahead.length + observed.length === 0) return <p className="text-sm">{peer.noCommonTime}</p>;
  return (
    <>
      {/* It scrolls within the panel, by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="track-differences" tabIndex={0} aria-label={peer.table}>
        <table className="storm-table">
          <caption className="sr-only">{peer.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{peer.time}</th>
              <ColumnHead {...peer.distance} />
              <ColumnHead
                what={peer.wind.what({ agency: shortAgency("jtwc") })}
                unit={peer.wind.unit({ minutes: minutes.jtwc })}
              />
              <ColumnHead
                what={peer.wind.what({ agency: shortAgency("jma") })}
                unit={peer.wind.unit({ minutes: minutes.jma })}
              />
              <ColumnHead {...peer.difference} />
            </tr>
          </thead>
          <Rows title={peer.forecast} rows={ahead} />
          <Rows title={peer.observed} rows={observed} />
        </table>
      </section>
      <p className="text-muted text-xs">
        {peer.note({ shorter: minutes.jtwc, longer: minutes.jma })}
        {ahead.some(({ exact }) => !exact) ? ` ${peer.interpolated}` : ""}
      </p>
    </>
  );
}

function Rows({ title, rows }: { title: string; rows: readonly TrackDifference[] }) {
  const { zone } = useView();
  const { language } = useWords();
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr>
        <th colSpan={5} scope="rowgroup" className="font-normal text-muted">
          {title}
        </th>
      </tr>
      {rows.map(({ time, exact, miles, jtwc, jma, windKt }) => (
        <tr key={time}>
          <th scope="row">
            {formatWeekdayDay(time, zone)} {formatClock(time, zone)}
          </th>
          <td>
            {exact ? "" : "≈ "}
            {formatNumber(miles, 0, language)}
          </td>
          <td>{formatKnots(jtwc.vmaxKt)}</td>
          <td>{formatKnots(jma.vmaxKt)}</td>
          <td>{formatDifference(windKt)}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** `+5`, `−5`, `0`. */
function formatDifference(knots: number | null): string {
  if (knots === null) return "—";
  const rounded = Math.round(knots);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)}`;
}

function formatKnots(knots: number | null): string {
  return knots === null ? "—" : String(Math.round(knots));
}
