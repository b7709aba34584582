import { fromKnots } from "@open-metocean/geo/knots";
import type { Prediction } from "#components/api-client/tide-queries.ts";
import { addDays, civilOf, daysFrom, startOf, type Zone } from "#components/view-state/civil.ts";
import type { OwnPort } from "#components/view-state/own-ports.ts";
import type { StreamPrediction } from "#lib/contract/tides.ts";
import { formatUngrouped, inUnit } from "#lib/messages/number.ts";
import type { Words as AllWords, WordsWith } from "#lib/messages/words.ts";
import { compassLetters, formatBearing } from "#lib/position.ts";
import { eventsOf, extremesOf, streamAt, type TideEvent, tideAt } from "#lib/tides/reading.ts";
import { parseInstant } from "#lib/time.ts";
import { numberIn, textIn, type Unit, type Units, unitFor } from "#lib/units.ts";

type Words = WordsWith<"tides">;

/** Heights to one decimal in metres and feet, as in tide tables. @see streamUnit For values in m s-1. */
const heightUnit = (units: Units, words: AllWords): Unit => ({
  ...unitFor("m", units, undefined, words),
  decimals: 1,
});
const streamUnit = (units: Units, words: AllWords): Unit => unitFor("m/s", units, "slow", words);

/**
 * Formatting of a prediction's values: heights in metres, or streams in knots, positive in the flood
 * direction.
 */
export interface ValueStyle {
  unit: Unit;
  /** Converts a value to the unit. */
  to(value: number): number;
  number(value: number): string;
  text(value: number): string;
}

export function valueStyle({ kind }: Pick<Prediction, "kind">, units: Units, words: AllWords): ValueStyle {
  const unit = kind === "tide" ? heightUnit(units, words) : streamUnit(units, words);
  const answered = kind === "tide" ? (value: number) => value : fromKnots;
  return {
    unit,
    to: (value) => unit.to(answered(value)),
    number: (value) => numberIn(answered(value), unit),
    text: (value) => textIn(answered(value), unit),
  };
}

/**
 * Name of a prediction: that of the user's own port, if it has one, or the station's with a note on the
 * differences.
 */
export function nameText(prediction: Prediction, port: OwnPort | null, { tides }: Words): string {
  const { station } = prediction;
  if (!differencesOf(prediction)) return station.name;
  return port?.name || tides.port.unnamed({ name: station.reference?.name ?? station.name });
}

/** The user's differences in a prediction; undefined if there are none. */
export const differencesOf = (prediction: Prediction) =>
  prediction.kind === "tide" ? prediction.differences : undefined;

/** Text such as `With your own differences: +12 min, −0.3 m`; undefined if a prediction has none. */
export function differencesText(prediction: Prediction, { tides, language }: Words): string | undefined {
  const differences = differencesOf(prediction);
  if (!differences) return undefined;
  const signed = (value: number, decimals: number) =>
    `${value > 0 ? "+" : ""}${formatUngrouped(value, decimals, language)}`;
  const text = (minutes: number, metres: number) =>
    tides.port.difference({
      minutes: signed(minutes, 0),
      metres: signed(metres, Number.isInteger(Math.round(metres * 100) / 10) ? 1 : 2),
    });
  const { high_minutes, low_minutes, high_m, low_m } = differences;
  const [high, low] = [text(high_minutes, high_m), text(low_minutes, low_m)];
  return tides.port.mark({ what: high === low ? high : tides.port.each({ high, low }) });
}

/** Describes the numbers of a table: `Heights, m above LAT`, `Speeds, kn`. */
export function numbersText(prediction: Prediction, { unit }: ValueStyle, { tides }: Words): string {
  const { symbol } = unit;
  return prediction.kind === "tide"
    ? tides.heights({ unit: symbol, datum: prediction.datum })
    : tides.speeds({ unit: symbol });
}

/**
 * State of a prediction at a time: `Rising, 3.4 m`, `Flooding, 1.8 kn 070° (ENE)`; undefined outside the
 * prediction.
 */
export interface Now {
  text: string;
  /** Direction in which a stream sets, degrees TO. */
  towards?: number | undefined;
  next: readonly TideEvent[];
  /** Difference between the high and the low water around the time, metres. */
  range?: number | undefined;
}

export function nowOf(prediction: Prediction, time: number, units: Units, words: Words): Now | undefined {
  const { now } = words.tides;
  const { text } = valueStyle(prediction, units, words);
  if (prediction.kind === "tide") {
    const reading = tideAt(prediction, time);
    if (!reading) return undefined;
    const { height, trend, next, range } = reading;
    return { text: now[trend ?? "none"]({ height: text(height) }), next, range };
  }
  const reading = streamAt(prediction, time);
  if (!reading) return undefined;
  const { speed, phase, direction, next } = reading;
  if (phase === "slack" || direction === undefined) return { text: now.slack, next };
  const where = { bearing: formatBearing(direction), point: compassLetters(direction, words) };
  return {
    text: now[phase]({ speed: text(speed), direction: words.point.bearing(where) }),
    towards: direction,
    next,
  };
}

/** High and low waters, or slacks and fastest streams. */
export function allEvents(prediction: Prediction): TideEvent[] {
  return prediction.kind === "tide" ? extremesOf(prediction) : eventsOf(prediction);
}

/** Direction in which a stream sets at an event, degrees TO; undefined at slack. */
export function directionAt(type: TideEvent["type"], stream: StreamPrediction): number | undefined {
  if (type === "max_flood" || type === "min_flood") return stream.flood_direction;
  return type === "max_ebb" || type === "min_ebb" ? stream.ebb_direction : undefined;
}

/**
 * Number of an event in a table: `5.9`, `1.8`; empty at slack, and without a sign, which the event's name
 * implies. @see eventText With its unit.
 */
export function eventNumber({ type, value }: Omit<TideEvent, "time">, { number }: ValueStyle): string {
  if (type.startsWith("slack")) return "";
  return number(type === "max_ebb" || type === "min_ebb" ? -value : value);
}

export function eventText(event: TideEvent, style: ValueStyle): string {
  const number = eventNumber(event, style);
  return number && inUnit(number, style.unit.symbol, style.unit.words);
}

export type Phase = "springs" | "neaps";

/** Springs and neaps of a prediction, ascending, Unix seconds. */
export function phasesOf({ springs, neaps }: Prediction): { time: number; phase: Phase }[] {
  const all = [
    ...springs.map((time) => ({ time: parseInstant(time), phase: "springs" as const })),
    ...neaps.map((time) => ({ time: parseInstant(time), phase: "neaps" as const })),
  ];
  return all.toSorted((one, other) => one.time - other.time);
}

/** Text such as `Springs in 2 d`, `Neaps today`, for the phase on the day of a time or the next one. */
export function formatNextPhase(
  prediction: Prediction,
  time: number,
  zone: Zone<"tides">,
): string | undefined {
  const today = civilOf(time, zone);
  const next = phasesOf(prediction).find((one) => one.time >= startOf(today, zone));
  if (!next) return undefined;
  const { tides, dates } = zone.words;
  const count = daysFrom(today, civilOf(next.time, zone));
  const when = count === 0 ? tides.today : dates.ahead({ span: dates.daysLong({ count }) });
  return tides.phase[next.phase]({ when });
}

/** A day with its events. */
export interface TideDay {
  /** Unix seconds. */
  start: number;
  events: readonly TideEvent[];
  phase: Phase | undefined;
}

/**
 * Days of a prediction in a time zone, including those without an event. @param first Unix seconds within the
 * first day.
 */
export function daysOf(prediction: Prediction, first: number, count: number, zone: Zone): TideDay[] {
  const events = allEvents(prediction);
  const phases = phasesOf(prediction);
  const date = civilOf(first, zone);
  return Array.from({ length: count }, (_, at) => {
    const [start, end] = [startOf(addDays(date, at), zone), startOf(addDays(date, at + 1), zone)];
    const isWithin = ({ time }: { time: number }) => time >= start && time < end;
    return { start, events: events.filter(isWithin), phase: phases.find(isWithin)?.phase };
  });
}
