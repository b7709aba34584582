import { MILE_KM } from "@open-metocean/geo/sphere";
import {
  errorsByStandardLead,
  forecastErrors,
  type StandardErrors,
  type StandardLeadSummary,
} from "@open-metocean/storms/forecast-error";
import type { StormEntry, TrackPoint } from "@open-metocean/storms/schema";
import { largestRadius, radiiOf } from "@open-metocean/storms/track";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { chartFrame, linePath, roundTop } from "#components/ui/chart.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatClock, formatWeekdayDay } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Words, WordsWith } from "#lib/messages/words.ts";
import { positionText } from "#lib/position.ts";
import { forecastThresholds } from "#lib/storm-answers/approach.ts";
import {
  compareTracks,
  sameStorms,
  type TrackComparison,
  type TrackDifference,
} from "#lib/storm-answers/compare.ts";
import { averagingMinutes } from "#lib/storm-answers/provenance.ts";
import { formatStage, formatWind, quadrantLines, shortAgency, shortStage } from "./format-storm.ts";
import { stormHistoryQuery, stormsQuery } from "./storm-queries.ts";
import { useStorms } from "./storms-context.tsx";

/** The forecast as a table; a click on a time shows it on the map. */
export function StormForecast({ entry }: { entry: StormEntry }) {
  const zone = useZone();
  const { setTime } = useClock("setTime");
  const words = useWords("stormCard");
  const { forecast: text } = words.stormCard;
  const { forecast } = entry.tracks;
  if (!forecast) return null;
  // Thresholds that no hour reaches have no column.
  const thresholds = forecastThresholds(entry);
  return (
    // Into the padding of the panel, which gives the columns the room to stand apart.
    <div className="-mr-3 overflow-x-auto">
      <table className="storm-table">
        <caption className="mb-1 text-left font-semibold text-sm">
          {text.caption({ minutes: averagingMinutes[entry.provider] })}
          {thresholds.length > 0 ? (
            <span className="block font-normal text-muted text-xs">{text.quadrants}</span>
          ) : null}
        </caption>
        <thead>
          <tr>
            <th scope="col">{text.time}</th>
            <ColumnHead {...text.wind} />
            <th scope="col">{text.centre}</th>
            {thresholds.map((thresholdKt) => (
              <th key={thresholdKt} scope="col" className="reach-cell">
                {text.reach({ thresholdKt })}
              </th>
            ))}
            <ColumnHead {...text.cone} className="cone-cell" />
          </tr>
        </thead>
        <tbody>
          {forecast.points.map((point) => (
            <tr key={point.fhr}>
              <th scope="row">
                <button type="button" className="text-left underline" onClick={() => setTime(point.time)}>
                  <span className="block">{formatWeekdayDay(point.time, zone)}</span>{" "}
                  {formatClock(point.time, zone)}
                </button>
              </th>
              <td title={formatStage(point, entry, words)}>
                {point.vmax_kt === null ? "—" : Math.round(point.vmax_kt)}
                <span className="block text-muted">{shortStage(point, entry, words)}</span>
              </td>
              <td>
                {/* Forecast positions are in tenths of a degree, so whole minutes suffice. */}
                {positionText(point.lat, point.lon)
                  .replaceAll(".0′", "′")
                  .split(" ")
                  .map((part) => (
                    <span key={part} className="block">
                      {part}
                    </span>
                  ))}
                {point.sea_radii_km ? (
                  <span className="block text-muted">
                    {text.seas({ quadrants: quadrantLines(point.sea_radii_km["12ft"], words).join(" ") })}
                  </span>
                ) : null}
              </td>
              {thresholds.map((threshold) => (
                <td key={threshold} className="reach-cell">
                  <Reach point={point} threshold={threshold} />
                </td>
              ))}
              <td className="cone-cell">
                {point.cone_radius_km ? Math.round(point.cone_radius_km / MILE_KM) : "—"}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Reach of a wind in the quadrants, n mi, arranged as on a chart: NW and NE above SW and SE. */
function Reach({ point, threshold }: { point: TrackPoint; threshold: number }) {
  const words = useWords();
  const radii = radiiOf(point, threshold);
  if (!radii) return "—";
  if (largestRadius(radii) === 0) return "0";
  return (
    <span className="inline-grid grid-cols-[auto_auto] gap-x-1 text-right">
      {(["nw", "ne", "sw", "se"] as const).map((quadrant) => {
        const miles = formatNumber(radii[quadrant] / MILE_KM, 0, words.language);
        return (
          <span key={quadrant}>
            <span className="sr-only">{words.storms.quadrants[quadrant]({ miles })}</span>
            <span aria-hidden="true">{miles}</span>
          </span>
        );
      })}
    </span>
  );
}

const [WIDTH, HEIGHT] = [340, 110];
const [LEFT, TOP, RIGHT, BOTTOM] = [34, 8, 14, 18];

/** Mean distance by lead; the table gives the same in numbers. */
function ErrorChart({ summaries }: { summaries: readonly StandardLeadSummary[] }) {
  const { stormCard, ui, language } = useWords("stormCard");
  const longest = Math.max(...summaries.map(({ fhr }) => fhr));
  const top = roundTop(Math.max(10, ...summaries.map(({ meanMiles }) => meanMiles)));
  const frame = chartFrame([0, longest], [0, top], WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP);
  const at = { x: (hours: number) => LEFT + frame.x(hours), y: (miles: number) => TOP + frame.y(miles) };
  const samples = summaries.map(({ fhr: time, meanMiles: value }) => ({ time, value }));
  const [first, last] = [summaries[0], summaries.at(-1)];
  return (
    <figure>
      <figcaption className="text-muted text-xs">{stormCard.errors.chart}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="storm-chart"
        role="img"
        aria-label={stormCard.errors.chartLabel({
          means: summaries
            .filter((one) => one === first || one === last)
            .map(({ fhr, meanMiles }) =>
              stormCard.errors.mean({ miles: formatNumber(meanMiles, 0, language), hours: fhr }),
            )
            .join(ui.joins.clauses),
        })}
      >
        {[0, top / 2, top].map((miles) => (
          <g key={miles}>
            <line x1={LEFT} x2={WIDTH} y1={at.y(miles)} y2={at.y(miles)} className="grid-line" />
            <text x={LEFT - 4} y={at.y(miles) + 3.5} textAnchor="end">
              {formatNumber(miles, 0, language)}
            </text>
          </g>
        ))}
        {summaries.map(({ fhr, meanMiles }) => (
          <g key={fhr}>
            <text x={at.x(fhr)} y={HEIGHT - 5} textAnchor="middle">
              {fhr}
            </text>
            <circle cx={at.x(fhr)} cy={at.y(meanMiles)} r={3} className="value-dot" />
          </g>
        ))}
        <path d={linePath(samples, at)} className="value-line" />
      </svg>
    </figure>
  );
}

/** With fewer forecasts than this, errors say little about the next one. */
const MIN_FORECASTS = 5;

interface Props {
  entry: StormEntry;
  apiKey: string;
}

/** Errors of this storm's forecasts so far; the bulletins are read when the section is opened. */
export function StormErrors({ entry, apiKey }: Props) {
  const [open, setOpen] = useState(false);
  const { errors } = useWords("stormCard").stormCard;
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="font-semibold text-sm">{errors.title}</summary>
      {open ? <Errors entry={entry} apiKey={apiKey} /> : null}
    </details>
  );
}

function Errors({ entry, apiKey }: Props) {
  const { storms } = useWords();
  const { data, error, refetch } = useQuery(stormHistoryQuery(apiKey, entry.provider, entry.id));
  const errors = useMemo(() => data && errorsByStandardLead(forecastErrors(data.results)), [data]);
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data || !errors) return <p role="status">{storms.reading}</p>;
  return <ErrorTable errors={errors} bulletins={data.results.length} provider={entry.provider} />;
}

interface TableProps {
  errors: StandardErrors;
  bulletins: number;
  provider: StormEntry["provider"];
}

/** Mean errors by lead. */
export function ErrorTable({ errors: { summaries, uncounted }, bulletins, provider }: TableProps) {
  const { stormCard, language } = useWords("stormCard");
  const { errors: text } = stormCard;
  if (summaries.length === 0) return <p className="text-sm">{text.tooEarly({ bulletins })}</p>;
  const few = summaries.filter(({ count }) => count < MIN_FORECASTS);
  return (
    <div className="mt-2 space-y-2">
      <ErrorChart summaries={summaries} />
      <table className="storm-table">
        <caption className="sr-only">{text.caption}</caption>
        <thead>
          <tr>
            <ColumnHead {...text.lead} />
            <th scope="col">{text.forecasts}</th>
            <ColumnHead {...text.track} />
            <ColumnHead {...text.wind} />
          </tr>
        </thead>
        <tbody>
          {summaries.map((summary) => (
            <tr key={summary.fhr} className={summary.count < MIN_FORECASTS ? "text-muted" : ""}>
              <th scope="row">{formatLead(summary)}</th>
              <td>{summary.count < MIN_FORECASTS ? text.few({ count: summary.count }) : summary.count}</td>
              <td>{formatNumber(summary.meanMiles, 0, language)}</td>
              <td>{formatWindError(summary)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-muted text-xs">
        {text.means({ bulletins, minutes: averagingMinutes[provider] })}
        {few.length > 0 ? ` ${text.tooFew({ least: MIN_FORECASTS })}` : ""}
        {uncounted > 0 ? ` ${text.leftOut({ count: uncounted })}` : ""}
      </p>
    </div>
  );
}

/** A lead such as `48`, with the leads counted under it if they differ: `48 (45–48)`. */
function formatLead({ fhr, leads: [shortest, longest] }: StandardLeadSummary): string {
  if (shortest === fhr && longest === fhr) return String(fhr);
  return `${fhr} (${shortest === longest ? shortest : `${shortest}–${longest}`})`;
}

/** Mean wind error without and with its sign: `8 (−3)`. */
function formatWindError({ meanWindKt, windBiasKt }: StandardLeadSummary): string {
  if (meanWindKt === null || windBiasKt === null) return "—";
  const bias = Math.round(windBiasKt);
  return `${Math.round(meanWindKt)} (${bias > 0 ? "+" : bias < 0 ? "−" : "±"}${Math.abs(bias)})`;
}

/**
 * The same storm according to the other provider, compared but never mixed; renders nothing if it has none.
 */
export function StormPeer({ entry, apiKey }: { entry: StormEntry; apiKey: string }) {
  const { now } = useClock("now");
  const words = useWords("stormCard");
  const { peer } = words.stormCard;
  const { data: jtwc } = useQuery(stormsQuery(apiKey, "jtwc"));
  const { data: jma } = useQuery(stormsQuery(apiKey, "jma"));
  const pair = useMemo(
    () =>
      sameStorms(jtwc?.entries ?? [], jma?.entries ?? [], now).find(
        (one) => one[entry.provider].id === entry.id,
      ),
    [jtwc, jma, now, entry.provider, entry.id],
  );
  const { film, showPeer } = useStorms("film", "showPeer");
  const [open, setOpen] = useState(false);
  const compared = useMemo(() => pair && compareTracks(pair.jtwc, pair.jma), [pair]);
  const comparison = open ? compared : undefined;
  useEffect(() => {
    if (!comparison || !pair) return;
    const other = entry.provider === "jtwc" ? pair.jma : pair.jtwc;
    showPeer({ entry: other, differences: comparison.differences });
    return () => showPeer(undefined);
  }, [comparison, pair, entry.provider, showPeer]);
  if (!pair || !compared) return null;
  const other = entry.provider === "jtwc" ? pair.jma : pair.jtwc;
  const provider = words.storms.providers[other.provider];
  return (
    <section aria-label={peer.region} className="space-y-1 text-sm">
      <h3 className="font-semibold">{peer.title({ provider, id: other.id })}</h3>
      <p>{peer.winds({ other: windOf(other, words), own: windOf(entry, words) })}</p>
      <p>{formatDistance(pair.km, compared, now, words)}</p>
      <button
        type="button"
        className="toggle"
        aria-pressed={open}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {peer.compare}
      </button>
      {comparison ? (
        <>
          <p className="text-muted text-xs">{film ? peer.closeFilm : peer.onMap({ provider })}</p>
          <TrackDifferences comparison={comparison} />
        </>
      ) : null}
    </section>
  );
}

function windOf(entry: StormEntry, words: Words): string {
  const first: TrackPoint | undefined =
    entry.tracks.observed.findLast(({ vmax_kt }) => vmax_kt !== null) ?? entry.tracks.forecast?.points[0];
  return first ? formatWind(first, entry, words) : words.storms.notEstimated;
}

/** Distance between both positions now, and between both forecasts at the last common time. */
function formatDistance(
  km: number,
  { differences }: TrackComparison,
  now: number,
  words: WordsWith<"stormCard">,
): string {
  const { peer } = words.stormCard;
  const miles = formatMiles(km, words);
  const last = differences.findLast(({ exact }) => exact);
  if (!last || last.time <= now) return peer.apart({ miles });
  const hours = Math.round((last.time - now) / 3600);
  return peer.apartLater({ now: miles, later: formatMiles(last.miles * MILE_KM, words), hours });
}

/**
 * Distance and winds of one storm by two providers, over time: future times first, then backwards from now.
 */
function TrackDifferences({ comparison }: { comparison: TrackComparison }) {
  const { differences, averagingMinutes: minutes } = comparison;
  const { peer } = useWords("stormCard").stormCard;
  // Observed times are listed only if both providers have a point; forecasts have few common times, so those
  // are interpolated.
  const ahead = differences.filter(({ stage }) => stage === "forecast");
  const observed = differences.filter(({ stage, exact }) => stage === "observed" && exact).reverse();
  if (ahead.length + observed.length === 0) return <p className="text-sm">{peer.noCommonTime}</p>;
  return (
    <>
      {/* It scrolls within the panel, also by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className="relative max-h-80 overflow-auto" tabIndex={0} aria-label={peer.table}>
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
  const zone = useZone();
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

/** A signed difference: `+5`, `−5`, `0`. */
function formatDifference(knots: number | null): string {
  if (knots === null) return "—";
  const rounded = Math.round(knots);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)}`;
}

function formatKnots(knots: number | null): string {
  return knots === null ? "—" : String(Math.round(knots));
}

/** Column heading of a narrow table, with the unit on its own line. */
function ColumnHead({ what, unit, className }: { what: string; unit: string; className?: string }) {
  return (
    <th scope="col" className={className}>
      {what} <span className="block">{unit}</span>
    </th>
  );
}
