import { fromKnots } from "@open-metocean/geo/knots";
import { type CSSProperties, useRef } from "react";
import { useWidth } from "#components/ui/use-width.ts";
import { dayStartsWithin } from "#components/view-state/civil.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Order } from "#lib/passage/verdict.ts";
import { parseInstant } from "#lib/time.ts";
import { numberIn } from "#lib/units.ts";
import { DepartureRow, DeparturesTable } from "./departures-table.tsx";
import { ChartDays } from "./passage-chart.tsx";
import { limitsOver } from "./passage-facts.tsx";
import {
  ABSENT,
  comfortText,
  formatElapsed,
  fuelUnit,
  type PassageStyle,
  seaUnit,
  shortDeciding,
  usePassageStyle,
  VerdictBadge,
  verdictMarks,
  windUnit,
} from "./passage-format.tsx";
import { shareStep } from "./route-shares.ts";

interface Props {
  departures: readonly Departure[];
  /** The vessel may sail, so the table has a column for its motor. */
  isSail: boolean;
  /** Departure of the plan, which is highlighted. */
  chosen: string | undefined;
  onChoose(plan: PassagePlan): void;
}

/** Departures in numbers; choosing one sets that of the plan. */
export function SweepTable({ departures, isSail, chosen, onChoose }: Props) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { table } = words.leave;
  const [wind, sea] = [windUnit(style), seaUnit(style)];
  const first = departures[0];
  const fuel = first && fuelUnit(first.plan);
  const heads: [title: string, unit: string, column?: string][] = [
    [table.verdict, "", "sweep-verdict"],
    [table.duration, "h:min"],
    [table.wind, wind.symbol],
    [table.gust, wind.symbol],
    [table.sea, sea.symbol],
    [table.over, "h:min", "sweep-over"],
    ...(isSail ? [[table.motor, "h:min"] as [string, string]] : []),
    ...(fuel ? [[words.totals.fuel, fuel] as [string, string]] : []),
    [table.comfort, ""],
    [table.arrival, zone.label(0), "sweep-arrival"],
  ];
  return (
    <DeparturesTable
      caption={table.caption}
      first={first?.plan.departure}
      className="sweep-table"
      heads={heads.map(([title, unit, column]) => (
        <th key={title} scope="col" className={column}>
          {title}
          <span className="unit">{unit}</span>
        </th>
      ))}
    >
      {departures.map(({ plan, isWhole }) => (
        <DepartureRow
          key={plan.departure}
          departure={plan.departure}
          chosen={chosen}
          verdict={words.verdicts[plan.verdict]}
          onChoose={() => onChoose(plan)}
          isUnknown={!isWhole}
        >
          <td className="sweep-verdict">
            <VerdictBadge verdict={plan.verdict} />{" "}
            <span className="sweep-why">{whyOf(plan, isWhole, style)}</span>
          </td>
          <Numbers plan={plan} isSail={isSail} />
        </DepartureRow>
      ))}
    </DeparturesTable>
  );
}

/** The deciding cause, and a note if the forecast does not reach the end. */
function whyOf(plan: PassagePlan, isWhole: boolean, style: PassageStyle): string {
  const why = shortDeciding(plan, style);
  const isSaid = plan.deciding?.by === "no_forecast" || plan.ending !== "arrived";
  return [why, isWhole || isSaid ? "" : style.words.leave.beyond].filter(Boolean).join("; ");
}

function Numbers({ plan, isSail }: { plan: PassagePlan; isSail: boolean }) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { totals, arrival, arrival_light: light } = plan;
  const fuel = totals.fuel_l ?? totals.fuel_t;
  const speed = (knots: number | null) =>
    knots === null ? ABSENT : numberIn(fromKnots(knots), windUnit(style));
  const [longest] = limitsOver(totals.over_limits_s);
  return (
    <>
      <td>{formatElapsed(totals.duration_s)}</td>
      <td>
        {speed(totals.mean_wind_kt)} / {speed(totals.max_wind_kt)}
      </td>
      <td>{speed(totals.max_gust_kt)}</td>
      <td>{totals.max_height_m === null ? ABSENT : numberIn(totals.max_height_m, seaUnit(style))}</td>
      <td className="sweep-over">
        {longest ? `${formatElapsed(longest[1])} ${words.limits[longest[0]]}` : "0"}
      </td>
      {isSail ? <td>{formatElapsed(totals.motor_s)}</td> : null}
      {fuel === undefined ? null : (
        <td>{formatNumber(fuel, fuelUnit(plan) === "l" ? 0 : 1, zone.words.language)}</td>
      )}
      <td>{comfortText(totals.comfort, plan.verdict, style) ?? ABSENT}</td>
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

interface SweepChartProps {
  plans: readonly PassagePlan[];
  /** Departure of the plan, which is highlighted. */
  chosen: string | undefined;
  onChoose(plan: PassagePlan): void;
}

/** Space for the mark of the verdict before a bar, pixels. */
const MARK = 14;
const AXIS = 18;

/**
 * Departures against time, one bar each, coloured by the worst share of a limit, with the mark of the
 * verdict. The table offers the same to keyboards and screen readers.
 */
export function SweepChart({ plans, chosen, onChoose }: SweepChartProps) {
  const { words, zone } = usePassageStyle();
  const { chart } = words.leave;
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element, 640);
  const { bars, from, to } = barsOf(plans);
  // Bars are high enough to see but too low for a finger; on a phone the table is used instead.
  const pitch = bars.length > 60 ? 7 : bars.length > 30 ? 10 : 14;
  const height = bars.length * pitch;
  const x = (share: number) => MARK + share * (width - MARK - 2);
  return (
    <figure className="sweep-chart">
      <div ref={element}>
        <svg
          width={width}
          height={height + AXIS}
          viewBox={`0 0 ${width} ${height + AXIS}`}
          className="chart meteogram-picture"
          aria-hidden="true"
        >
          <ChartDays
            times={dayStartsWithin(from, to, zone)}
            x={(time) => x((time - from) / Math.max(1, to - from))}
            width={width}
            bottom={height + 4}
            textY={height + 13}
          />
          {bars.map(({ plan, from: start, to: end, known, decided, step }, index) => {
            const y = index * pitch + 1;
            const high = pitch - 2;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the table has a button for each departure
              <g
                key={plan.departure}
                className="sweep-bar"
                data-chosen={plan.departure === chosen || undefined}
                data-step={step}
                style={shareColour(step)}
                onClick={() => onChoose(plan)}
              >
                <rect x={0} y={y - 1} width={width} height={pitch} className="sweep-row" />
                <rect
                  x={x(start)}
                  y={y}
                  width={Math.max(2, x(known) - x(start))}
                  height={high}
                  className="sweep-known fill-(--share)"
                />
                {known < end ? (
                  <rect
                    x={x(known)}
                    y={y}
                    width={Math.max(1, x(end) - x(known))}
                    height={high}
                    className="fill-none stroke-muted"
                    strokeDasharray="2 2"
                  />
                ) : null}
                {decided === undefined ? null : (
                  <line
                    x1={x(decided)}
                    x2={x(decided)}
                    y1={y}
                    y2={y + high}
                    className="stroke-3 stroke-surface"
                  />
                )}
                <text
                  x={x(start) - 3}
                  y={y + high / 2 + 3.5}
                  textAnchor="end"
                  className="fill-text font-bold text-[10px]"
                >
                  {verdictMarks[plan.verdict]}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <figcaption className="text-muted text-xs">
        {chart.label} {chart.share}:
        <span className="flex flex-wrap gap-x-3 gap-y-0.5 sweep-shares">
          {chart.shares.map((text, step) => (
            <span key={text} style={shareColour(step)}>
              {text}
            </span>
          ))}
        </span>
      </figcaption>
    </figure>
  );
}

/** Orders of departures: those of the service, and by time. */
export const sweepOrders = ["balanced", "fastest", "smoothest", "latest", "departure"] as const satisfies (
  | Order
  | "departure"
)[];

export type SweepOrder = (typeof sweepOrders)[number];

interface Departure {
  plan: PassagePlan;
  /** The boat arrives, and the wind is known all the way. */
  isWhole: boolean;
}

/** Departures in an order; those beyond the forecast come last, unless the order is by time. */
export function departuresIn(
  plans: readonly PassagePlan[],
  { order, departures }: Pick<PassageMeta, "order" | "departures">,
  by: SweepOrder,
): Departure[] {
  const positions = by === "departure" ? plans.map((_, index) => index) : order[by];
  return positions.flatMap((index) => {
    const plan = plans[index];
    return plan ? [{ plan, isWhole: departures[index]?.is_whole ?? false }] : [];
  });
}

/**
 * If no departure is good, the one that exceeds its limits least, or else is least late; those that arrive
 * precede others.
 */
export function leastBad(departures: readonly Departure[]): PassagePlan | undefined {
  const rank = ({ plan, isWhole }: Departure) => (isWhole ? 0 : plan.verdict === "NO" ? 2 : 1);
  const excess = ({ plan: { verdict, deciding } }: Departure) =>
    // Land and obstacles have no share of a limit, and count as worse than any.
    verdict === "NO" ? (deciding?.ratio ?? Number.MAX_VALUE) : 0;
  const late = ({ plan: { arrive } }: Departure) => Math.max(0, -(arrive?.spare_s ?? 0));
  return departures.toSorted(
    (one, other) => rank(one) - rank(other) || excess(one) - excess(other) || late(one) - late(other),
  )[0]?.plan;
}

/** The colour depends on the theme: see passage.css. */
const shareColour = (step: number) => ({ "--share": `var(--map-share-${step})` }) as CSSProperties;

/** A departure as drawn. Positions are shares of the whole time, 0..1. */
interface SweepBar {
  plan: PassagePlan;
  from: number;
  to: number;
  /** Where the verdict was decided; undefined if the cause has no place on the way. */
  decided: number | undefined;
  /** Where the forecast ends, or the end of the passage if the forecast covers it. */
  known: number;
  step: number;
}

/** The departures sorted by time, and the time from the first departure to the last arrival. */
export function barsOf(plans: readonly PassagePlan[]): { bars: SweepBar[]; from: number; to: number } {
  const starts = plans.map(({ departure }) => parseInstant(departure));
  const ends = plans.map(({ end }) => parseInstant(end.timestamp));
  const [from, to] = [Math.min(...starts), Math.max(...ends)];
  const share = (time: number) => (time - from) / Math.max(1, to - from);
  const bars = plans.map((plan, index): SweepBar => {
    const { deciding, no_forecast_from: unknown } = plan;
    const [start, end] = [share(starts[index]!), share(ends[index]!)];
    const decided = deciding && share(parseInstant(deciding.at.timestamp));
    return {
      plan,
      from: start,
      to: end,
      decided: decided !== null && decided >= start && decided <= end ? decided : undefined,
      known: unknown === null ? end : Math.max(start, share(parseInstant(unknown))),
      step: shareStep(deciding?.ratio ?? null),
    };
  });
  return { bars, from, to };
}
