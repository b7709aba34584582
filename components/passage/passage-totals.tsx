import { formatZonedTime } from "#components/view-state/format-time.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { PlanVessel } from "#lib/contract/plan.ts";
import { fromKnots } from "#lib/knots.ts";
import { type LimitName, limitNames } from "#lib/passage/limits.ts";
import { parseInstant } from "#lib/time.ts";
import { textIn, type Unit } from "#lib/units.ts";
import {
  ABSENT,
  boatSpeed,
  formatDuration,
  milesText,
  type PassageStyle,
  seaUnit,
  windUnit,
} from "./passage-format.ts";

type VesselKind = PlanVessel["kind"];

/** A text of more characters has a line of its own. */
const LONG = 32;

interface TotalsProps {
  plan: PassagePlan;
  meta: PassageMeta;
  kind: VesselKind;
  style: PassageStyle;
}

/** A passage all in all, as facts. */
export function PassageTotals({ plan, meta, kind, style }: TotalsProps) {
  return (
    <dl className="facts passage-totals">
      {totalsOf(plan, meta, kind, style).map(([title, text]) => (
        <div key={title} data-long={text.length > LONG || undefined}>
          <dt>{title}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Title and text of each; what did not happen is left out. */
export function totalsOf(
  plan: PassagePlan,
  { nearest_coast: coast }: Pick<PassageMeta, "nearest_coast">,
  kind: VesselKind,
  style: PassageStyle,
): [title: string, text: string][] {
  const { totals: words, lights, comforts, ends } = style.words;
  const { totals, arrival, arrival_light: light } = plan;
  const size = (value: number | null, unit: Unit) => (value === null ? ABSENT : textIn(value, unit));
  const speed = (knots: number | null) => size(knots === null ? null : fromKnots(knots), windUnit(style));
  const during = (seconds: number): string | undefined =>
    seconds > 0 ? formatDuration(seconds, style) : undefined;
  const facts: [string, string | undefined][] = [
    [
      words.arrival,
      arrival === null
        ? ends[plan.ending === "too_slow" ? "too_slow" : "held"]
        : [formatZonedTime(parseInstant(arrival), style.zone), light && lights[light]]
            .filter(Boolean)
            .join(", "),
    ],
    [words.duration, formatDuration(totals.duration_s, style)],
    [words.distance, milesText(totals.distance_nm, style)],
    [words.speed, totals.speed_kt === null ? undefined : `${boatSpeed(totals.speed_kt, style)} kn`],
    [words.wind, speed(totals.max_wind_kt)],
    [words.gust, speed(totals.max_gust_kt)],
    [words.sea, size(totals.max_height_m, seaUnit(style))],
    [
      words.coast,
      coast
        ? words.coastOn({ distance: milesText(coast.distance_nm, style), leg: coast.leg + 1 })
        : undefined,
    ],
    [
      words.depth,
      totals.min_depth_m === null
        ? undefined
        : words.depthOf({ depth: textIn(totals.min_depth_m, seaUnit(style)) }),
    ],
    [words.over, overText(plan, style) || words.none],
    // Other vessels are always under motor.
    [words.motor, kind === "sail" ? during(totals.motor_s) : undefined],
    [words.held, during(totals.held_s)],
    [words.unknown, during(totals.no_forecast_s)],
    [words.noSea, during(totals.no_sea_data_s)],
    [words.comfort, totals.comfort === null ? undefined : comforts[totals.comfort]],
  ];
  return facts.flatMap(([title, text]) => (text === undefined ? [] : [[title, text]]));
}

/** `gusts 3 h, sea on the beam 5 h`; empty where no limit is exceeded. */
export function overText({ totals }: PassagePlan, style: PassageStyle): string {
  return limitsOver(totals.over_limits_s)
    .map(([name, seconds]) =>
      style.words.totals.overOne({
        what: style.words.limits[name],
        hours: formatDuration(seconds, style),
      }),
    )
    .join(", ");
}

/** Limits that are exceeded for some time, the longest first. */
export function limitsOver(over: PassagePlan["totals"]["over_limits_s"]): [LimitName, number][] {
  return limitNames
    .flatMap((name): [LimitName, number][] => ((over[name] ?? 0) > 0 ? [[name, over[name]!]] : []))
    .sort((one, other) => other[1] - one[1]);
}
