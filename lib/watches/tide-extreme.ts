import type { Place } from "@open-metocean/geo/sphere";
import type { TidePrediction } from "#lib/contract/tides.ts";
import type { WatchQuestion } from "#lib/contract/watch.ts";
import { DAY_S } from "#lib/time.ts";
import type { Edition } from "./edition.ts";
import type { Deciding, Judged } from "./judge.ts";
import { TIDE_M } from "./quantities.ts";
import { MAX_PAUSE_S } from "./tide.ts";

const MINUTE_S = 60;

export type ExtremeQuestion = Extract<WatchQuestion, { kind: "tide_extreme" }>;

/** A high or low water of a station. */
export interface TideExtreme {
  /** Unix seconds, to the minute. */
  time: number;
  type: TidePrediction["extremes"][number]["type"];
  /** Metres above the datum. */
  value: number;
  /** Known in France only. A low water has the greater coefficient of the adjacent high waters. */
  coefficient?: number | undefined;
}

/** The high and low waters of a station that a watch reads. */
export interface TideExtremes {
  station: string;
  at: Place;
  /** IANA name. */
  timezone: string;
  datum: string;
  attribution: string;
  hasCoefficients: boolean;
  /** Extremes from `LATE_S` before now to `AHEAD_S` after it, ascending. */
  extremes: readonly TideExtreme[];
}

/**
 * A high or low water whose alert was missed is reported up to this long after it, seconds; an alert may also
 * be due at the time itself.
 */
export const LATE_S = 5 * MINUTE_S;

/** How far ahead a watch looks, seconds, which is the length of a calendar. */
export const AHEAD_S = 7 * DAY_S;

/** Two high waters closer in time than this are the same one, moved by another version of the database. */
const SAME_S = 30 * MINUTE_S;

/**
 * How long a watch remembers a reported high or low water after its time, seconds. The table of alerts
 * refuses repeats for longer.
 */
const KNOWN_S = 2 * DAY_S;

/** Selects the high and low waters that a watch asks for. */
function wanted({ type, conditions, coefficient }: ExtremeQuestion, { extremes }: TideExtremes) {
  const [{ over = Number.NEGATIVE_INFINITY, under = Number.POSITIVE_INFINITY } = {}] = conditions;
  return extremes.filter(
    (one) =>
      (type === "either" || one.type === type) &&
      one.value > over &&
      one.value < under &&
      (coefficient === undefined || (one.coefficient ?? 0) >= coefficient),
  );
}

const ringsAt = ({ minutes_before }: ExtremeQuestion, { time }: TideExtreme) =>
  time - minutes_before * MINUTE_S;

/** Selects those whose alert is due now, or was missed. */
const ringing = (question: ExtremeQuestion, reading: TideExtremes, now: number) =>
  wanted(question, reading).filter((one) => ringsAt(question, one) <= now && now <= one.time + LATE_S);

/** The first high or low water ahead that a watch asks for. */
export const nextExtreme = (question: ExtremeQuestion, reading: TideExtremes, now: number) =>
  wanted(question, reading).find(({ time }) => time >= now);

/** Answers a watch. @param extreme The one that the answer is about; undefined if none is ahead. */
export function judgeExtreme(
  question: ExtremeQuestion,
  reading: TideExtremes,
  extreme: TideExtreme | undefined,
  now: number,
): Judged {
  const { over, under } = question.conditions[0] ?? {};
  const deciding: Deciding | undefined = extreme && {
    quantity: TIDE_M,
    isOver: under === undefined,
    limit: over ?? under,
    value: extreme.value,
    from: extreme.time,
    until: extreme.time,
    peak: extreme.time,
    at: reading.at,
    storm: undefined,
  };
  const isNear = extreme !== undefined && ringsAt(question, extreme) <= now;
  return {
    state: isNear ? "true" : "false",
    deciding,
    windows: wanted(question, reading)
      .filter(({ time }) => time >= now)
      .map(({ time }) => ({ from: time, to: time + MINUTE_S })),
    knownShare: 1,
  };
}

/**
 * The reports that a watch has made (see `Evaluated.edition`): each high and low water separately, so that a clock
 * that was temporarily ahead suppresses none of those in between; or that its station is gone.
 *
 * @param reading undefined if the station no longer exists.
 * @returns `told` is the high or low water to report now; `isGone` is true if the loss of the station is to
 * be reported now.
 */
export function extremeEdition(
  question: ExtremeQuestion,
  reading: TideExtremes | undefined,
  before: Edition,
  now: number,
): { edition: Edition; told?: TideExtreme | undefined; isGone: boolean } {
  const { gone, ...known } = before;
  if (!reading)
    return { edition: { ...before, gone: gone ?? { at: now, of: "" } }, isGone: gone === undefined };
  const isKnown = ({ time, type }: TideExtreme) =>
    Object.values(known).some(({ at, of }) => of === type && Math.abs(at - time) < SAME_S);
  const told = ringing(question, reading, now).find((one) => !isKnown(one));
  const kept = Object.entries(known).filter(([, { at }]) => at > now - KNOWN_S);
  const edition = Object.fromEntries(kept);
  if (told) edition[`${told.type} ${told.time}`] = { at: told.time, of: told.type };
  return { edition, told, isGone: false };
}

/**
 * When a watch on high and low waters should be evaluated again.
 *
 * @param before Its present edition.
 * @returns Seconds from now, between one and `MAX_PAUSE_S`.
 */
export function extremePause(
  question: ExtremeQuestion,
  reading: TideExtremes | undefined,
  before: Edition,
  now: number,
): number {
  if (!reading) return MAX_PAUSE_S;
  // Several alerts may be due at once when a watch is new, and each needs its own evaluation.
  if (extremeEdition(question, reading, before, now).told) return 1;
  const times = wanted(question, reading).flatMap((one) => [ringsAt(question, one), one.time]);
  const next = Math.min(...times.filter((time) => time > now));
  return Math.max(1, Math.min(MAX_PAUSE_S, next - now));
}
