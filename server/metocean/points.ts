import { setImmediate as nextTick } from "node:timers/promises";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import { windField } from "#lib/catalog/wind.ts";
import type { PointMeta, PointRequest } from "#lib/contract/point.ts";
import { planWindOf } from "#lib/field/wind-profile.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { type Group, type Grouping, groupByRun } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import { describeAnswer, joinMeta, type PointsRead } from "./meta.ts";
import { type Columns, derivation, inputsOf } from "./output-values.ts";

/** Conditions of one point, in the order of the request. */
interface PointResult {
  coordinates: { latitude: number; longitude: number; timestamp: string };
  conditions: Record<string, number | null>;
}

export interface PointAnswer {
  results: PointResult[];
  meta?: PointMeta;
  /** The numbers are invented: see `Run.provenance`. */
  synthetic?: boolean;
}

/** Points that are read together: few enough for all their chunks to fit into the cache, field after field. */
const SLICE_POINTS = 2048;

/** Reading this many cached points takes about a millisecond. */
const MANY_POINTS = 256;

/** A point whose time is outside the window; `index` is its position in the request. */
export interface TimeIssue {
  index: number;
  message: string;
}

/**
 * Times outside the window that a request may ask for (3 calendar years back to 10 days ahead, both ends included).
 *
 * @param now Weather clock, Unix seconds.
 */
export function timeIssues(request: Pick<PointRequest, "points">, now: number): TimeIssue[] {
  const { first, last } = acceptedTimes(now);
  const message = `Input should be from ${formatInstant(first)} (3 years back) to ${formatInstant(last)} (10 days ahead)`;
  const issues: TimeIssue[] = [];
  request.points.forEach(({ timestamp }, index) => {
    const time = parseInstant(timestamp);
    if (time >= first && time <= last) return;
    issues.push({ index, message });
  });
  return issues;
}

/**
 * Answers a point request.
 *
 * Values are bilinear in space and linear in time over valid neighbours; null means no value (land, outside the archive or
 * the grid). Order, count and duplicates of the points are preserved.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export function answerPoints(
  source: PointSource,
  request: PointRequest,
  now: number,
  signal: AbortSignal,
): Promise<PointAnswer> {
  return withManifest(source, (manifest) => answerFrom(manifest, source, request, now, signal));
}

/** A point answer of any length, computed as it is consumed. */
export interface PointStream {
  synthetic?: boolean;
  /** The results in order. The thread is free between two slices. May be iterated once. */
  slices(): AsyncGenerator<PointResult[], void, undefined>;
  /** Describes the results so far, if the request asks for it. */
  meta(): PointMeta | undefined;
}

/** As `answerPoints`, for answers too large for memory. Fails if a run is replaced meanwhile. */
export async function streamPoints(
  source: PointSource,
  request: PointRequest,
  now: number,
  signal: AbortSignal,
): Promise<PointStream> {
  const manifest = await source.manifest();
  let meta: PointMeta | undefined;
  return {
    synthetic: isSynthetic(manifest),
    async *slices() {
      for (let from = 0; from < request.points.length; from += SLICE_POINTS) {
        signal.throwIfAborted();
        const slice = await answerSlice(manifest, source, request, from, now, signal);
        meta = meta && slice.meta ? joinMeta(meta, slice.meta, from) : slice.meta;
        yield slice.results;
      }
    },
    meta: () => meta,
  };
}

async function answerFrom(
  manifest: Manifest,
  source: PointSource,
  request: PointRequest,
  now: number,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const answer: PointAnswer = { results: [], synthetic: isSynthetic(manifest) };
  for (let from = 0; from < request.points.length; from += SLICE_POINTS) {
    const slice = await answerSlice(manifest, source, request, from, now, signal);
    for (const result of slice.results) answer.results.push(result);
    if (slice.meta) answer.meta = answer.meta ? joinMeta(answer.meta, slice.meta, from) : slice.meta;
  }
  return answer;
}

/** Answers the points that are read together, from position `from` on. */
async function answerSlice(
  manifest: Manifest,
  source: PointSource,
  request: PointRequest,
  from: number,
  now: number,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const slice = request.points.slice(from, from + SLICE_POINTS);
  const points = columnsOf(slice);
  const names = [...new Set(request.variables)];
  const read = await readPoints(manifest, source, points, names, request.wind_height, now, signal);
  const results = resultsOf(slice, names, read.columns);
  if (!request.include_meta) return { results };
  const meta = await describeAnswer(source, manifest, request.wind_height, points, read, now, signal);
  return { results, meta };
}

async function readPoints(
  manifest: Manifest,
  source: PointSource,
  points: PointColumns,
  names: readonly VariableName[],
  windHeight: number,
  now: number,
  signal: AbortSignal,
): Promise<PointsRead> {
  const columns = new Map<FieldName, Float64Array>();
  const groupings = new Map<VariableName, Grouping>();
  for (const name of names) {
    // Cached chunks are read without a pause: other requests are answered between the variables of many points.
    if (points.count > MANY_POINTS) await nextTick();
    const grouping = groupByRun(manifest, name, points, now);
    groupings.set(name, grouping);
    const names = inputsOf(variable(name).outputs);
    for (const field of names) columns.set(field, new Float64Array(points.count).fill(Number.NaN));
    for (const group of grouping.groups) {
      signal.throwIfAborted();
      if (variable(name).atHeights) {
        const [eastward, northward] = names.map((field) => columns.get(field)!);
        await readWind(source, group, points, windHeight, eastward!, northward!, signal);
        continue;
      }
      for (const field of names) {
        if (!group.run.fields[field]) continue;
        const pending = source.valuesAt(group.run, field, points, group.indices, columns.get(field)!, signal);
        if (pending) await pending;
      }
    }
  }
  return { columns, groupings };
}

const components = ["eastward", "northward"] as const;

/**
 * Writes the wind components at a height (m s-1) for the points of a group: between the run's own levels linear in the
 * logarithm of height, beyond them by the power law.
 *
 * @param height Metres above the surface, 10 … 100.
 */
async function readWind(
  source: PointSource,
  { run, indices }: Group,
  points: PointColumns,
  height: number,
  eastward: Float64Array,
  northward: Float64Array,
  signal: AbortSignal,
): Promise<void> {
  const plan = planWindOf(run.fields, height);
  for (const component of components) {
    const out = component === "eastward" ? eastward : northward;
    const base = plan.method === "between" ? plan.lower : plan.height;
    await source.valuesAt(run, windField(component, base), points, indices, out, signal);
    if (plan.method === "power_law") {
      for (const index of indices) out[index]! *= plan.factor;
    } else if (plan.method === "between") {
      const above = new Float64Array(points.count);
      await source.valuesAt(run, windField(component, plan.upper), points, indices, above, signal);
      for (const index of indices) out[index]! += (above[index]! - out[index]!) * plan.upperShare;
    }
  }
}

function columnsOf(points: PointRequest["points"]): PointColumns {
  const count = points.length;
  const latitude = new Float64Array(count);
  const longitude = new Float64Array(count);
  const time = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const point = points[index]!;
    latitude[index] = point.latitude;
    longitude[index] = point.longitude;
    time[index] = parseInstant(point.timestamp);
  }
  return { count, latitude, longitude, time };
}

function resultsOf(
  points: PointRequest["points"],
  names: readonly VariableName[],
  columns: Columns,
): PointResult[] {
  const derivations = names
    .flatMap((name): readonly Output[] => variable(name).outputs)
    .map((output) => ({ key: output.point, derive: derivation(output, columns) }));
  return points.map(({ latitude, longitude, timestamp }, index) => {
    const conditions: Record<string, number | null> = {};
    for (const { key, derive } of derivations) conditions[key] = derive(index);
    return { coordinates: { latitude, longitude, timestamp }, conditions };
  });
}
