import type { StreamPrediction, streamEvents } from "#lib/contract/tides.ts";
import { SLACK_KT } from "#lib/tides/limits.ts";
import {
  aboutStation,
  centi,
  instantOf,
  periodOf,
  type StationQuestion,
  stepsOf,
  withinPeriod,
} from "./answer.ts";
import type { Catalog, Station } from "./catalog.ts";
import { PredictionError } from "./errors.ts";
import { firstAfter, type HarmonicSum, zeroBetween } from "./harmonics.ts";
import { regimeOf } from "./tide.ts";

/** A slack, or the fastest flood or ebb. */
interface StreamEvent {
  /** Unix seconds. */
  time: number;
  type: (typeof streamEvents)[number];
  /** Knots, positive in the flood direction. */
  speed: number;
}

/** A stream over a period, at Unix seconds. */
export interface Stream {
  /** Knots, positive in the flood direction. */
  at(time: number): number;
  events: readonly StreamEvent[];
  /** When something is left out: the published differences contradict one another there. */
  omitted?: readonly number[];
}

/** At Towhead Island and Caillou Boca this is every sixth turn, at 36 other stations fewer than every tenth. */
const OMITTED =
  "Weak turns are left out where the published differences would put a slack after the flood or ebb that follows it.";

/** Predicts a station for a period. */
export function streamAt(sum: HarmonicSum, station: Station, from: number, to: number): Stream {
  const { offsets } = station.current!;
  if (offsets) return subordinateStream(sum, offsets, eventsOf(sum, from, to));
  return {
    at: (time) => sum.at(time),
    // The map needs none.
    get events() {
      return eventsOf(sum, from, to);
    },
  };
}

/** Fastest flows, and the slacks between two of different directions. */
function eventsOf(sum: HarmonicSum, from: number, to: number): StreamEvent[] {
  const extremes = sum.extremesAround(from, to);
  const events: StreamEvent[] = [];
  for (const [number, { time, value, isHigh }] of extremes.entries()) {
    const before = extremes[number - 1];
    if (before && before.value > 0 !== value > 0)
      events.push({
        time: zeroBetween((at) => sum.at(at), before.time, time),
        type: value > 0 ? "slack_before_flood" : "slack_before_ebb",
        speed: 0,
      });
    // A minimum of the flood, which does not turn, is no event.
    if (value > 0 === isHigh) events.push({ time, type: isHigh ? "max_flood" : "max_ebb", speed: value });
  }
  return events;
}

type StreamOffsets = NonNullable<NonNullable<Station["current"]>["offsets"]>;

/** Events of a reference with the differences of a subordinate station; in between its curve is stretched. */
function subordinateStream(sum: HarmonicSum, offsets: StreamOffsets, reference: StreamEvent[]): Stream {
  const minutes = {
    slack_before_flood: offsets.slack_before_flood,
    max_flood: offsets.flood_time,
    slack_before_ebb: offsets.slack_before_ebb,
    max_ebb: offsets.ebb_time,
  };
  const ratioOf = (speed: number) => (speed > 0 ? offsets.flood_speed_ratio : offsets.ebb_speed_ratio) ?? 1;
  const moved = reference.map((event) => ({
    ...event,
    time: event.time + 60 * (minutes[event.type] ?? 0),
    speed: event.speed * ratioOf(event.speed),
    original: event.time,
  }));
  const events = inOrder(moved);
  const kept = new Set(events.map(({ original }) => original));
  return {
    events,
    omitted: moved.flatMap(({ original, time }) => (kept.has(original) ? [] : [time])),
    at(time) {
      const next = Math.max(1, firstAfter(events, time));
      const [one, other] = [events[next - 1], events[next]];
      if (!one || !other) return sum.at(time) * ratioOf(sum.at(time));
      const share = (time - one.time) / (other.time - one.time);
      const speed = sum.at(one.original + share * (other.original - one.original));
      return speed * ratioOf(speed);
    },
  };
}

/**
 * Differences of their own may put a slack behind the flood after it: then both go, the flood alone where another follows it
 * or came before it; and with them a slack at which the stream no longer turns.
 */
function inOrder<Event extends StreamEvent>(events: readonly Event[]): Event[] {
  const kept: Event[] = [];
  for (const [number, event] of events.entries()) {
    let last = kept.at(-1);
    if (last && event.time <= last.time && events[number + 1]?.type === event.type) continue;
    let isKept = true;
    while (isKept && last && event.time <= last.time) {
      kept.pop();
      isKept = kept.at(-1)?.type === last.type;
      last = kept.at(-1);
    }
    if (isKept) kept.push(event);
  }
  return kept.filter(
    ({ speed }, at) =>
      speed !== 0 || kept[at - 1]?.type === undefined || kept[at - 1]!.type !== kept[at + 1]?.type,
  );
}

/** Where a stream sets, degrees TO. @param speed Knots, positive in the flood direction. */
export function directionOf({ current }: Station, speed: number): number {
  return Math.round(speed > 0 ? current!.flood_direction! : current!.ebb_direction!) % 360;
}

/** Answers for one station. */
export function predictStream(
  catalog: Catalog,
  station: Station,
  question: StationQuestion,
): StreamPrediction {
  if (question.datum !== undefined)
    throw new PredictionError("datum: a stream has no height: leave the datum out");
  const period = periodOf(station, question);
  const { from, to } = period;
  const { now } = question;
  const sum = catalog.sum(station);
  const stream = streamAt(sum, station, from, to);
  const speed = streamAt(sum, station, now, now).at(now);
  const isSlack = Math.abs(speed) < SLACK_KT;
  const about = aboutStation(station, sum.terms, regimeOf(sum.terms).main, period, question.distances);
  const omitted = stream.omitted?.filter((time) => time >= from && time < to) ?? [];
  return {
    kind: "stream",
    ...about,
    notes: omitted.length > 0 ? [...about.notes, OMITTED] : about.notes,
    flood_direction: Math.round(station.current!.flood_direction!) % 360,
    ebb_direction: Math.round(station.current!.ebb_direction!) % 360,
    now: {
      time: instantOf(now),
      speed_kt: centi(Math.abs(speed)),
      direction: isSlack ? null : directionOf(station, speed),
      phase: isSlack ? "slack" : speed > 0 ? "flood" : "ebb",
    },
    events: withinPeriod(stream.events, period).map(({ time, type, speed: fastest }) => ({
      time: instantOf(time),
      type,
      speed_kt: centi(Math.abs(fastest)),
    })),
    ...(question.step !== undefined && {
      curve: {
        step_minutes: question.step,
        speeds_kt: stepsOf(period, question.step).map((time) => centi(stream.at(time))),
      },
    }),
  };
}
