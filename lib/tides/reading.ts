import type { StreamPrediction, TidePrediction } from "#lib/contract/tides.ts";
import { parseInstant } from "#lib/time.ts";
import { SLACK_KT } from "./limits.ts";

/**
 * A tidal event: a high or low water, metres above the datum of the prediction; or a slack, or the fastest or
 * slowest flood (positive) or ebb, knots.
 */
export interface TideEvent {
  /** Unix seconds. */
  time: number;
  type: TidePrediction["extremes"][number]["type"] | StreamPrediction["events"][number]["type"];
  value: number;
  /** French tidal coefficient of a high water. */
  coefficient?: number | undefined;
}

/** A tide at a time. */
export interface TideReading {
  /** Metres above the datum of the prediction. */
  height: number;
  /** undefined if there is hardly any tide. */
  trend: "rising" | "falling" | undefined;
  /** The next high and the next low water, earlier first. */
  next: TideEvent[];
  /**
   * Difference between the high and the low water around the time, metres; undefined at an end of the
   * prediction.
   */
  range: number | undefined;
}

export function extremesOf({ extremes }: Pick<TidePrediction, "extremes">): TideEvent[] {
  return extremes.map(({ time, type, height_m, coefficient }) => ({
    time: parseInstant(time),
    type,
    value: height_m,
    ...(coefficient !== undefined && { coefficient }),
  }));
}

/** The tide at a time (Unix seconds) from a prediction with a curve; undefined outside the curve. */
export function tideAt(prediction: TidePrediction, time: number): TideReading | undefined {
  const height = valueAt(prediction, time);
  if (height === undefined) return undefined;
  const extremes = extremesOf(prediction);
  const index = extremes.findIndex((one) => one.time > time);
  const [before, after] = index > 0 ? [extremes[index - 1], extremes[index]] : [];
  return {
    height,
    trend: after && (after.type === "high" ? "rising" : "falling"),
    next: index < 0 ? [] : firstOfEach(extremes.slice(index), ({ type }) => type),
    range: before && after && Math.abs(before.value - after.value),
  };
}

/** A stream at a time. */
export interface StreamReading {
  /** Knots. */
  speed: number;
  phase: "flood" | "ebb" | "slack";
  /** Direction, degrees from true north, TO; undefined at slack. */
  direction: number | undefined;
  /** The next slack and the next fastest flood or ebb, earlier first. */
  next: TideEvent[];
}

export function eventsOf({ events }: Pick<StreamPrediction, "events">): TideEvent[] {
  return events.map(({ time, type, speed_kt: speed }) => ({
    time: parseInstant(time),
    type,
    value: type.endsWith("_ebb") ? -speed + 0 : speed,
  }));
}

/** The stream at a time (Unix seconds) from a prediction with a curve; undefined outside the curve. */
export function streamAt(prediction: StreamPrediction, time: number): StreamReading | undefined {
  const { flood_direction: flood, ebb_direction: ebb } = prediction;
  const speed = valueAt(prediction, time);
  if (speed === undefined) return undefined;
  const isSlack = Math.abs(speed) < SLACK_KT;
  const coming = eventsOf(prediction).filter((event) => event.time > time && !event.type.startsWith("min"));
  return {
    speed: Math.abs(speed),
    phase: isSlack ? "slack" : speed > 0 ? "flood" : "ebb",
    direction: isSlack ? undefined : speed > 0 ? flood : ebb,
    next: firstOfEach(coming, ({ type }) => type.startsWith("slack")),
  };
}

/** The first element, and the next one of a different kind. */
function firstOfEach<T>(all: readonly T[], kindOf: (one: T) => unknown): T[] {
  const [first] = all;
  const second = first && all.find((one) => kindOf(one) !== kindOf(first));
  return first ? (second ? [first, second] : [first]) : [];
}

type Curve = NonNullable<(TidePrediction | StreamPrediction)["curve"]>;

/** Values of a curve: metres, or knots in the flood direction. */
export const numbersOf = (curve: Curve) => ("heights_m" in curve ? curve.heights_m : curve.speeds_kt);

/** Values of a curve with their times. */
export function curveOf(prediction: TidePrediction | StreamPrediction): TideValue[] {
  const { curve, from } = prediction;
  if (!curve) return [];
  const first = parseInstant(from);
  return numbersOf(curve).map((value, at) => ({ time: first + 60 * curve.step_minutes * at, value }));
}

/** A value at a time, Unix seconds. */
interface TideValue {
  time: number;
  value: number;
}

/** The value at a time, interpolated between two values of the curve; undefined outside it. */
export function valueAt(prediction: TidePrediction | StreamPrediction, time: number): number | undefined {
  const { curve, from } = prediction;
  if (!curve) return undefined;
  const values = numbersOf(curve);
  const at = (time - parseInstant(from)) / (60 * curve.step_minutes);
  const [before, after] = [values[Math.floor(at)], values[Math.ceil(at)]];
  if (before === undefined || after === undefined) return undefined;
  return before + (at - Math.floor(at)) * (after - before);
}
