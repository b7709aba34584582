import type { Place } from "@open-metocean/geo/sphere";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { Fragment, type ReactNode, useCallback, useState } from "react";
import { DirectionGlyph } from "#components/ui/direction-glyph.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import type { FurtherRow } from "#components/ui/time-chart.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import type { Side } from "#components/view-state/compared.ts";
import { formatClock, formatDay, formatTime } from "#components/view-state/format-time.ts";
import { readingOf } from "#components/view-state/overlays.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { formatBearing } from "#lib/position.ts";
import { svgPaths } from "#lib/symbols/symbols.ts";
import { numberIn, type Unit, unitFor } from "#lib/units.ts";
import type { TimedConditions } from "./conditions-at.ts";
import { type KeyValue, keyValues } from "./format-conditions.ts";
import { glyphOf, Meteogram, type SeriesProps } from "./meteogram.tsx";
import { type PointSample, runsQuery } from "./point-queries.ts";
import type { ConditionsState } from "./use-conditions.ts";

// Needed only to compare earlier runs.
const RunsSection = dynamic(() => import("./runs-section.tsx").then((file) => file.RunsSection), {
  ssr: false,
});

interface Props extends Pick<ConditionsState, "series" | "old"> {
  sample: PointSample;
  shown: TimedConditions;
  /** Quantities whose values are elsewhere, because the model has land here. */
  without: readonly DrawnVariable[];
  /** Notice that says where they are. */
  children?: ReactNode;
  tide?: TideRow | undefined;
}

/**
 * Content below the meteogram about the tide. @param shown Its callback sets the tide's row in the meteogram
 * when it is known.
 */
export type TideRow = (shown: {
  place: Place;
  /** First time of the chart, and time of the cursor, Unix seconds. */
  first: number;
  time: number;
  onRow(row: FurtherRow | undefined): void;
}) => ReactNode;

/** The values at the time of the map or under the pointer, the days around it, and the last runs. */
export function PointSeries({ series, sample, shown, old, without, children, tide }: Props) {
  const { point, compare } = useWords();
  const view = useView("runs", "u");
  const zone = useZone();
  const { now } = useClock("now");
  const [pointed, setPointed] = useState<number>();
  const [further, setFurther] = useState<FurtherRow>();
  const [isTableOpen, setTableOpen] = useState(false);
  const onRow = useCallback((row: FurtherRow | undefined) => setFurther(() => row), []);
  const { rows, error, retry } = series;
  const last = useQuery({ ...runsQuery(sample, rows ?? [], now), enabled: view.runs && rows !== undefined });
  const { place, time } = sample;
  const runs = view.runs ? last.data : undefined;
  const under = pointed === undefined ? undefined : rows?.find((row) => row.time === pointed);
  const lines = keyValues((under ?? shown).conditions, view.u, zone.words).filter(
    ({ variable }) => !without.includes(variable),
  );
  return (
    <>
      <div>
        <SampledTime time={(under ?? shown).time} />
        <Readings lines={lines} old={old && !under} />
      </div>
      {children}
      {error ? <ErrorMessage error={error} onRetry={retry} /> : null}
      {rows ? (
        <>
          <Meteogram
            place={place}
            rows={rows}
            time={time}
            runs={runs?.runs}
            further={further}
            pointed={pointed}
            onPoint={setPointed}
          />
          {rows[0] ? tide?.({ place, first: rows[0].time, time: pointed ?? time, onRow }) : null}
        </>
      ) : error ? null : (
        <div className="skeleton h-96" aria-hidden="true" />
      )}
      {view.runs && rows?.some((row) => row.time >= now) ? (
        <div aria-live="polite">
          {last.isPending ? <p className="text-muted text-sm">{compare.runs.reading}</p> : null}
          {last.error ? <ErrorMessage error={last.error} onRetry={() => void last.refetch()} /> : null}
          {runs ? <RunsSection last={runs} time={time} /> : null}
        </div>
      ) : null}
      {rows ? (
        <details onToggle={({ currentTarget }) => setTableOpen(currentTarget.open)}>
          <summary className="min-h-8 cursor-pointer content-center text-sm">{point.hourByHour}</summary>
          {isTableOpen ? <SeriesTable rows={rows} time={time} /> : null}
        </details>
      ) : null}
    </>
  );
}

const sides: readonly Side[] = ["a", "b"];

/**
 * The time of the values at the point. If two pictures are compared it names the one to which the time
 * belongs, and the other one can be selected.
 */
function SampledTime({ time }: { time: number }) {
  const zone = useZone();
  const { compare: words } = zone.words;
  const { side } = useClock("side");
  const text = formatTime(time, undefined, zone);
  if (!side)
    return (
      <p className="text-muted text-sm tabular-nums" data-testid="values-time">
        {text}
      </p>
    );
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <p className="text-muted text-sm tabular-nums">{words.of({ side: side.sampled, text })}</p>
      <fieldset className="flex gap-1" aria-label={words.title}>
        {sides.map((name) => (
          <button
            key={name}
            type="button"
            className="toggle max-md:min-w-11"
            aria-label={words.where[name]}
            aria-pressed={name === side.sampled}
            onClick={() => side.choose(name)}
          >
            {words.side[name]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** The main values in large type, each with its direction as on the map. */
export function Readings({ lines, old }: { lines: readonly KeyValue[]; old: boolean }) {
  return (
    <dl className={`readings ${old ? "old-values" : ""}`}>
      {lines.map(({ variable, name, value, details, towards }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            {details.map((text, index) => (
              <span key={text}>
                {text}
                {index === 0 && towards !== undefined ? (
                  <DirectionGlyph {...svgPaths(glyphOf(variable, 1))} towards={towards} />
                ) : null}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The chart's values in numbers; a click on a time shows it on the map. */
export function SeriesTable({ rows, time }: SeriesProps) {
  const view = useView("u");
  const zone = useZone();
  const { words } = zone;
  const { table } = words.point;
  const { setTime } = useClock("setTime");
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
