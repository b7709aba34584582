import { AROUND_DAYS, acceptedTimes } from "#lib/catalog/datasets.ts";
import type { DrawableRun, FieldManifest } from "#lib/contract/field-manifest.ts";
import { bracket } from "#lib/field/interpolate.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";

/** The steps of one run on both sides of an instant. */
export interface StepPair {
  run: DrawableRun;
  /** Valid times in the form of the manifest. */
  before: string;
  after: string;
  /** Weight of the later step, 0..1. */
  later: number;
  time: number;
}

/**
 * All instants with a step of a run that covers them, up to the last accepted time, ascending, Unix seconds.
 */
export function timelineOf({ runs, now }: FieldManifest): number[] {
  const { last } = acceptedTimes(parseInstant(now));
  const instants = new Set<number>();
  for (const run of runs) {
    const [from, to] = [parseInstant(run.from), parseInstant(run.to)];
    for (const time of run.times.map(parseInstant))
      if (time >= from && time <= Math.min(to, last)) instants.add(time);
  }
  return [...instants].sort((one, other) => one - other);
}

/**
 * Instants offered for a static field: whole hours from five days back to ten days ahead, and the six days on
 * either side of an older time. Overlays such as storms and isobars still change with time.
 *
 * @param now Weather clock, Unix seconds.
 * @param middle Middle of the map's past window, Unix seconds.
 */
export function hoursAround(now: number, middle: number | undefined): number[] {
  const hours = (from: number, to: number) => {
    const first = Math.ceil(from / HOUR_S);
    const count = Math.max(0, Math.floor(to / HOUR_S) - first + 1);
    return Array.from({ length: count }, (_, index) => (first + index) * HOUR_S);
  };
  const oldest = now - 5 * DAY_S;
  const around = AROUND_DAYS * DAY_S;
  const past = middle === undefined ? [] : hours(middle - around, Math.min(middle + around, oldest - 1));
  return [...past, ...hours(oldest, now + 10 * DAY_S)];
}

/**
 * The time itself, or the nearest whole hour that the service accepts; a link may name any time.
 *
 * @param now Weather clock, Unix seconds.
 */
export function answeredTime(time: number, now: number): number {
  const { first, last } = acceptedTimes(now);
  // The service's clock may be slightly ahead of the one known here, so the very first instant may no longer
  // be accepted.
  if (time < first + HOUR_S) return Math.ceil((first + HOUR_S) / HOUR_S) * HOUR_S;
  return time > last ? Math.floor(last / HOUR_S) * HOUR_S : time;
}

/** Least interval of steps that are too coarse for stepping, such as those of daily layers, seconds. */
const COARSE_S = 12 * HOUR_S;

/**
 * The instants to offer for a layer: its steps; for a daily layer every whole hour that it covers, so that it
 * does not determine the time of everything else; for a static one those of `hoursAround`.
 *
 * @param middle Middle of the map's past window, Unix seconds.
 */
export function offeredInstants(manifest: FieldManifest, middle: number | undefined): number[] {
  const now = parseInstant(manifest.now);
  if (manifest.fixed) return hoursAround(now, middle);
  const steps = timelineOf(manifest);
  const gaps = steps.slice(1).map((step, index) => step - steps[index]!);
  const median = gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
  if (median < COARSE_S) return steps;
  const { last } = acceptedTimes(now);
  const hours = new Set<number>();
  for (const { from, to } of manifest.runs) {
    const end = Math.min(parseInstant(to), last);
    for (let hour = Math.ceil(parseInstant(from) / HOUR_S) * HOUR_S; hour <= end; hour += HOUR_S)
      hours.add(hour);
  }
  return [...hours].sort((one, other) => one - other);
}

/** The steps around an instant, from the run that the API would use; undefined if no run covers it. */
export function stepsAt({ runs }: FieldManifest, time: number): StepPair | undefined {
  const run = runs.find(({ from, to }) => time >= parseInstant(from) && time <= parseInstant(to));
  if (!run) return undefined;
  const times = run.times.map(parseInstant);
  const validFor = Math.max(0, parseInstant(run.to) - (times.at(-1) ?? 0));
  const found = bracket(times, time, validFor);
  if (!found) return undefined;
  return {
    run,
    before: run.times[found.before] ?? "",
    after: run.times[found.after] ?? "",
    later: found.later,
    time,
  };
}

/**
 * Base times of the forecasts before the one that answers at an instant, of the same source, that cover it too, newest
 * first.
 */
export function earlierRuns({ runs }: FieldManifest, time: number): string[] {
  const covering = runs.filter(({ from, to }) => time >= parseInstant(from) && time <= parseInstant(to));
  const [answering] = covering;
  if (answering?.dataset !== "Forecast" || answering.condensed) return [];
  const earlier = covering.filter(
    ({ dataset, source, condensed, reference_time }) =>
      dataset === answering.dataset &&
      source === answering.source &&
      !condensed &&
      reference_time < answering.reference_time,
  );
  return [...new Set(earlier.map(({ reference_time }) => reference_time))].sort().reverse();
}

/**
 * The steps around an instant of the forecast some runs before the one that answers; undefined if there is none.
 *
 * @param back 1 for the run before.
 */
export function earlierStepsAt(manifest: FieldManifest, time: number, back: number): StepPair | undefined {
  const base = earlierRuns(manifest, time)[back - 1];
  const { source } = stepsAt(manifest, time)?.run ?? {};
  const runs = manifest.runs.filter((run) => run.reference_time === base && run.source === source);
  return stepsAt({ ...manifest, runs }, time);
}

export function stepsOf(manifest: FieldManifest, times: readonly number[]): StepPair[] {
  return times.flatMap((time) => stepsAt(manifest, time) ?? []);
}

/**
 * How far the steps of a forecast reach so far, hours after its base time. All runs with the same source and
 * base time count, because a forecast that is still arriving is published in parts.
 */
export function reachHours(
  { runs }: FieldManifest,
  { source, reference_time }: Pick<DrawableRun, "source" | "reference_time">,
): number {
  const ends = runs
    .filter((run) => run.source === source && run.reference_time === reference_time)
    .map(({ to }) => parseInstant(to));
  return Math.round((Math.max(...ends) - parseInstant(reference_time)) / HOUR_S);
}

/**
 * The instant next to a time, which may lie between two; undefined beyond the ends. @param by 1 for later, −1
 * for earlier.
 */
export function instantBeside(instants: readonly number[], time: number, by: 1 | -1): number | undefined {
  return by > 0 ? instants.find((instant) => instant > time) : instants.findLast((instant) => instant < time);
}

/** Index of the instant nearest to a time; −1 if there are none. */
export function nearestIndex(instants: readonly number[], time: number): number {
  let nearest = -1;
  instants.forEach((instant, index) => {
    if (nearest < 0 || Math.abs(instant - time) < Math.abs((instants[nearest] ?? 0) - time)) nearest = index;
  });
  return nearest;
}

/**
 * Largest difference between a pointed time and a time of the map that replaces it, seconds; forecast steps
 * are at most 3 h apart.
 */
const NEAR_S = 1.5 * HOUR_S;

/** The time of the map for a clicked time of a chart; undefined if the layer has none near it. */
export function instantNear(instants: readonly number[], time: number): number | undefined {
  const near = instants[nearestIndex(instants, time)];
  return near !== undefined && Math.abs(near - time) <= NEAR_S ? near : undefined;
}

/** A time of the map: an instant (Unix seconds), or an offset from now in seconds, for bookmarks. */
export type ShownTime = number | { afterNow: number };

/** Parses `2025-09-15T06:00:00Z`, `2025-09-15T06:00Z`, `now`, `now+6h`, `now-3h`; null for any other text. */
export function parseShownTime(text: string): ShownTime | null {
  // A plus sign in a hand-typed link arrives as a space.
  const relative = /^now(?:([-+ ])(\d{1,5})h)?$/.exec(text);
  if (relative) return { afterNow: (relative[1] === "-" ? -3600 : 3600) * Number(relative[2] ?? 0) };
  const seconds = parseInstant(text.length === 17 ? text.replace(/Z$/, ":00Z") : text);
  return Number.isNaN(seconds) ? null : seconds;
}

export function writeShownTime(time: ShownTime): string {
  if (typeof time === "number") return formatInstant(time);
  const hours = Math.round(time.afterNow / 3600);
  return hours === 0 ? "now" : `now${hours < 0 ? "-" : "+"}${Math.abs(hours)}h`;
}

/** @param now Weather clock of the service. @returns Unix seconds. */
export function resolveShownTime(time: ShownTime, now: number): number {
  return typeof time === "number" ? time : now + time.afterNow;
}
