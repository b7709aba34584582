import { chartFrame, linePath, roundTop } from "#components/ui/chart.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { StandardLeadSummary } from "#lib/storms/forecast-error.ts";

const [WIDTH, HEIGHT] = [340, 110];
/** Margins of the plot. */
const [LEFT, TOP, RIGHT, BOTTOM] = [34, 8, 14, 18];

/** Mean distance by lead; the table has the same values in numbers. */
export function ErrorChart({ summaries }: { summaries: readonly StandardLeadSummary[] }) {
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
