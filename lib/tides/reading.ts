import type { StreamPrediction, TidePrediction } from "#lib/contract/tides.ts";
import { parseInstant } from "#lib/time.ts";

/** A high or a low water, Unix seconds and metres above the datum of the prediction. */
export interface TideExtreme {
  time: number;
  type: "high" | "low";
  height: number;
}

/** A tide at a time. */
export interface TideReading {
  /** Metres above the datum of the prediction. */
  height: number;
  /** undefined where there is hardly any tide. */
  trend: "rising" | "falling" | undefined;
  /** The next high and the next low water, the earlier first. */
  next: TideExtreme[];
  /** Between the high and the low water around the time, metres; undefined at an end of the prediction. */
  range: number | undefined;
}

export function extremesOf({ extremes }: TidePrediction): TideExtreme[] {
  return extremes.map(({ time, type, height_m: height }) => ({ time: parseInstant(time), type, height }));
}

/** What a prediction with a curve says of a time, Unix seconds; undefined outside of the curve. */
export function tideAt(prediction: TidePrediction, time: number): TideReading | undefined {
  const { curve, regime, from } = prediction;
  const height = curve && curveAt(parseInstant(from), curve.step_minutes, curve.heights_m, time);
  if (height === undefined) return undefined;
  const extremes = extremesOf(prediction);
  const index = extremes.findIndex((one) => one.time > time);
  const [before, after] = index > 0 ? [extremes[index - 1], extremes[index]] : [];
  const coming = index < 0 ? [] : extremes.slice(index);
  return {
    height,
    trend: regime === "none" ? undefined : coming[0] && (coming[0].type === "high" ? "rising" : "falling"),
    next: firstOfEach(coming, ({ type }) => type),
    range: before && after && Math.abs(before.height - after.height),
  };
}

/** A slack, or the fastest flood or ebb, Unix seconds and knots. */
export interface StreamEvent {
  time: number;
  type: StreamPrediction["events"][number]["type"];
  speed: number;
}

/** A stream at a time. */
export interface StreamReading {
  /** Knots. */
  speed: number;
  phase: "flood" | "ebb" | "slack";
  /** Degrees from true north, TO; undefined at slack. */
  direction: number | undefined;
  /** The next slack, and the next fastest flood or ebb, the earlier first. */
  next: StreamEvent[];
}

export function eventsOf({ events }: StreamPrediction): StreamEvent[] {
  return events.map(({ time, type, speed_kt: speed }) => ({ time: parseInstant(time), type, speed }));
}

/** Below it a stream has no direction worth telling, knots: as the service has it. */
const SLACK_KT = 0.1;

/** The same for a stream. */
export function streamAt(prediction: StreamPrediction, time: number): StreamReading | undefined {
  const { curve, from, flood_direction: flood, ebb_direction: ebb } = prediction;
  const speed = curve && curveAt(parseInstant(from), curve.step_minutes, curve.speeds_kt, time);
  if (speed === undefined) return undefined;
  const isSlack = Math.abs(speed) < SLACK_KT;
  const coming = eventsOf(prediction).filter((event) => event.time > time);
  return {
    speed: Math.abs(speed),
    phase: isSlack ? "slack" : speed > 0 ? "flood" : "ebb",
    direction: isSlack ? undefined : speed > 0 ? flood : ebb,
    next: firstOfEach(coming, ({ type }) => type.startsWith("slack")),
  };
}

/** The first two that differ in something, in their order. */
function firstOfEach<T>(all: readonly T[], kindOf: (one: T) => unknown): T[] {
  const [first] = all;
  const second = first && all.find((one) => kindOf(one) !== kindOf(first));
  return first ? (second ? [first, second] : [first]) : [];
}

/** A value between two of a curve. */
function curveAt(from: number, stepMinutes: number, values: readonly number[], time: number) {
  const at = (time - from) / (60 * stepMinutes);
  const [before, after] = [values[Math.floor(at)], values[Math.ceil(at)]];
  if (before === undefined || after === undefined) return undefined;
  return before + (at - Math.floor(at)) * (after - before);
}
