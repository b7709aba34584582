import type { FieldName } from "#lib/catalog/fields.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import { inputsOfVariable, type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import { type PointMeta, type PointRequest, resultCount } from "#lib/contract/point.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { type Grouping, groupByRun } from "#server/archive/choose-run.ts";
import type { Aged } from "#server/archive/describe-run.ts";
import { manifestOfModel } from "#server/archive/one-model.ts";
import {
  type Columns,
  columnsOf,
  MANY_POINTS,
  readVariables,
  type VariableRead,
} from "#server/archive/read-variables.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { agesOf, describeAnswer, joinMeta, type PointsRead } from "./meta.ts";

/** Conditions of one point, in the order of the request. */
export interface PointResult {
  coordinates: { latitude: number; longitude: number; timestamp: string; model?: string };
  conditions: Record<string, number | null>;
}

export interface PointAnswer {
  results: PointResult[];
  meta?: PointMeta;
  /** Ages of the forecasts, for answers without meta. */
  ages?: Aged[];
  /** The numbers are invented: see `Run.provenance`. */
  synthetic?: boolean;
}

/**
 * Maximum number of points that are read together, few enough for all their chunks to fit into the cache, field after
 * field.
 */
export const SLICE_POINTS = 2048;

/** Number of results made without a pause: a few milliseconds with all variables. */
const RESULT_POINTS = 512;

/** Height of the wind in computations such as passages, metres above the surface. */
export const WIND_HEIGHT = 10;

/**
 * Answers a point request; where it names models, all points by the first one, then by the next.
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

/** A point request whose points need not be an array. */
export interface SlicedRequest extends Omit<PointRequest, "points"> {
  points: { length: number; slice(from: number, to: number): PointRequest["points"] };
}

async function answerFrom(
  manifest: Manifest,
  source: PointSource,
  request: PointRequest,
  now: number,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const answer: PointAnswer = { results: [], synthetic: isSynthetic(manifest) };
  for (let from = 0; from < resultCount(request); from = answer.results.length) {
    const slice = await answerSlice(manifest, source, request, from, from + SLICE_POINTS, now, signal);
    for (const result of slice.results) answer.results.push(result);
    if (slice.ages) answer.ages = [...(answer.ages ?? []), ...slice.ages];
    if (slice.meta) answer.meta = answer.meta ? joinMeta(answer.meta, slice.meta, from) : slice.meta;
  }
  return answer;
}

/**
 * Answers the results from position `from` to before `to`, which are read together, or fewer: the slice ends with the
 * last point of a model.
 */
export async function answerSlice(
  manifest: Manifest,
  source: PointSource,
  request: SlicedRequest,
  from: number,
  to: number,
  now: number,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const { length } = request.points;
  const model = [...new Set(request.models)][Math.floor(from / length)];
  const first = from % length;
  const slice = request.points.slice(first, Math.min(length, first + to - from));
  const points = columnsOf(slice);
  const names = [...new Set(request.variables)];
  const answering = manifestOfModel(manifest, model ?? BEST);
  const groupingOf = (name: VariableName) => groupByRun(answering, name, points, now);
  const read = await readPoints(source, points, names, request.wind_height, groupingOf, signal);
  const results: PointResult[] = [];
  for (let start = 0; start < slice.length; start += RESULT_POINTS) {
    if (start > 0) await nextTurn();
    signal.throwIfAborted();
    resultsOf(slice, start, names, model, read.columns, results);
  }
  if (!request.include_meta) return { results, ages: agesOf(read.groupings, points, now) };
  const meta = await describeAnswer(source, manifest, request.wind_height, points, read, model, now, signal);
  return { results, meta };
}

async function readPoints(
  source: PointSource,
  points: PointColumns,
  names: readonly VariableName[],
  windHeight: number,
  groupingOf: (name: VariableName) => Grouping,
  signal: AbortSignal,
): Promise<PointsRead> {
  const columns = new Map<FieldName, Float64Array>();
  const groupings = new Map<VariableName, Grouping>();
  const reads: VariableRead[] = [];
  for (const name of names) {
    if (points.count > MANY_POINTS) await nextTurn();
    const grouping = groupingOf(name);
    groupings.set(name, grouping);
    const own = new Map<FieldName, Float64Array>();
    for (const field of inputsOfVariable(name))
      own.set(field, new Float64Array(points.count).fill(Number.NaN));
    for (const [field, column] of own) columns.set(field, column);
    reads.push({ name, groups: grouping.groups, columns: own });
  }
  await readVariables(source, reads, points, windHeight, signal);
  return { columns, groupings };
}

/**
 * Conditions at places for a computation: the numbers that `answerPoints` would give there, and the runs they came
 * from.
 *
 * @param names Variables without duplicates.
 */
export function conditionsAt(
  manifest: Manifest,
  source: PointSource,
  points: PointColumns,
  names: readonly VariableName[],
  now: number,
  signal: AbortSignal,
) {
  const groupingOf = (name: VariableName) => groupByRun(manifest, name, points, now);
  return conditionsOfRuns(source, points, names, WIND_HEIGHT, groupingOf, signal);
}

/**
 * Does the same as `conditionsAt` with runs of the caller's choice.
 *
 * @param groupingOf Returns the run of each point.
 */
export async function conditionsOfRuns(
  ...read: Parameters<typeof readPoints>
): Promise<{ conditions: PointResult["conditions"][]; groupings: PointsRead["groupings"] }> {
  const [, points, names] = read;
  const { columns, groupings } = await readPoints(...read);
  const derivations = derivationsOf(names, columns);
  return { conditions: Array.from(points.time, (_, index) => conditionsOf(derivations, index)), groupings };
}

/**
 * Appends the results of `RESULT_POINTS` points.
 *
 * @param start Position of the first.
 * @param model The model that answers, if the request names one.
 */
function resultsOf(
  points: PointRequest["points"],
  start: number,
  names: readonly VariableName[],
  model: string | undefined,
  columns: Columns,
  into: PointResult[],
): void {
  const derivations = derivationsOf(names, columns);
  const end = Math.min(points.length, start + RESULT_POINTS);
  for (let index = start; index < end; index++) {
    const { latitude, longitude, timestamp } = points[index]!;
    into.push({
      coordinates: { latitude, longitude, timestamp, ...(model !== undefined && { model }) },
      conditions: conditionsOf(derivations, index),
    });
  }
}

type KeyedDerivation = { key: string; derive: Derive };

function derivationsOf(names: readonly VariableName[], columns: Columns): KeyedDerivation[] {
  return names
    .flatMap((name): readonly Output[] => variable(name).outputs)
    .map((output) => ({ key: output.point, derive: derivation(output, columns) }));
}

function conditionsOf(derivations: readonly KeyedDerivation[], index: number): PointResult["conditions"] {
  const conditions: PointResult["conditions"] = {};
  for (const { key, derive } of derivations) conditions[key] = derive(index);
  return conditions;
}

/** Computes the public number of one point, rounded for the wire; null = missing. */
type Derive = (index: number) => number | null;

const SPEED_DECIMALS = 2;

/**
 * Returns the function that computes an output from the columns of its fields.
 *
 * A direction is null in a calm: if the speed, or the height of the waves, rounds to 0 on the wire.
 */
export function derivation(output: Output, columns: Columns): Derive {
  const column = (field: FieldName) => {
    const values = columns.get(field);
    if (!values) throw new Error(`No column of ${field} was read for ${output.point}`);
    return values;
  };
  const [first, second] = output.of;
  const a = column(first);
  if (output.is === "value") return (index) => rounded(a[index]!, output.decimals);
  const b = column(second!);
  switch (output.is) {
    case "speed":
      return (index) => rounded(Math.hypot(a[index]!, b[index]!), output.decimals);
    case "bearing": {
      const height = column(output.magnitude);
      return (index) =>
        rounded(height[index]!, SPEED_DECIMALS) === 0
          ? null
          : roundedBearing(bearingTo(a[index]!, b[index]!));
    }
    case "bearingFrom":
    case "bearingTo": {
      const bearing = output.is === "bearingFrom" ? bearingFrom : bearingTo;
      return (index) => {
        const speed = Math.hypot(a[index]!, b[index]!);
        return rounded(speed, SPEED_DECIMALS) === 0 ? null : roundedBearing(bearing(a[index]!, b[index]!));
      };
    }
  }
}
