import { acceptedTimes } from "#lib/catalog/datasets.ts";
import type { DrawableRun, FieldManifest } from "#lib/contract/field-manifest.ts";
import { bracket } from "#lib/field/interpolate.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";

/** Steps of one run around an instant. */
export interface StepPair {
  run: DrawableRun;
  /** Valid times as in the manifest. */
  before: string;
  after: string;
  /** Weight of the later step, 0..1. */
  later: number;
  /** The instant that they are for, Unix seconds. */
  time: number;
}

/** All instants with a step of a run that covers them, up to the last that is answered, ascending, Unix seconds. */
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
 * Instants offered for a static field: whole hours from five days back to ten ahead, and the two days on either side of
 * an older time. Overlays such as storms and isobars do change with time.
 *
 * @param now Weather clock, Unix seconds.
 * @param time Time of the map, Unix seconds; null: none was chosen.
 */
export function hoursAround(now: number, time: number | null): number[] {
  const hours = (from: number, to: number) => {
    const first = Math.ceil(from / HOUR_S);
    const count = Math.max(0, Math.floor(to / HOUR_S) - first + 1);
    return Array.from({ length: count }, (_, index) => (first + index) * HOUR_S);
  };
  const oldest = now - 5 * DAY_S;
  const past = time === null ? [] : hours(time - 2 * DAY_S, Math.min(time + 2 * DAY_S, oldest - 1));
  return [...past, ...hours(oldest, now + 10 * DAY_S)];
}

/**
 * The time itself, or the whole hour nearest to it that the service answers for: links may name any.
 *
 * @param now Weather clock, Unix seconds.
 */
export function answeredTime(time: number, now: number): number {
  const { first, last } = acceptedTimes(now);
  // The clock of the service is a little ahead of the one that this page knows: the very first instant may have gone.
  if (time < first + HOUR_S) return Math.ceil((first + HOUR_S) / HOUR_S) * HOUR_S;
  return time > last ? Math.floor(last / HOUR_S) * HOUR_S : time;
}

/** Steps this far apart, seconds, and more are too coarse to go by: those of daily layers. */
const COARSE_S = 12 * HOUR_S;

/**
 * The instants to offer for a layer: its steps; for a daily one every whole hour that it covers, so that it does not set
 * the clock of everything else; for a static one those of `hoursAround`.
 *
 * @param time Time of the map, Unix seconds; null: none was chosen.
 */
export function offeredInstants(manifest: FieldManifest, time: number | null): number[] {
  const now = parseInstant(manifest.now);
  if (manifest.fixed) return hoursAround(now, time);
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

/** The steps around an instant, from the run that the API would use; undefined where no run covers it. */
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
 * The steps of the instants next to a time, alternately later and earlier, the nearest first.
 *
 * @param reach How many instants to either side.
 */
export function stepsAround(
  manifest: FieldManifest,
  instants: readonly number[],
  time: number,
  reach: number,
): StepPair[] {
  const index = nearestIndex(instants, time);
  const found: StepPair[] = [];
  for (let by = 1; by <= reach; by++) {
    for (const instant of [instants[index + by], instants[index - by]]) {
      const steps = instant === undefined ? undefined : stepsAt(manifest, instant);
      if (steps) found.push(steps);
    }
  }
  return found;
}

/** Start of the forecast, Unix seconds; earlier instants come from a hindcast. */
export function forecastStart({ runs }: FieldManifest): number | undefined {
  const starts = runs.filter(({ dataset }) => dataset === "Forecast").map(({ from }) => parseInstant(from));
  return starts.length > 0 ? Math.min(...starts) : undefined;
}

/**
 * How far the steps of a forecast reach so far, hours after its base time: of all runs of the same source and base time,
 * because a forecast that is still arriving is published in parts.
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

/** Position of a time along the instants, 0..1. */
export function fractionAt(instants: readonly number[], time: number): number {
  const after = instants.findIndex((instant) => instant >= time);
  if (after === -1) return 1;
  if (after === 0 || instants.length < 2) return 0;
  const [before = 0, next = 0] = [instants[after - 1], instants[after]];
  return (after - 1 + (time - before) / (next - before)) / (instants.length - 1);
}

/** The instant next to a time, which may lie between two; undefined beyond the ends. @param by 1 later, −1 earlier. */
export function instantBeside(instants: readonly number[], time: number, by: 1 | -1): number | undefined {
  return by > 0 ? instants.find((instant) => instant > time) : instants.findLast((instant) => instant < time);
}

/** Index of the instant nearest to a time; −1 for no instants. */
export function nearestIndex(instants: readonly number[], time: number): number {
  let nearest = -1;
  instants.forEach((instant, index) => {
    if (nearest < 0 || Math.abs(instant - time) < Math.abs((instants[nearest] ?? 0) - time)) nearest = index;
  });
  return nearest;
}

/**
 * First second of the UTC day to request explicitly, because the instants offered by default begin later; undefined where
 * they do not. The same for a whole day, so that stepping rarely sends a request.
 *
 * @param time Unix seconds; null: none was chosen.
 */
export function dayToRequest(instants: readonly number[], time: number | null): number | undefined {
  const [first = Number.POSITIVE_INFINITY] = instants;
  return time !== null && time < first ? Math.floor(time / DAY_S) * DAY_S : undefined;
}

/** Indices of the first instant of each UTC day. */
export function dayStarts(instants: readonly number[]): number[] {
  const day = (instant: number | undefined) => Math.floor((instant ?? 0) / DAY_S);
  return [...instants.keys()].filter((index) => index > 0 && day(instants[index]) > day(instants[index - 1]));
}
