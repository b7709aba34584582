import type { StreamPrediction, streamEvents } from "#lib/contract/tides.ts";
import { SLACK_KT } from "#lib/tides/limits.ts";
import type { Catalog, Station } from "./catalog.ts";
import { PredictionError } from "./errors.ts";
import { firstAfter, type HarmonicSum, zeroBetween } from "./harmonics.ts";
import {
  aboutStation,
  centi,
  instantOf,
  periodOf,
  type StationQuestion,
  stepsOf,
  withinPeriod,
} from "./period.ts";
import { streamBins } from "./stream-bins.data.ts";
import { regimeOf } from "./tide.ts";

/** A slack, a maximum of flood or ebb, or a minimum between two maxima without a slack. */
interface StreamEvent {
  /** Unix seconds. */
  time: number;
  type: (typeof streamEvents)[number];
  /** Knots, positive in the flood direction. */
  speed: number;
}

/** A stream over a period. Times are Unix seconds. */
export interface Stream {
  /** Knots, positive in the flood direction. */
  at(time: number): number;
  events: readonly StreamEvent[];
  /** Times of left-out events, where the published differences contradict one another. */
  omitted?: readonly number[];
}

/** At Towhead Island and Caillou Boca this concerns every sixth turn, at 36 other stations fewer than every tenth. */
const OMITTED =
  "Weak turns are left out where the published differences would put a slack after the flood or ebb that follows it.";

/** Predicts a station for a period. */
export function streamAt(sum: HarmonicSum, station: Station, from: number, to: number): Stream {
  const { offsets } = station.current!;
  if (offsets) return subordinateStream(sum, offsets, eventsOf(sum, from, to));
  return {
    at: (time) => sum.at(time),
    // Events are computed on demand, because the map needs none.
    get events() {
      return eventsOf(sum, from, to);
    },
  };
}

/** Maxima, the slacks between two of opposite directions, and the minima between two of the same direction. */
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
    const phase = value > 0 ? "flood" : "ebb";
    // At a minimum the stream slackens without a turn.
    events.push({ time, type: value > 0 === isHigh ? `max_${phase}` : `min_${phase}`, speed: value });
  }
  return events;
}

type StreamOffsets = NonNullable<NonNullable<Station["current"]>["offsets"]>;

/**
 * Applies the differences of a subordinate station to the events of its reference. Between events the reference curve
 * is stretched.
 */
function subordinateStream(sum: HarmonicSum, offsets: StreamOffsets, reference: StreamEvent[]): Stream {
  const minutes = {
    slack_before_flood: offsets.slack_before_flood,
    max_flood: offsets.flood_time,
    slack_before_ebb: offsets.slack_before_ebb,
    max_ebb: offsets.ebb_time,
  };
  const ratioOf = (speed: number) => (speed > 0 ? offsets.flood_speed_ratio : offsets.ebb_speed_ratio) ?? 1;
  const movedBy = (event: StreamEvent, after = minutes[event.type as keyof typeof minutes]) => ({
    ...event,
    time: event.time + 60 * (after ?? 0),
    speed: event.speed * ratioOf(event.speed),
    original: event.time,
  });
  // No differences are published for minima, so those of the two neighbouring maxima are applied.
  const isMinimum = ({ type }: StreamEvent) => type.startsWith("min");
  const moved = reference.filter((event) => !isMinimum(event)).map((event) => movedBy(event));
  const events = inOrder(moved);
  const minima = reference.filter(isMinimum).flatMap((event) => {
    const next = events.findIndex(({ original }) => original > event.time);
    const [before, after] = [events[next - 1], events[next]];
    if (!before || before.type !== after?.type || before.speed * event.speed <= 0) return [];
    return [movedBy(event, event.speed > 0 ? minutes.max_flood : minutes.max_ebb)];
  });
  const kept = new Set(events.map(({ original }) => original));
  return {
    events: [...events, ...minima].toSorted((one, other) => one.time - other.time),
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
 * Removes events that are out of order. Differences of slacks and floods are independent, so a slack may come after the
 * following flood. Then both are removed, or only the flood where another flood is next to it, together with any slack
 * at which the stream no longer turns.
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

const FEET_M = 0.3048;

/** Layer of water for which a station predicts the stream, by NOAA. */
interface Layer {
  /** Mean directions of flood and ebb, degrees TO. */
  flood: number;
  ebb: number;
  /** Depth below chart datum, or below the surface where the datum is unknown, metres; absent where NOAA gives none. */
  depth?: number | undefined;
  /** Remark on the directions. */
  note?: string;
}

const AXIS =
  "The mean direction of the flood or the ebb is not known for this station: it is that of the axis of its analysis, which may be off by tens of degrees.";
const OPPOSITE = "NOAA gives no direction of the ebb here: the one shown is opposite to the flood.";

/**
 * Layer and directions of a station. The database uses the axis of the analysis as directions of flood and ebb, which
 * are then opposite. NOAA's mean directions are used instead, because they often are not opposite. Subordinate stations
 * have those of NOAA's table.
 */
export function layerOf({ id, current }: Station): Layer {
  const { offsets, flood_direction: axis = 0, ebb_direction } = current!;
  const [, feet = null, flood = null, ebb = null] = streamBins[id.slice(id.indexOf("/") + 1)] ?? [];
  const depth = feet === null ? undefined : Math.round(10 * FEET_M * feet) / 10;
  const opposite = ebb_direction ?? axis + 180;
  const round = (degrees: number) => Math.round(degrees) % 360;
  if (offsets)
    return {
      flood: round(axis),
      ebb: round(opposite),
      depth,
      ...(ebb_direction === undefined && { note: OPPOSITE }),
    };
  const note = flood === null || ebb === null ? { note: AXIS } : {};
  return { flood: round(flood ?? axis), ebb: round(ebb ?? opposite), depth, ...note };
}

/** Direction of a stream, degrees TO. @param speed Knots, positive in the flood direction. */
export function directionOf(station: Station, speed: number): number {
  const { flood, ebb } = layerOf(station);
  return speed > 0 ? flood : ebb;
}

export function predictStream(
  catalog: Catalog,
  station: Station,
  question: StationQuestion,
): StreamPrediction {
  if (question.datum !== undefined)
    throw new PredictionError("datum: a stream has no height: leave the datum out");
  const { high_minutes, low_minutes, high_m, low_m } = question;
  if (high_minutes || low_minutes || high_m || low_m)
    throw new PredictionError("high_minutes: a stream has no high water: leave the differences out");
  const period = periodOf(station, question);
  const { from, to } = period;
  const { now } = question;
  const sum = catalog.sum(station);
  const stream = streamAt(sum, station, from, to);
  const speed = streamAt(sum, station, now, now).at(now);
  const isSlack = Math.abs(speed) < SLACK_KT;
  const about = aboutStation(station, sum.terms, regimeOf(sum.terms).main, period, question.distances);
  const layer = layerOf(station);
  const omitted = stream.omitted?.filter((time) => time >= from && time < to) ?? [];
  return {
    kind: "stream",
    ...about,
    notes: [...about.notes, ...(layer.note ? [layer.note] : []), ...(omitted.length > 0 ? [OMITTED] : [])],
    flood_direction: layer.flood,
    ebb_direction: layer.ebb,
    ...(layer.depth !== undefined && { depth_m: layer.depth }),
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
