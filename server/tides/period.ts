import { MAX_PERIOD_S, type TidePrediction, tideLimits } from "#lib/contract/tides.ts";
import { dayAfter, instantAt } from "#lib/tides/local-day.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";
import { type Distances, described, idOf, referenceOf, type Station } from "./catalog.ts";
import { PredictionError } from "./errors.ts";
import { alignments, moonAt, type Term } from "./harmonics.ts";
import { nameOf } from "./names.ts";

export interface StationQuestion {
  /** UTC times, or days of the station. */
  from?: string | undefined;
  to?: string | undefined;
  /** Length of the period without `to`, days. */
  days: number;
  /** Interval between values, minutes. */
  step?: number | undefined;
  datum?: string | undefined;
  /** Least coefficient of the next great tide. */
  coefficient?: number | undefined;
  /** Weather clock, Unix seconds. */
  now: number;
  /** A secondary port defined by the caller: minutes later, and metres higher, than the station. */
  high_minutes?: number | undefined;
  low_minutes?: number | undefined;
  high_m?: number | undefined;
  low_m?: number | undefined;
  /** Distances from the requested place. */
  distances?: Distances;
}

/** Unix seconds; `to` is excluded. */
export interface Period {
  from: number;
  to: number;
}

const { first, last } = tideLimits.years;

/** Start of a year's period, by the clock of the station if the text is a day. */
const startOf = (year: number, text: string | undefined, timezone: string) =>
  instantAt(text?.length === 10 ? `${year}-01-01` : `${year}-01-01T00:00:00Z`, timezone);

/** @throws PredictionError */
export function periodOf({ timezone }: Station, { from, to, days, step, now }: StationQuestion): Period {
  const start = from === undefined ? Math.floor(now / 60) * 60 : instantAt(from, timezone);
  const isDay = to?.length === 10;
  const end =
    to === undefined
      ? Math.min(start + days * DAY_S, startOf(last + 1, from, timezone))
      : instantAt(isDay ? dayAfter(to) : to, timezone);
  const isStartWithin = start >= startOf(first, from, timezone) && start < startOf(last + 1, from, timezone);
  if (!isStartWithin || end > startOf(last + 1, to ?? from, timezone))
    throw new PredictionError(
      `${isStartWithin ? "to" : "from"}: predictions are available for the years ${first} to ${last}`,
    );
  if (end <= start) throw new PredictionError("to: it should be after from");
  // A whole day is included, and so is the last second of an EDR range.
  if (end - start > MAX_PERIOD_S + (isDay ? DAY_S : 1))
    throw new PredictionError(`to: it should be at most ${tideLimits.days} days after from`);
  if (step !== undefined && (end - start) / (60 * step) > tideLimits.values)
    throw new PredictionError(
      `step: at most ${tideLimits.values} values: ask for a longer step, or a shorter period`,
    );
  return { from: start, to: end };
}

export const withinPeriod = <Event extends { time: number }>(
  events: readonly Event[],
  { from, to }: Period,
) => events.filter(({ time }) => time >= from && time < to);

/** Times of the values of a curve. @param minutes Interval between two values. */
export function stepsOf({ from, to }: Period, minutes: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / (60 * minutes)) }, (_, at) => from + at * 60 * minutes);
}

/** Rounds to 0.01. */
export const centi = (value: number): number => Math.round(value * 100) / 100 + 0;

/** Rounds to the minute, because a prediction is not more precise. @param time Unix seconds. */
export const instantOf = (time: number): string => formatInstant(Math.round(time / 60) * 60);

const NOTICE = "Astronomical prediction, without wind, air pressure and rivers. Not for navigation";

/** Fields of the station and the period that every answer has. */
export function aboutStation(
  station: Station,
  terms: readonly Term[],
  main: readonly [string, string],
  { from, to }: Period,
  distances?: Distances,
): Pick<
  TidePrediction,
  "station" | "attribution" | "from" | "to" | "moon" | "springs" | "neaps" | "notes" | "notice"
> {
  const { source, license, attribution } = station;
  const reference = referenceOf(station);
  return {
    station: {
      ...described(station, distances),
      reference: reference ? { id: idOf(reference), name: nameOf(reference) } : null,
      source: { name: source.name, url: source.url },
      license: { type: license.type, url: license.url, commercial_use: license.commercial_use },
    },
    attribution,
    from: formatInstant(from),
    to: formatInstant(to),
    moon: moonAt(from),
    springs: alignments(terms, main, from, to, false).map(instantOf),
    neaps: alignments(terms, main, from, to, true).map(instantOf),
    notes: notesOf(station, reference),
    notice: NOTICE,
  };
}

function notesOf(station: Station, reference: Station | undefined): string[] {
  const notes: string[] = [];
  if (reference)
    notes.push(
      `Predicted from ${nameOf(reference)} by published differences; between their times the curve is interpolated.`,
    );
  if (!station.license.commercial_use) notes.push("The licence of this station forbids commercial use.");
  const text = station.disclaimers?.replaceAll(/<[^>]*>/g, "").trim();
  if (text && !text.startsWith("No obvious issues")) notes.push(text);
  return notes;
}
