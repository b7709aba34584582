import { formatShortTime } from "#components/view-state/format-time.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { parseInstant } from "#lib/time.ts";
import { ABSENT, formatDuration, limitText, milesText, type PassageStyle } from "./passage-format.ts";
import { usePassageWords } from "./passage-words.ts";
import type { FoundRoute } from "./use-better-route.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

interface Props {
  found: FoundRoute;
  style: PassageStyle;
}

/** Both routes in numbers; the lines in the titles are those of the map. */
export function BetterTable({ found, style }: Props) {
  const { better: text, outlook } = usePassageWords();
  const { totals: titles, leave } = outlook;
  const { own, plan, better } = found;
  const over = (seconds: number) => (seconds > 0 ? formatDuration(seconds, style) : titles.none);
  const size = (name: "head_sea_m" | "wind_kt", value: number | null) =>
    value === null ? ABSENT : limitText(name, value, style);
  const rows: [title: string, of: (plan: PassagePlan) => string][] = [
    [
      titles.arrival,
      ({ arrival }) => (arrival === null ? ABSENT : formatShortTime(parseInstant(arrival), style.zone)),
    ],
    [titles.duration, ({ totals }) => formatDuration(totals.duration_s, style)],
    [titles.distance, ({ totals }) => milesText(totals.distance_nm, style)],
    [titles.wind, ({ totals }) => size("wind_kt", totals.max_wind_kt)],
    [titles.sea, ({ totals }) => size("head_sea_m", totals.max_height_m)],
    [titles.over, (one) => over(better.over_limits_s[one === own ? "own" : "better"])],
    [text.weighted, (one) => over(better.weighted_over_limits_s[one === own ? "own" : "better"])],
  ];
  return (
    <table className="better-table">
      <caption className="sr-only">{text.caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            <span className="better-line" aria-hidden="true" /> {text.own}
          </th>
          <th scope="col">
            <span className="better-line" data-better aria-hidden="true" /> {text.better}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{leave.table.verdict}</th>
          <td>
            <VerdictBadge verdict={own.verdict} />
          </td>
          <td>
            <VerdictBadge verdict={plan.verdict} />
          </td>
        </tr>
        {rows.map(([title, of]) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{of(own)}</td>
            <td>{of(plan)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
