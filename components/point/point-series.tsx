import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { Fragment, useMemo } from "react";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatClock, formatDay } from "#components/view-state/format-time.ts";
import { readingOf } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { formatBearing } from "#lib/position.ts";
import { HOUR_S } from "#lib/time.ts";
import { numberIn, type Unit, unitFor } from "#lib/units.ts";
import { Meteogram, type SeriesProps } from "./meteogram.tsx";
import { type PointSample, runsQuery } from "./point-queries.ts";
import type { ConditionsState } from "./use-conditions.ts";

// Only who asks what the runs of before say.
const RunsSection = dynamic(() => import("./runs-section.tsx").then((file) => file.RunsSection), {
  ssr: false,
});

interface Props extends Pick<ConditionsState, "series"> {
  sample: PointSample;
}

/** The days around the time of the map, drawn and in numbers, and what the last runs say of them. */
export function PointSeries({ series, sample }: Props) {
  const { point, compare } = useWords();
  const { view, changeView } = useView();
  const { now } = useClock();
  const { rows, error, retry } = series;
  const last = useQuery({ ...runsQuery(sample, rows ?? [], now), enabled: view.runs && rows !== undefined });
  const { time } = sample;
  if (error) return <ErrorMessage error={error} onRetry={retry} />;
  if (!rows) return <div className="skeleton h-72" aria-hidden="true" />;
  const runs = view.runs ? last.data : undefined;
  const isFuture = rows.some((row) => row.time >= now);
  return (
    <>
      <Meteogram rows={rows} time={time} runs={runs?.runs} />
      {isFuture ? (
        <button
          type="button"
          className="toggle mt-1"
          aria-pressed={view.runs}
          onClick={() => changeView({ runs: !view.runs })}
        >
          {compare.runs.show}
        </button>
      ) : null}
      {view.runs && isFuture ? (
        <div className="mt-2" aria-live="polite">
          {last.isPending ? <p className="text-muted text-sm">{compare.runs.reading}</p> : null}
          {last.error ? <ErrorMessage error={last.error} onRetry={() => void last.refetch()} /> : null}
          {runs ? <RunsSection last={runs} time={time} /> : null}
        </div>
      ) : null}
      <details className="mt-2">
        <summary className="min-h-8 cursor-pointer content-center text-sm">{point.everyThreeHours}</summary>
        <SeriesTable rows={rows} time={time} />
      </details>
    </>
  );
}

/** The numbers of the chart; a click on a time shows it on the map. */
function SeriesTable({ rows: all, time }: SeriesProps) {
  const { view, zone } = useView();
  const { words } = zone;
  const { table } = words.point;
  const { setTime } = useClock();
  const rows = useMemo(() => all.filter((row) => row.time % (3 * HOUR_S) === 0), [all]);
  const unitOf = (answered: string, name: VariableName) => unitFor(answered, view.u, readingOf(name), words);
  const [wind, wave, pressure] = [unitOf("m/s", "wind"), unitOf("m", "wave"), unitOf("hPa", "pressure")];
  const current = unitOf("m/s", "current");
  const number = (value: number | null | undefined, unit: Unit) =>
    typeof value === "number" ? numberIn(value, unit) : "—";
  const bearing = (value: number | null | undefined) =>
    typeof value === "number" ? formatBearing(value) : "";
  return (
    <table className="series w-full text-right text-xs tabular-nums">
      <caption className="sr-only">{table.caption}</caption>
      <thead className="text-muted">
        <tr>
          <th scope="col" className="text-left">
            {zone.label(rows[0]?.time ?? 0)}
          </th>
          <th scope="col">{table.wind({ unit: wind.symbol })}</th>
          <th scope="col">{table.gusts}</th>
          <th scope="col">{table.waves({ unit: wave.symbol })}</th>
          <th scope="col">{table.current({ unit: current.symbol })}</th>
          <th scope="col">{pressure.symbol}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ time: at, conditions }, index) => {
          const day = formatDay(at, zone);
          const newDay = index === 0 || day !== formatDay(rows[index - 1]?.time ?? 0, zone);
          return (
            <Fragment key={at}>
              {newDay ? (
                <tr>
                  <th scope="colgroup" colSpan={6} className="pt-2 text-left font-semibold">
                    {day}
                  </th>
                </tr>
              ) : null}
              <tr className={at === time ? "shown" : ""}>
                <th scope="row" className="text-left font-normal">
                  <button
                    type="button"
                    className="min-h-6 underline decoration-dotted underline-offset-2"
                    aria-label={table.show({ day, clock: formatClock(at, zone) })}
                    onClick={() => setTime(at)}
                  >
                    {formatClock(at, zone)}
                  </button>
                </th>
                <td>
                  {bearing(conditions.Winds_10m_Direction)}{" "}
                  <strong>{number(conditions.Winds_10m_Intensity, wind)}</strong>
                </td>
                <td>{number(conditions.Gust_10m, wind)}</td>
                <td>
                  {bearing(conditions.Waves_Mean_Direction)}{" "}
                  <strong>{number(conditions.Waves_Significant_Height, wave)}</strong>{" "}
                  {typeof conditions.Waves_Mean_Period === "number"
                    ? Math.round(conditions.Waves_Mean_Period)
                    : ""}
                </td>
                <td>
                  {bearing(conditions.Currents_Direction)}{" "}
                  <strong>{number(conditions.Currents_Intensity, current)}</strong>
                </td>
                <td>{number(conditions.Pressure, pressure)}</td>
              </tr>
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}
