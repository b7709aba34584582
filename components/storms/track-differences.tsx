import { formatClock, formatDay } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { TrackComparison, TrackDifference } from "#lib/storms/compare-tracks.ts";

/** Distance and winds of one storm by two providers, by time: what is ahead first, then back from now. */
export function TrackDifferences({ comparison }: { comparison: TrackComparison }) {
  const { differences, averagingMinutes } = comparison;
  // Between two points of one provider a distance is interpolated; the forecast has few common times.
  const ahead = differences.filter(({ stage }) => stage === "forecast");
  const observed = differences.filter(({ stage, exact }) => stage === "observed" && exact).reverse();
  if (ahead.length + observed.length === 0)
    return <p className="text-sm">The two tracks have no time in common.</p>;
  return (
    <>
      {/* It scrolls within the panel, by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="track-differences" tabIndex={0} aria-label="The two tracks by time">
        <table className="storm-table">
          <caption className="sr-only">Distance of the two centres and their winds, by time</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">
                Apart, <span className="block">n mi</span>
              </th>
              <th scope="col">
                JTWC/NHC, <span className="block">kn, {averagingMinutes.jtwc}-min</span>
              </th>
              <th scope="col">
                JMA, <span className="block">kn, {averagingMinutes.jma}-min</span>
              </th>
              <th scope="col">
                Differ by, <span className="block">kn</span>
              </th>
            </tr>
          </thead>
          <Rows title="Forecast" rows={ahead} />
          <Rows title="Observed, newest first" rows={observed} />
        </table>
      </section>
      <p className="text-muted text-xs">
        A {averagingMinutes.jtwc}-minute mean is higher than a {averagingMinutes.jma}-minute mean of the same
        wind: a difference of winds is not an error of one of the two.
        {ahead.some(({ exact }) => !exact) ? " ≈: one of the two is interpolated." : ""}
      </p>
    </>
  );
}

function Rows({ title, rows }: { title: string; rows: readonly TrackDifference[] }) {
  const { zone } = useView();
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
            {formatDay(time, zone).replace(/ \w+$/, "")} {formatClock(time, zone)}
          </th>
          <td>
            {exact ? "" : "≈ "}
            {Math.round(miles)}
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
