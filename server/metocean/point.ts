import { acceptedTimes } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { PointMeta, PointRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { type Columns, derivation } from "./derive.ts";
import { type Grouping, groupByRun } from "./group.ts";
import { describeAnswer, joinMeta, type PointsRead } from "./meta.ts";
import type { PointSource } from "./point-source.ts";
import { readWind } from "./wind-at-height.ts";

/** Conditions of one point, in the order asked for. */
interface PointResult {
  coordinates: { latitude: number; longitude: number; timestamp: string };
  conditions: Record<string, number | null>;
}

export interface PointAnswer {
  results: PointResult[];
  meta?: PointMeta;
  /** The numbers are invented: they come from the demo world. */
  synthetic?: boolean;
}

/** Points that are read together: what they need of the archive fits into its cache, field after field. */
const SLICE_POINTS = 2048;

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
  const issues: TimeIssue[] = [];
  request.points.forEach(({ timestamp }, index) => {
    const time = parseInstant(timestamp);
    if (time >= first && time <= last) return;
    issues.push({
      index,
      message: `Input should be from ${formatInstant(first)} (3 years back) to ${formatInstant(last)} (10 days ahead)`,
    });
  });
  return issues;
}

/**
 * Answers a point request.
 *
 * Values are bilinear in space and linear in time over what is valid; null is written where there is nothing (land,
 * outside the archive or the grid). Order, count and duplicates of the points are kept.
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

/** A point answer of any length, made while it is taken. */
export interface PointStream {
  synthetic?: boolean;
  /** The results in order. Between two slices the thread is free. May be asked for once. */
  slices(): AsyncGenerator<PointResult[], void, undefined>;
  /** That of the results so far, where the request asks for it. */
  meta(): PointMeta | undefined;
}

/** As `answerPoints`, for requests whose answer is too large for the memory. A run that is replaced meanwhile ends it. */
export async function streamPoints(
  source: PointSource,
  request: PointRequest,
  now: number,
  signal: AbortSignal,
): Promise<PointStream> {
  const manifest = await source.manifest();
  const names = [...new Set(request.variables)];
  let meta: PointMeta | undefined;
  return {
    synthetic: manifest.synthetic,
    async *slices() {
      for (let from = 0; from < request.points.length; from += SLICE_POINTS) {
        signal.throwIfAborted();
        const slice = await answerSlice(manifest, source, request, names, from, now, signal);
        meta = laterMeta(meta, slice.meta, from);
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
  const names = [...new Set(request.variables)];
  const answer: PointAnswer = { results: [], synthetic: manifest.synthetic };
  for (let from = 0; from < request.points.length; from += SLICE_POINTS) {
    const slice = await answerSlice(manifest, source, request, names, from, now, signal);
    for (const result of slice.results) answer.results.push(result);
    if (slice.meta) answer.meta = laterMeta(answer.meta, slice.meta, from);
  }
  return answer;
}

/** Points of a request that are answered together, from `from` on. */
async function answerSlice(
  manifest: Manifest,
  source: PointSource,
  request: PointRequest,
  names: readonly VariableName[],
  from: number,
  now: number,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const slice = request.points.slice(from, from + SLICE_POINTS);
  const points = columnsOf(slice);
  const read = await readPoints(manifest, source, points, names, request.wind_height, now, signal);
  const results = resultsOf(slice, names, read.columns);
  if (!request.include_meta) return { results };
  const meta = await describeAnswer(source, manifest, request.wind_height, points, read, now, signal);
  return { results, meta };
}

function laterMeta(meta: PointMeta | undefined, more: PointMeta | undefined, from: number) {
  return meta && more ? joinMeta(meta, more, from) : (meta ?? more);
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
    const grouping = groupByRun(manifest, name, points, now);
    groupings.set(name, grouping);
    const names = fieldsOf(name);
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

/** Fields that the outputs of a variable are derived from. */
function fieldsOf(name: VariableName): FieldName[] {
  return [...new Set(variable(name).outputs.flatMap((output): readonly FieldName[] => output.of))];
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
