import { fromKnots } from "@open-metocean/geo/knots";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { type ReactNode, useMemo } from "react";
import type { VerdictTone } from "#components/ui/verdict.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import {
  formatClock,
  formatDay,
  formatShortTime,
  formatZonedTime,
} from "#components/view-state/format-time.ts";
import { readingOf } from "#components/view-state/overlays.ts";
import { usePlan } from "#components/view-state/plan.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { NO_BREAK_SPACE } from "#components/words/whole-values.ts";
import { useWords } from "#components/words/words-context.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { Plan, PlanVessel } from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { formatNumber, formatUngrouped } from "#lib/messages/number.ts";
import type { LimitName } from "#lib/passage/limits.ts";
import type { Verdict } from "#lib/passage/verdict.ts";
import { formatBearing, positionText } from "#lib/position.ts";
import { parseInstant } from "#lib/time.ts";
import { textIn, type Unit, type Units, unitFor } from "#lib/units.ts";

export interface PassageStyle {
  units: Units;
  /** Time zone of the times, with the words of the page. */
  zone: Zone;
  words: Messages["passage"]["outlook"];
  /** Limits that the person has set; the others are typical for the kind of vessel. */
  ownLimits?: Plan["limits"];
}

/**
 * Describes the comfort of a passage or a part of it; undefined if it is unknown, or if a calm motion would
 * contradict a verdict of NO beside it.
 */
export function comfortText(
  comfort: PassagePlan["totals"]["comfort"],
  verdict: PassagePlan["verdict"],
  { words }: PassageStyle,
): string | undefined {
  if (comfort === null || (verdict === "NO" && comfort === "comfortable")) return undefined;
  return words.comforts[comfort];
}

/** Placeholder for unknown values. */
export const ABSENT = "—";

/** Scrolls a wide table sideways, also by keyboard. @param label Name of the table. */
export function TableScroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="passage-scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** The unit in which a field of the API is shown. */
export function unitOf(answered: string, name: VariableName, { units, zone }: PassageStyle): Unit {
  return unitFor(answered, units, readingOf(name), zone.words);
}

export const windUnit = (style: PassageStyle) => unitOf("m/s", "wind", style);
export const currentUnit = (style: PassageStyle) => unitOf("m/s", "current", style);
export const seaUnit = (style: PassageStyle) => unitOf("m", "wave", style);

/** The speed of a boat, always in knots whatever unit is chosen for wind. */
export function boatSpeed(knots: number | null, { zone }: PassageStyle): string {
  return knots === null ? ABSENT : formatUngrouped(knots, 1, zone.words.language);
}

/** Nautical miles without their unit: `12.4`. */
export function milesIn(miles: number, { zone }: PassageStyle): string {
  return formatNumber(miles, miles < 10 ? 1 : 0, zone.words.language);
}

export function milesText(miles: number, { zone }: PassageStyle): string {
  return formatMiles(miles * MILE_KM, zone.words);
}

/** Hours and minutes: `38:20`. */
export function formatElapsed(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Durations from this on are shown in days and hours, without minutes. */
const LONG_H = 72;

/** A duration: `12 d 14 h`, `38 h 20 min`, `20 min`. No line ends within it. */
export function formatDuration(seconds: number, { zone }: PassageStyle): string {
  return durationParts(seconds, zone.words).join(" ").replaceAll(" ", NO_BREAK_SPACE);
}

function durationParts(seconds: number, { dates }: Zone["words"]): string[] {
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return [dates.minutes({ count: rest })];
  const [days, whole] = hours < LONG_H ? [0, hours] : [Math.floor(hours / 24), hours % 24];
  return [
    ...(days > 0 ? [dates.dayCount({ count: days })] : []),
    ...(whole > 0 ? [dates.hours({ count: whole })] : []),
    ...(days === 0 && rest > 0 ? [dates.minutes({ count: rest })] : []),
  ];
}

/**
 * An angle off the bow: `45° port`; ahead and astern are shown without a side. @param angle −180..180,
 * positive to starboard.
 */
export function formatSide(angle: number | null, { words }: PassageStyle): string {
  if (angle === null) return ABSENT;
  const whole = Math.round(Math.abs(angle));
  const degrees = `${whole}°`;
  if (whole === 0 || whole === 180) return degrees;
  return words.side({ degrees, side: angle < 0 ? "port" : "starboard" });
}

/** A bearing such as `249°`; empty if it is unknown. */
export function bearingOf(bearing: number | null | undefined): string {
  return typeof bearing === "number" ? formatBearing(bearing) : "";
}

/** The unit of the fuel of a plan; undefined if its fuel is not known. */
export function fuelUnit({ totals }: Pick<PassagePlan, "totals">): "l" | "t" | undefined {
  return totals.fuel_l !== undefined ? "l" : totals.fuel_t !== undefined ? "t" : undefined;
}

/** An amount of fuel: `62 l`, `4.5 l`, `36.2 t`. */
export function fuelText(amount: number, unit: "l" | "t", { zone }: PassageStyle): string {
  return `${formatNumber(amount, unit === "l" && amount >= 10 ? 0 : 1, zone.words.language)} ${unit}`;
}

/** The fuel of a plan with its unit; undefined if it is not known. */
export function planFuel(plan: Pick<PassagePlan, "totals">, style: PassageStyle): string | undefined {
  const { fuel_l: litres, fuel_t: tonnes } = plan.totals;
  if (litres !== undefined) return fuelText(litres, "l", style);
  return tonnes === undefined ? undefined : fuelText(tonnes, "t", style);
}

/** A value of a limit with its unit, as the page shows such numbers. */
export function limitText(name: LimitName, value: number, style: PassageStyle): string {
  const { language } = style.zone.words;
  switch (name) {
    case "wind_kt":
    case "gust_kt":
    case "apparent_ahead_kt":
      return textIn(fromKnots(value), windUnit(style));
    case "current_against_wind_kt":
      return textIn(fromKnots(value), currentUnit(style));
    case "head_sea_m":
    case "beam_sea_m":
    case "following_sea_m":
      return textIn(value, seaUnit(style));
    case "acceleration_g":
      return `${formatNumber(value, 2, language)} g`;
    case "rain_mm_h":
      return `${formatNumber(value, 1, language)} mm/h`;
    case "cape_j_kg":
      return `${formatNumber(value, 0, language)} J/kg`;
    case "storm_km":
      return formatMiles(value, style.zone.words);
  }
}

/** Whether a limit is the typical one because the person has not set it. */
export function isUsual(name: LimitName, { ownLimits }: PassageStyle): boolean {
  return ownLimits?.[name] === undefined;
}

/**
 * The reason for a verdict, with place and time; if something else decided, it is followed by the coast if
 * that is too near, unless the same leg crosses land.
 *
 * @param isNamed The cause was already named, so it is left out.
 */
export function formatDeciding(plan: PassagePlan, style: PassageStyle, isNamed = false): string {
  const { words, zone } = style;
  const decided = decidedText(plan, style, isNamed);
  const { deciding, near_coast: near } = plan;
  // Beside the land that a leg crosses, its distance from the coast is zero, which says nothing more.
  const crossesThere = deciding?.by === "crosses_land" && deciding.leg === near?.leg;
  if (!near || deciding?.by === "near_coast" || crossesThere) return decided;
  const { leg, distance_nm, at } = near;
  const coast = words.deciding.coast({
    leg: leg + 1,
    distance: milesText(distance_nm, style),
    position: undefined,
  });
  const where = words.deciding.at({
    when: formatShortTime(parseInstant(at.timestamp), zone),
    position: positionText(at.latitude, at.longitude),
  });
  return [decided, words.deciding.located({ sentence: coast, where })].join(zone.words.ui.joins.sentences);
}

function decidedText(plan: PassagePlan, style: PassageStyle, isNamed: boolean): string {
  const { verdict, deciding, gates } = plan;
  const { words, zone } = style;
  if (!deciding) return words.deciding.none;
  const { by, leg = 0, value, limit, at } = deciding;
  const where = {
    when: formatShortTime(parseInstant(at.timestamp), zone),
    position: positionText(at.latitude, at.longitude),
  };
  const join = (sentence: string, isSaid = false) =>
    isSaid
      ? words.deciding.place(where)
      : words.deciding.located({ sentence, where: words.deciding.at(where) });
  if (by === "crosses_land") return join(words.deciding.land({ leg: leg + 1 }), isNamed);
  if (by === "near_coast") {
    const distance = milesText(value ?? 0, style);
    return isNamed
      ? words.deciding.coastMore({
          when: where.when,
          limit: formatMiles((limit ?? 0) * MILE_KM, zone.words, 0),
        })
      : join(words.deciding.coast({ leg: leg + 1, distance, position: undefined }));
  }
  const missed = gates?.[deciding.gate ?? -1];
  if (missed) return formatMissedGate(missed, style, isNamed);
  const arrival = formatMissedArrival(plan, style);
  if (arrival !== undefined) return arrival;
  const unit = fuelUnit(plan);
  if (by === "fuel" && unit && value !== null && limit !== null) {
    const fuel = { value: fuelText(value, unit, style), limit: fuelText(limit, unit, style), isUsual: false };
    const say = verdict === "NO" ? words.deciding.over : words.deciding.near;
    return join(say({ ...fuel, what: words.totals.fuel }));
  }
  if (by === "no_sea_data" && value !== null)
    return join(words.deciding.noSea({ percent: `${formatNumber(100 * value, 0, zone.words.language)}%` }));
  if (by in words.causes) return join(words.causes[by as keyof typeof words.causes], isNamed);
  const name = by as LimitName;
  if (value === null || limit === null) return join(words.limits[name], isNamed);
  const what = words.limits[name];
  const against = {
    value: limitText(name, value, style),
    limit: limitText(name, limit, style),
    isUsual: isUsual(name, style),
  };
  if (name === "storm_km")
    return value <= 0 ? join(words.deciding.inside, isNamed) : join(words.deciding.storm(against));
  if (verdict === "NO") return join(words.deciding.over({ ...against, what: isNamed ? undefined : what }));
  const say = verdict === "CAUTION" ? words.deciding.near : words.deciding.below;
  return join(say({ ...against, what }));
}

/** The same as `formatDeciding`, abbreviated for a table. */
export function shortDeciding(plan: PassagePlan, style: PassageStyle): string {
  const { deciding, verdict, gates } = plan;
  const { words } = style;
  if (!deciding || (verdict === "GO" && deciding.value === null)) return "";
  const { by, leg = 0, value, at } = deciding;
  if (by === "crosses_land") return words.deciding.land({ leg: leg + 1 });
  if (by === "near_coast")
    return words.deciding.coast({
      leg: leg + 1,
      distance: milesText(value ?? 0, style),
      position: positionText(at.latitude, at.longitude),
    });
  const missed = gates?.[deciding.gate ?? -1];
  if (missed) return words.deciding.gate.short({ kind: missed.gate.kind, station: missed.station });
  if (by === "fuel") return `${words.totals.fuel} ${planFuel(plan, style) ?? ""}`;
  if (by in words.causes) return words.causes[by as keyof typeof words.causes];
  const name = by as LimitName;
  if (name === "storm_km" && value !== null && value <= 0) return words.deciding.inside;
  return value === null ? words.limits[name] : `${words.limits[name]} ${limitText(name, value, style)}`;
}

export type PlanGate = NonNullable<Plan["route"][number]["gate"]>;

export type PassedGate = NonNullable<PassagePlan["gates"]>[number];

type Style = Pick<PassageStyle, "units" | "words"> & { zone: Pick<Zone, "words"> };

/** Tide heights to one decimal, as in tide tables. */
function heightText(metres: number, { units, zone }: Style): string {
  return textIn(metres, { ...unitFor("m", units, undefined, zone.words), decimals: 1 });
}

function speedText(knots: number, { units, zone }: Style): string {
  return textIn(fromKnots(knots), unitFor("m/s", units, "slow", zone.words));
}

/** A number of hours: `−2 h`, `+1.5 h`; without signs `0.5 h`. */
export function hoursText(hours: number, { dates, language }: Zone["words"], isSigned = true): string {
  const count = formatUngrouped(hours, Number.isInteger(hours) ? 0 : 1, language);
  return dates.hours({ count: isSigned && hours > 0 ? `+${count}` : count });
}

/** When a gate is open, abbreviated: `≥ 4.0 m`, `slack ± 1 h`, `HW −2 h to +1 h`. */
export function formatGate(gate: PlanGate, style: Style): string {
  const { gates: text } = style.words;
  const { words } = style.zone;
  if (gate.kind === "height") return `≥ ${heightText(gate.min_m, style)}`;
  if (gate.kind === "slack") return text.slack({ hours: hoursText(gate.within_h, words, false) });
  return text.highWater({ from: hoursText(gate.from_h, words), to: hoursText(gate.to_h, words) });
}

const isPredicted = ({ height_m, speed_kt }: PassedGate) => height_m !== null || speed_kt !== null;

/** The tide or stream when the vessel arrives: `3.1 m at 06:40, high water 09:52`. */
function formatTideAt(met: PassedGate, eta: number, style: PassageStyle): string {
  const { gates: text } = style.words;
  const { height_m: height, speed_kt: speed, direction_deg: direction, nearest } = met;
  const clock = (time: number) => formatClock(time, style.zone);
  const near = nearest === null ? undefined : clock(parseInstant(nearest));
  if (height !== null) return text.tide({ height: heightText(height, style), when: clock(eta), high: near });
  if (speed === null) return text.notPredicted;
  const towards = direction === null ? "" : formatBearing(direction);
  return text.stream({ speed: speedText(speed, style), direction: towards, when: clock(eta), slack: near });
}

/** A gate with its tide: `Saint Malo ≥ 4.0 m: 3.1 m at 06:40, high water 09:52`. */
export function formatGateTide(met: PassedGate, style: PassageStyle): string {
  const gate = `${met.station} ${formatGate(met.gate, style)}`;
  return style.words.gates.met({ gate, text: formatTideAt(met, parseInstant(met.eta!), style) });
}

/**
 * A gate as a passage meets it: `Saint Malo ≥ 4.0 m: 3.1 m at 06:40, high water 09:52, missed, open
 * 08:15–11:40`.
 */
export function formatPassedGate(met: PassedGate, style: PassageStyle): string {
  const { gates: text } = style.words;
  const head = `${met.station} ${formatGate(met.gate, style)}`;
  if (met.eta === null) return text.met({ gate: head, text: text.notReached });
  if (!isPredicted(met)) return text.met({ gate: head, text: text.notPredicted });
  const eta = parseInstant(met.eta);
  const when = (instant: string | null) => {
    if (instant === null) return undefined;
    const time = parseInstant(instant);
    // Days are those of the displayed time zone.
    const isSameDay = formatDay(time, style.zone) === formatDay(eta, style.zone);
    return isSameDay ? formatClock(time, style.zone) : formatShortTime(time, style.zone);
  };
  const { window: open, waited_s: waited } = met;
  const parts = [
    formatTideAt(met, eta, style),
    waited > 0 ? text.waits({ span: formatDuration(waited, style) }) : "",
    met.holds ? "" : text.missed,
    !open
      ? text.never
      : open.from || open.to
        ? text.open({ from: when(open.from), to: when(open.to) })
        : text.always,
  ];
  return text.met({ gate: head, text: parts.filter(Boolean).join(style.zone.words.ui.joins.clauses) });
}

/** Why a gate is missed, and when it opens next. @param isNamed Its station was already named. */
function formatMissedGate(met: PassedGate, style: PassageStyle, isNamed: boolean): string {
  const { gate: text } = style.words.deciding;
  const { gate, station, eta, height_m: height, speed_kt: speed, window: open } = met;
  if (!isPredicted(met)) return formatPassedGate(met, style);
  const when = (instant: string) => formatShortTime(parseInstant(instant), style.zone);
  const at = { station: isNamed ? undefined : station, when: when(eta!) };
  const { words } = style.zone;
  const missed =
    gate.kind === "height"
      ? text.height({ ...at, height: heightText(height!, style), needed: heightText(gate.min_m, style) })
      : gate.kind === "slack"
        ? text.slack({ ...at, speed: speedText(speed!, style) })
        : text.highWater({ ...at, from: hoursText(gate.from_h, words), to: hoursText(gate.to_h, words) });
  const next = open?.from ? text.next({ from: when(open.from) }) : text.never;
  return [missed, next].join(words.ui.joins.sentences);
}

/** How a vessel arrives otherwise than wished, or misses a gate; undefined if that did not decide. */
export function formatMissedArrival(
  { deciding, arrive, gates }: PassagePlan,
  style: PassageStyle,
): string | undefined {
  const { arrival: text } = style.words.deciding;
  if (!deciding || !arrive) return undefined;
  const missed = gates?.[deciding.gate ?? -1];
  if (missed) return formatMissedGate(missed, style, false);
  const time = (instant: string) => formatShortTime(parseInstant(instant), style.zone);
  const when = time(deciding.at.timestamp);
  switch (deciding.by) {
    case "arrives_late":
      return text.late({ when, span: formatDuration(-arrive.spare_s!, style) });
    case "arrives_in_dark":
      return text.dark({ when, sunrise: arrive.sunrise === null ? undefined : time(arrive.sunrise) });
    case "leaves_in_dark":
      return text.leavesDark({ when });
    default:
      return undefined;
  }
}

export const verdictTones: Readonly<Record<Verdict, VerdictTone>> = {
  GO: "ok",
  CAUTION: "caution",
  NO: "danger",
};

/**
 * Whether the summary gives the reason instead of the arrival: for NO, and for causes that the chart shows
 * better than a forecast.
 */
export function saysWhy({ verdict, deciding }: PassagePlan): boolean {
  return verdict === "NO" || deciding?.by === "near_coast" || deciding?.by === "crosses_land";
}

/**
 * The summary of a plan: `GO: arrives Wed 16 Sep 15:20 UTC, in daylight`. It gives the reason instead for NO,
 * for a route too near to the coast, and if the boat does not arrive: `NO: Gusts 38 kn`, `CAUTION: Leg 2 is
 * 0.4 n mi off the coast at 49°57.0′N 005°11.0′W`.
 */
export function formatAnswer(plan: PassagePlan, style: PassageStyle): string {
  const { words } = style;
  const verdict = words.verdicts[plan.verdict];
  const when = formatArrival(plan, style);
  if (when === undefined)
    return words.stops({ verdict, why: words.ends[plan.ending === "too_slow" ? "too_slow" : "held"] });
  return saysWhy(plan)
    ? words.stops({ verdict, why: shortDeciding(plan, style) })
    : words.arrives({ verdict, when });
}

/** The reason shown after the summary, without what the summary already states. */
export function formatReason(plan: PassagePlan, style: PassageStyle): string {
  return formatDeciding(plan, style, saysWhy(plan) && plan.arrival !== null);
}

/** Text such as `Wed 16 Sep 15:20 UTC, in daylight`; undefined if the boat does not arrive. */
export function formatArrival(plan: PassagePlan, { words, zone }: PassageStyle): string | undefined {
  if (plan.arrival === null) return undefined;
  const light = plan.arrival_light && words.lights[plan.arrival_light];
  return [formatZonedTime(parseInstant(plan.arrival), zone), light]
    .filter(Boolean)
    .join(zone.words.ui.joins.clauses);
}

/** Marks that distinguish verdicts without colour. */
export const verdictMarks = { GO: "✓", CAUTION: "!", NO: "✕" } as const;

/** The vessel in a few words: `sail, Cruiser of 10 m (generic), × 0.9, motor 5.5 kn`. */
export function formatVessel(vessel: PlanVessel, { words, zone }: PassageStyle): string {
  const { vesselText, vessel: forms } = words;
  const text = (value = 0) => formatUngrouped(value, Number.isInteger(value) ? 0 : 1, zone.words.language);
  if (vessel.kind === "fixed") return vesselText.fixed({ speed: text(vessel.speed_kt) });
  if (vessel.kind === "motor")
    return vesselText.motor({ speed: text(vessel.speed_kt), isTypical: vessel.table === undefined });
  return vesselText.sail({
    polar: forms.polars[vessel.polar_name ?? "own"],
    factor: formatUngrouped(vessel.factor ?? 0.9, 2, zone.words.language),
    motor: vessel.motor_speed_kt === undefined ? undefined : text(vessel.motor_speed_kt),
  });
}

/** GO, CAUTION or NO as a word with mark and colour. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { outlook } = usePassageWords();
  return (
    <span className="passage-verdict" data-verdict={verdict}>
      <span aria-hidden="true">{verdictMarks[verdict]} </span>
      {outlook.verdicts[verdict]}
    </span>
  );
}

/** The words of passages in the language of the page. The component suspends until they are loaded. */
export function usePassageWords(): Messages["passage"] {
  return useWords("passage").passage;
}

/** How passages are formatted on this page. */
export function usePassageStyle(): PassageStyle {
  const { u: units } = useView("u");
  const zone = useZone();
  const { outlook: words } = usePassageWords();
  const { limits: ownLimits } = usePlan().plan;
  return useMemo(() => ({ units, zone, words, ownLimits }), [units, zone, words, ownLimits]);
}
