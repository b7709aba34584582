import { fromKnots } from "@open-metocean/geo/knots";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatHour, formatMinutes, formatZonedTime } from "#components/view-state/format-time.ts";
import { useWords } from "#components/words/words-context.ts";
import type { PlanVessel } from "#lib/contract/passage.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { oldForecasts } from "#lib/forecast-age.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { formatNumber } from "#lib/messages/number.ts";
import { type LimitName, limitNames } from "#lib/passage/limits.ts";
import { formatBearing } from "#lib/position.ts";
import { parseInstant } from "#lib/time.ts";
import { textIn, type Unit } from "#lib/units.ts";
import {
  ABSENT,
  boatSpeed,
  comfortText,
  formatArrival,
  formatDuration,
  fuelUnit,
  milesText,
  type PassageStyle,
  planFuel,
  seaUnit,
  usePassageStyle,
  windUnit,
} from "./passage-format.tsx";
import type { PassageAnswer } from "./passage-queries.ts";

type VesselKind = PlanVessel["kind"];

/** A text with more characters than this gets its own line. */
const LONG = 32;

interface TotalsProps {
  plan: PassagePlan;
  meta: PassageMeta;
  kind: VesselKind;
}

export function PassageTotals({ plan, meta, kind }: TotalsProps) {
  const style = usePassageStyle();
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

/** Title and text of each total; zero durations are left out. */
export function totalsOf(
  plan: PassagePlan,
  { nearest_coast: coast }: Pick<PassageMeta, "nearest_coast">,
  kind: VesselKind,
  style: PassageStyle,
): [title: string, text: string][] {
  const { totals: words, ends } = style.words;
  const { totals } = plan;
  const size = (value: number | null, unit: Unit) => (value === null ? ABSENT : textIn(value, unit));
  const speed = (knots: number | null) => size(knots === null ? null : fromKnots(knots), windUnit(style));
  const fuel = planFuel(plan, style);
  const during = (seconds: number): string | undefined =>
    seconds > 0 ? formatDuration(seconds, style) : undefined;
  const facts: [string, string | undefined][] = [
    [words.arrival, formatArrival(plan, style) ?? ends[plan.ending === "too_slow" ? "too_slow" : "held"]],
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
    // Other kinds of vessels are always under motor; with fuel these are the hours of the engine.
    [words.motor, kind === "sail" || fuel !== undefined ? during(totals.motor_s) : undefined],
    [words.fuel, fuel],
    [
      words.co2,
      totals.co2_t === undefined
        ? undefined
        : `${formatNumber(totals.co2_t, totals.co2_t < 10 ? 2 : 0, style.zone.words.language)} t`,
    ],
    [words.held, during(totals.held_s)],
    [words.unknown, during(totals.no_forecast_s)],
    [words.noSea, during(totals.no_sea_data_s)],
    [words.comfort, comfortText(totals.comfort, plan.verdict, style)],
  ];
  return facts.flatMap(([title, text]) => (text === undefined ? [] : [[title, text]]));
}

/** Text such as `gusts 3 h, sea on the beam 5 h`; empty if no limit is exceeded. */
function overText({ totals }: PassagePlan, style: PassageStyle): string {
  return limitsOver(totals.over_limits_s)
    .map(([name, seconds]) =>
      style.words.totals.overOne({
        what: style.words.limits[name],
        hours: formatDuration(seconds, style),
      }),
    )
    .join(", ");
}

/** Limits that are exceeded for some time, longest first. */
export function limitsOver(over: PassagePlan["totals"]["over_limits_s"]): [LimitName, number][] {
  return limitNames
    .flatMap((name): [LimitName, number][] => ((over[name] ?? 0) > 0 ? [[name, over[name]!]] : []))
    .sort((one, other) => other[1] - one[1]);
}

interface StormsProps {
  plan: PassagePlan;
  /** Storms were included in the evaluation. */
  looked: boolean;
}

export function PassageStorms({ plan, looked }: StormsProps) {
  const style = usePassageStyle();
  const { storms: words } = style.words;
  const lines = stormLines(plan, style);
  return (
    <section className="space-y-1 text-sm">
      <h3 className="font-semibold">{words.title}</h3>
      {!looked || !plan.storms ? (
        <p>{words.notLooked}</p>
      ) : lines.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <ul className="space-y-1">
          {lines.map(({ text, isWithin }) => (
            <li
              key={text}
              className="border-l-3 border-l-line pl-2 data-within:border-alarm data-within:font-semibold"
              data-within={isWithin || undefined}
            >
              {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Storms with a clearance (gales and cone subtracted) beyond this are not mentioned, km. */
const FAR_KM = 2500;

/**
 * Tolerance for times at the ends of a voyage and a forecast, seconds: both are whole seconds, and a search
 * is accurate to a second.
 */
const END_S = 60;

/**
 * Describes a closest approach at the beginning or the end of the searched time. @param ends End of the
 * passage, Unix seconds.
 */
function phaseOf(
  { time, semicircle }: { time: number; semicircle: string | null },
  from: number,
  until: number,
  ends: number,
): "leaving" | "closing" | "arriving" | "other" {
  if (until <= from) return "other";
  if (time >= until - END_S) return until >= ends - END_S ? "arriving" : "closing";
  return time <= from + END_S && semicircle !== null ? "leaving" : "other";
}

/** A sentence or two for each storm that may matter, nearest first. */
export function stormLines(
  { storms, end }: PassagePlan,
  { words: { storms: words }, zone }: PassageStyle,
): { text: string; isWithin: boolean }[] {
  if (!storms) return [];
  const { joins } = zone.words.ui;
  const told = storms.results
    .filter(({ least_clearance }) => least_clearance.clearance_km <= FAR_KM)
    .map(({ id, name, closest, danger, is_stale, from, until }) => {
      const of = name ?? id;
      const isWithin = danger !== null && danger.enters !== null;
      const way = danger
        ? danger.enters === null
          ? words.clear({ distance: formatMiles(danger.clearance_km, zone.words) })
          : words.enters({
              when: formatHour(danger.enters, zone),
              out: danger.leaves === null ? undefined : formatHour(danger.leaves, zone),
            })
        : words.noArea;
      const approach = words.closest({
        name: of,
        distance: formatMiles(closest.distance_km, zone.words),
        bearing: formatBearing(closest.bearing_deg),
        when: formatHour(closest.time, zone),
        phase: phaseOf(closest, from, until, parseInstant(end.timestamp)),
      });
      return { text: [approach, way, ...(is_stale ? [words.old] : [])].join(joins.sentences), isWithin };
    });
  const silent = storms.without_forecast
    .filter(({ is_active, km }) => is_active && (km ?? 0) <= FAR_KM)
    .map(({ id, name, km }) => ({
      text: words.unforecast({
        name: name ?? id,
        distance: km === undefined ? undefined : formatMiles(km, zone.words),
      }),
      isWithin: false,
    }));
  return [...told, ...silent];
}

export function PassageKnowledge({ answer }: { answer: PassageAnswer }) {
  const style = usePassageStyle();
  const { knowledge } = style.words;
  return (
    <section className="space-y-1 text-xs">
      <h3 className="font-semibold text-sm">{knowledge.title}</h3>
      <ul className="list-disc pl-4">
        {knowledgeOf(answer, style.words).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="text-muted">{sourcesOf(answer, style)}</p>
    </section>
  );
}

/** States that an answer was saved on the device. */
export function SavedNotice({ answer: { readAt, isSaved } }: { answer: PassageAnswer }) {
  const { words, zone } = usePassageStyle();
  const { now } = useClock("now");
  if (!isSaved) return null;
  return (
    <p className="old-notice">
      {words.saved({ when: formatZonedTime(readAt, zone), age: formatMinutes(readAt, now, zone.words) })}
    </p>
  );
}

/** States which forecasts of a plan were old when it was evaluated. */
export function OldForecasts({ answer }: { answer: PassageAnswer }) {
  return oldForecasts(answer.meta.provenance, useWords()).map((sentence) => (
    <p key={sentence} role="status" className="old-notice">
      {sentence}
    </p>
  ));
}

/** The service's remarks on what a plan leaves out, in the language of the page. */
export function knowledgeOf(
  { withStorms, meta, plans }: Pick<PassageAnswer, "withStorms" | "meta" | "plans">,
  { knowledge: { list } }: Messages["passage"]["outlook"],
): string[] {
  const { storms, noStorms, gates, fuel, ...always } = list;
  const credits = new Set(meta.gates?.map(({ attribution }) => attribution));
  return [
    ...Object.values(always),
    ...(plans[0] && fuelUnit(plans[0]) ? [fuel] : []),
    ...(meta.gates ? [gates, ...credits] : []),
    withStorms ? storms : noStorms,
  ];
}

/** The model runs of the weather, and when the plan was evaluated. */
export function sourcesOf({ meta, readAt }: PassageAnswer, { words, zone }: PassageStyle): string {
  // A model with several answering runs is named once.
  const times = new Map<string, Set<string>>();
  for (const { model, reference_time } of meta.provenance) {
    const known = times.get(model) ?? new Set();
    if (reference_time !== null) known.add(reference_time.slice(0, 16).replace("T", " "));
    times.set(model, known);
  }
  const runs = [...times].map(([model, of]) =>
    of.size === 0 ? model : `${model} ${[...of].sort().join(", ")} UTC`,
  );
  return [
    ...(runs.length > 0 ? [words.knowledge.sources({ runs: runs.join("; ") })] : []),
    words.knowledge.at({ when: formatZonedTime(readAt, zone) }),
  ].join(zone.words.ui.joins.sentences);
}
