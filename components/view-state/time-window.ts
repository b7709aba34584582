import {
  acceptedTimes,
  type DatasetName,
  datasetAges,
  FORECAST_ARCHIVE_MONTHS,
} from "#lib/catalog/datasets.ts";
import type { ArchiveSpan, FieldManifest } from "#lib/contract/field-manifest.ts";
import { DAY_S, HOUR_S, monthsBefore, parseInstant, startOfDay } from "#lib/time.ts";
import { answeredTime, instantBeside, nearestIndex } from "./timeline.ts";

/** A span of time, both ends included, Unix seconds. */
export interface Span {
  from: number;
  to: number;
}

/** The span of the time bar: the days around now, or those around a time in the past. */
export interface TimeWindow extends Span {
  isPast: boolean;
}

/** Length of a past window, seconds. */
export const WINDOW_S = 10 * DAY_S;

/** How far back the manifest lists runs by default, seconds. */
const BEHIND_S = datasetAges.Forecast * DAY_S;

/** How far runs are listed beyond a window, so that steps and days lead out of it, seconds. */
const MARGIN_S = DAY_S;

/**
 * The middle of the past window of the map; undefined if the map is in the days around now. A window stays
 * while it contains the time, so that it does not move with every step.
 *
 * @param last The previous middle.
 * @param time Time of the map, Unix seconds; undefined while it follows now.
 * @param now Weather clock, Unix seconds; undefined while unknown.
 */
export function windowMiddle(
  last: number | undefined,
  time: number | undefined,
  now: number | undefined,
): number | undefined {
  if (now === undefined) return last;
  if (time === undefined) return undefined;
  if (last !== undefined && Math.abs(time - last) <= WINDOW_S / 2) return last;
  return time < now - BEHIND_S ? startOfDay(time) + DAY_S / 2 : undefined;
}

/**
 * The window of the time bar. Around now it contains all times that the service accepts, so that missing days
 * are visible; an archive of less than half of them, such as a single file, fills the bar.
 *
 * @param instants Instants that can be shown, ascending, Unix seconds.
 * @param now Weather clock, Unix seconds.
 * @param isArea Only the times of a saved area can be shown; the others are still part of the window.
 */
export function windowOf(
  instants: readonly number[],
  middle: number | undefined,
  now: number,
  isArea = false,
): TimeWindow {
  if (middle !== undefined) return { from: middle - WINDOW_S / 2, to: middle + WINDOW_S / 2, isPast: true };
  const [from, to] = [instants[0] ?? 0, instants.at(-1) ?? 0];
  const whole = { from: now - BEHIND_S, to: acceptedTimes(now).last };
  if (!isArea && to - from < (whole.to - whole.from) / 2) return { from, to, isPast: false };
  return { from: Math.min(from, whole.from), to: Math.max(to, whole.to), isPast: false };
}

/** The instants within the window and its margin; nothing was requested beyond them. */
export function withinWindow(
  instants: readonly number[],
  now: number,
  middle: number | undefined,
): readonly number[] {
  const [from, to] =
    middle === undefined
      ? [now - BEHIND_S - HOUR_S, Number.POSITIVE_INFINITY]
      : [middle - WINDOW_S / 2 - MARGIN_S, middle + WINDOW_S / 2 + MARGIN_S];
  const first = instants.findIndex((instant) => instant >= from);
  if (first < 0) return [];
  const behind = instants.findIndex((instant) => instant > to);
  return first === 0 && behind < 0 ? instants : instants.slice(first, behind < 0 ? undefined : behind);
}

export interface Segment extends Span {
  /** `unsaved` times cannot be shown because the service cannot be reached. */
  kind: "forecast" | "analysis" | "hindcast" | "gap" | "unsaved";
}

/** Largest gap between consecutive runs that is not shown, seconds. */
const SEAM_S = HOUR_S;

/**
 * Divides the window into forecasts after now and before it (`analysis`), hindcasts, and times without a run.
 *
 * @param now Weather clock, Unix seconds.
 * @param isArea The manifest lists only the times of a saved area.
 */
export function segmentsOf(
  manifest: FieldManifest,
  { from, to }: Span,
  now: number,
  isArea = false,
): Segment[] {
  const missing = isArea ? "unsaved" : "gap";
  if (manifest.fixed) return cutAt([{ from, to, kind: "forecast" }], now);
  const runs = manifest.runs
    .map((run) => ({ ...spanOf(run), kind: run.dataset === "Forecast" ? "forecast" : "hindcast" }) as Segment)
    .filter((run) => run.to >= from && run.from <= to)
    .sort((one, other) => one.from - other.from);
  const parts: Segment[] = [];
  let end = from;
  for (const run of runs) {
    if (run.to <= end) continue;
    if (run.from > end + SEAM_S) parts.push({ from: end, to: run.from, kind: missing });
    const start = run.from > end + SEAM_S ? run.from : end;
    const last = parts.at(-1);
    if (last?.kind === run.kind) last.to = Math.min(to, run.to);
    else if (start < to) parts.push({ from: start, to: Math.min(to, run.to), kind: run.kind });
    end = Math.min(to, run.to);
  }
  if (end < to - SEAM_S || parts.length === 0) parts.push({ from: end, to, kind: missing });
  return cutAt(parts, now);
}

/** Forecasts for times before now count as analysis. */
function cutAt(parts: readonly Segment[], now: number): Segment[] {
  return parts.flatMap((part): Segment[] => {
    if (part.kind !== "forecast" || part.from >= now) return [part];
    if (part.to <= now) return [{ ...part, kind: "analysis" }];
    return [
      { from: part.from, to: now, kind: "analysis" },
      { from: now, to: part.to, kind: "forecast" },
    ];
  });
}

const spanOf = ({ from, to }: { from: string; to: string }): Span => ({
  from: parseInstant(from),
  to: parseInstant(to),
});

/**
 * The spans of the archive that answer: each dataset for the ages that it serves, within the accepted times,
 * ascending.
 *
 * @param isArchiveOnly The variable has no hindcast, so the forecast archive answers for its past.
 */
export function answeringSpans(
  archive: readonly ArchiveSpan[],
  now: number,
  isArchiveOnly = false,
): (Span & { dataset: DatasetName })[] {
  const { first, last } = acceptedTimes(now);
  const recent = now - datasetAges["Hindcast-3M"] * DAY_S;
  const ages: Record<string, Span> = {
    Forecast: { from: isArchiveOnly ? monthsBefore(now, FORECAST_ARCHIVE_MONTHS) : now - BEHIND_S, to: last },
    "Hindcast-3M": { from: recent, to: now - BEHIND_S - 1 },
    "Hindcast-3Y": { from: first, to: recent - 1 },
  };
  return archive
    .flatMap(({ dataset, ...span }) => {
      const age = ages[dataset];
      const { from, to } = spanOf(span);
      const cut = age && { from: Math.max(from, age.from), to: Math.min(to, age.to) };
      return cut && cut.from <= cut.to ? [{ ...cut, dataset: dataset as DatasetName }] : [];
    })
    .sort((one, other) => one.from - other.from);
}

/** Hours per step of the time bar; undefined means steps of the model. */
export type StepHours = 1 | 3 | 6 | undefined;

/**
 * The time one step away: the next whole 1, 3 or 6 hours (UTC) between the instants that can be shown, or the
 * next instant; undefined if there is none.
 *
 * @param instants Ascending, Unix seconds.
 * @param by 1 for later, −1 for earlier.
 */
export function stepBeside(
  instants: readonly number[],
  time: number,
  by: 1 | -1,
  hours: StepHours,
): number | undefined {
  const beside = instantBeside(instants, time, by);
  if (hours === undefined || beside === undefined) return beside;
  const step = hours * HOUR_S;
  const target = by > 0 ? (Math.floor(time / step) + 1) * step : (Math.ceil(time / step) - 1) * step;
  const [first = 0, last = 0] = [instants[0], instants.at(-1)];
  if (target < first || target > last) return by > 0 ? last : first;
  const before = instants.findLast((instant) => instant <= target) ?? first;
  const after = instants.find((instant) => instant >= target) ?? last;
  if (after - before <= MAX_STEP_S) return target;
  return by > 0 ? after : before;
}

/**
 * Instants farther apart than this, seconds, have a gap between them, in which no field can be interpolated.
 */
const MAX_STEP_S = 12 * HOUR_S;

/**
 * The times that are likely next, most likely first: those one step away, later before earlier, then those
 * two away.
 *
 * @param reach Number of steps.
 * @param isPlaying Only later times are likely.
 */
export function timesAround(
  instants: readonly number[],
  time: number,
  hours: StepHours,
  reach: number,
  isPlaying = false,
): number[] {
  const times: number[] = [];
  let [later, earlier]: (number | undefined)[] = [time, time];
  for (let by = 1; by <= reach; by++) {
    later = later === undefined ? undefined : stepBeside(instants, later, 1, hours);
    earlier = earlier === undefined || isPlaying ? undefined : stepBeside(instants, earlier, -1, hours);
    for (const found of [later, earlier]) if (found !== undefined) times.push(found);
  }
  return times;
}

/**
 * The time to show for a chosen one: the nearest for which data is available.
 *
 * @param spans Spans of the archive, see `answeringSpans`; undefined while unknown.
 * @returns `why` tells why it differs: beyond the forecast, before the archive, or in a gap.
 */
export function shownFor(
  time: number,
  spans: readonly Span[] | undefined,
  now: number,
): { time: number; why?: "ahead" | "past" | "gap" } {
  const answered = answeredTime(time, now);
  const [first, last] = [spans?.[0]?.from, spans?.at(-1)?.to];
  if (time > answered || (last !== undefined && answered > last))
    return { time: Math.min(answered, wholeHour(last, Math.floor) ?? answered), why: "ahead" };
  if (time < answered || (first !== undefined && answered < first))
    return { time: Math.max(answered, wholeHour(first, Math.ceil) ?? answered), why: "past" };
  if (!spans || spans.length === 0 || spans.some(({ from, to }) => time >= from && time <= to))
    return { time };
  const before = wholeHour(spans.findLast(({ to }) => to < time)?.to, Math.floor) ?? time;
  const after = wholeHour(spans.find(({ from }) => from > time)?.from, Math.ceil) ?? time;
  // Two datasets that meet within a second have no gap between them.
  if (after - before <= 2 * HOUR_S) return { time };
  return { time: time - before <= after - time ? before : after, why: "gap" };
}

const wholeHour = (time: number | undefined, round: (value: number) => number) =>
  time === undefined ? undefined : round(time / HOUR_S) * HOUR_S;

/** The time of a position on the time bar: only whole steps, and only instants that can be shown. */
export function snapped(instants: readonly number[], time: number, hours: StepHours): number | undefined {
  const nearest = instants[nearestIndex(instants, time)];
  if (hours === undefined || nearest === undefined) return nearest;
  const whole = Math.round(time / (hours * HOUR_S)) * hours * HOUR_S;
  const [first = whole, last = whole] = [instants[0], instants.at(-1)];
  const wanted = Math.min(last, Math.max(first, whole));
  const near = instants[nearestIndex(instants, wanted)] ?? wanted;
  return Math.abs(near - wanted) < MAX_STEP_S / 2 ? wanted : near;
}
