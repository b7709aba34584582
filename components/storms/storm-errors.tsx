import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { forecastErrors } from "#lib/storms/forecast-error.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";
import {
  errorsByStandardLead,
  type StandardErrors,
  type StandardLeadSummary,
} from "#lib/storms/standard-leads.ts";
import { ErrorChart } from "./error-chart.tsx";
import { stormHistoryQuery } from "./storm-queries.ts";

/** Fewer forecasts than these say little about the next one. */
const MIN_FORECASTS = 5;

interface Props {
  entry: StormEntry;
  apiKey: string;
}

/** How far the forecasts of this storm were off so far; its bulletins are read when it is opened. */
export function StormErrors({ entry, apiKey }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="font-semibold text-sm">Forecast against what came</summary>
      {open ? <Errors entry={entry} apiKey={apiKey} /> : null}
    </details>
  );
}

function Errors({ entry, apiKey }: Props) {
  const { data, error, refetch } = useQuery(stormHistoryQuery(apiKey, entry.provider, entry.id));
  const errors = useMemo(() => data && errorsByStandardLead(forecastErrors(data.results)), [data]);
  if (error) return <ErrorMessage error={error} onRetry={() => void refetch()} />;
  if (!data || !errors) return <p role="status">Reading the bulletins…</p>;
  return <ErrorTable errors={errors} bulletins={data.results.length} provider={entry.provider} />;
}

interface TableProps {
  errors: StandardErrors;
  bulletins: number;
  provider: StormEntry["provider"];
}

/** Mean errors by lead. */
export function ErrorTable({ errors: { summaries, uncounted }, bulletins, provider }: TableProps) {
  const bulletinCount = bulletins === 1 ? "one bulletin" : `${bulletins} bulletins`;
  if (summaries.length === 0) {
    return (
      <p className="text-sm">
        Too early: {bulletinCount} {bulletins === 1 ? "is" : "are"} stored here, and none of their forecast
        times has been observed yet.
      </p>
    );
  }
  const few = summaries.filter(({ count }) => count < MIN_FORECASTS);
  return (
    <div className="mt-2 space-y-2">
      <ErrorChart summaries={summaries} />
      <table className="storm-table">
        <caption className="sr-only">Mean error of the forecasts so far, by lead</caption>
        <thead>
          <tr>
            <th scope="col">
              Lead, <span className="block">h</span>
            </th>
            <th scope="col">Forecasts</th>
            <th scope="col">
              Track, <span className="block">n mi</span>
            </th>
            <th scope="col">
              Wind, <span className="block">kn</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {summaries.map((summary) => (
            <tr key={summary.fhr} className={summary.count < MIN_FORECASTS ? "text-muted" : ""}>
              <th scope="row">{formatLead(summary)}</th>
              <td>
                {summary.count}
                {summary.count < MIN_FORECASTS ? " (few)" : ""}
              </td>
              <td>{Math.round(summary.meanMiles)}</td>
              <td>{formatWindError(summary)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-muted text-xs">
        Means of {bulletinCount} against the track as it is known now. Wind: {averagingMinutes[provider]}
        -minute means; in brackets the mean with its sign, minus where the forecasts were too weak.
        {few.length > 0
          ? ` Fewer than ${MIN_FORECASTS} forecasts of a lead are too few to judge the next one by.`
          : ""}
        {uncounted > 0 ? ` ${uncounted} forecasts of other leads are left out.` : ""}
      </p>
    </div>
  );
}

/** `48`, or the leads that are counted under it: `48 (45–48)`. */
function formatLead({ fhr, leads: [shortest, longest] }: StandardLeadSummary): string {
  if (shortest === fhr && longest === fhr) return String(fhr);
  return `${fhr} (${shortest === longest ? shortest : `${shortest}–${longest}`})`;
}

/** `8 (−3)`: without and with its sign. */
function formatWindError({ meanWindKt, windBiasKt }: StandardLeadSummary): string {
  if (meanWindKt === null || windBiasKt === null) return "—";
  const bias = Math.round(windBiasKt);
  return `${Math.round(meanWindKt)} (${bias > 0 ? "+" : bias < 0 ? "−" : "±"}${Math.abs(bias)})`;
}
