import { formatShortTime } from "#components/view-state/format-time.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { fromKnots } from "#lib/knots.ts";
import { parseInstant } from "#lib/time.ts";
import { numberIn, type Unit } from "#lib/units.ts";
import {
  ABSENT,
  formatElapsed,
  type PassageStyle,
  seaUnit,
  shortDeciding,
  windUnit,
} from "./passage-format.ts";
import { limitsOver } from "./passage-totals.tsx";
import type { Departure } from "./sweep-rows.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

interface Props {
  departures: readonly Departure[];
  style: PassageStyle;
  /** It may sail, and has a column for its motor. */
  isSail: boolean;
  /** Departure of the plan, which is marked. */
  chosen: string | undefined;
  onChoose(plan: PassagePlan): void;
}

/** Departures in numbers; choosing one makes it that of the plan. */
export function SweepTable({ departures, style, isSail, chosen, onChoose }: Props) {
  const { words, zone } = style;
  const { table } = words.leave;
  const [wind, sea] = [windUnit(style), seaUnit(style)];
  const first = departures[0];
  const heads: [title: string, unit: string, column?: string][] = [
    [table.verdict, "", "sweep-verdict"],
    [table.duration, "h:min"],
    [table.wind, wind.symbol],
    [table.gust, wind.symbol],
    [table.sea, sea.symbol],
    [table.over, "h:min", "sweep-over"],
    ...(isSail ? [[table.motor, "h:min"] as [string, string]] : []),
    [table.comfort, ""],
    [table.arrival, zone.label(0), "sweep-arrival"],
  ];
  return (
    <table className="passage-table sweep-table">
      <caption className="sr-only">{table.caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            {table.departure}
            <span className="unit">{zone.label(first ? parseInstant(first.plan.departure) : 0)}</span>
          </th>
          {heads.map(([title, unit, column]) => (
            <th key={title} scope="col" className={column}>
              {title}
              <span className="unit">{unit}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {departures.map(({ plan, isWhole }) => {
          const when = formatShortTime(parseInstant(plan.departure), zone);
          return (
            <tr
              key={plan.departure}
              className={plan.departure === chosen ? "shown" : undefined}
              data-verdict={plan.verdict}
              data-unknown={!isWhole || undefined}
            >
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={plan.departure === chosen}
                  aria-label={table.choose({ when, verdict: words.verdicts[plan.verdict] })}
                  onClick={() => onChoose(plan)}
                >
                  {when}
                </button>
              </th>
              <td className="sweep-verdict">
                <VerdictBadge verdict={plan.verdict} />{" "}
                <span className="sweep-why">{whyOf(plan, isWhole, style)}</span>
              </td>
              <Numbers plan={plan} style={style} isSail={isSail} wind={wind} sea={sea} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What decided, and that the forecast does not reach the end. */
function whyOf(plan: PassagePlan, isWhole: boolean, style: PassageStyle): string {
  const why = shortDeciding(plan, style);
  const isSaid = plan.deciding?.by === "no_forecast" || plan.ending !== "arrived";
  return [why, isWhole || isSaid ? "" : style.words.leave.beyond].filter(Boolean).join("; ");
}

interface NumbersProps {
  plan: PassagePlan;
  style: PassageStyle;
  isSail: boolean;
  wind: Unit;
  sea: Unit;
}

function Numbers({ plan, style, isSail, wind, sea }: NumbersProps) {
  const { words, zone } = style;
  const { totals, arrival, arrival_light: light } = plan;
  const speed = (knots: number | null) => (knots === null ? ABSENT : numberIn(fromKnots(knots), wind));
  const [longest] = limitsOver(totals.over_limits_s);
  return (
    <>
      <td>{formatElapsed(totals.duration_s)}</td>
      <td>
        {speed(totals.mean_wind_kt)} / {speed(totals.max_wind_kt)}
      </td>
      <td>{speed(totals.max_gust_kt)}</td>
      <td>{totals.max_height_m === null ? ABSENT : numberIn(totals.max_height_m, sea)}</td>
      <td className="sweep-over">
        {longest ? `${formatElapsed(longest[1])} ${words.limits[longest[0]]}` : "0"}
      </td>
      {isSail ? <td>{formatElapsed(totals.motor_s)}</td> : null}
      <td>{totals.comfort === null ? ABSENT : words.comforts[totals.comfort]}</td>
      <td className="sweep-arrival">
        {arrival === null
          ? ABSENT
          : [formatShortTime(parseInstant(arrival), zone), light && words.lights[light]]
              .filter(Boolean)
              .join(", ")}
      </td>
    </>
  );
}
