import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { chartFrame, linePath, roundTop } from "#components/ui/chart.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { formatNumber } from "#lib/messages/number.ts";
import {
  errorsByStandardLead,
  forecastErrors,
  type StandardErrors,
  type StandardLeadSummary,
} from "#lib/storms/forecast-error.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";
import { ColumnHead } from "./column-head.tsx";
import { stormHistoryQuery } from "./storm-queries.ts";

const [WIDTH, HEIGHT] = [340, 110];
/** Margins of the plot. */
const [LEFT, TOP, RIGHT, BOTTOM] = [34, 8, 14, 18];

/** Mean distance by lead; the table has the same values in numbers. */
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

/** Fewer forecasts than these say little about the next one. */
const MIN_FORECASTS = 5;

interface Props {
  entry: StormEntry;
  apiKey: string;
}

/** How far the forecasts of this storm were off so far; its bulletins are read when it is opened. */
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
