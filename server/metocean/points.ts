import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { PointMeta, PointRequest } from "#lib/contract/point.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { type Grouping, groupByRun } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { type Aged, agesOf, describeAnswer, joinMeta, type PointsRead } from "./meta.ts";
import {
  type Columns,
  inputsOfVariable,
  MANY_POINTS,
  readVariables,
  type VariableRead,
} from "./read-fields.ts";

/** Conditions of one point, in the order of the request. */
interface PointResult {
  coordinates: { latitude: number; longitude: number; timestamp: string };
  conditions: Record<string, number | null>;
}

export interface PointAnswer {
  results: PointResult[];
  meta?: PointMeta;
  /** Without meta: how old the forecasts are. */
  ages?: Aged[];
  /** The numbers are invented: see `Run.provenance`. */
  synthetic?: boolean;
}

/** Points that are read together: few enough for all their chunks to fit into the cache, field after field. */
const SLICE_POINTS = 2048;

/** Results that are made without a pause: a few milliseconds with all variables. */
const RESULT_POINTS = 512;

/** Of computations such as passages, metres above the surface. */
export const WIND_HEIGHT = 10;

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

/** A point request whose points need not be an array. */
interface SlicedRequest extends Omit<PointRequest, "points"> {
  points: { length: number; slice(from: number, to: number): PointRequest["points"] };
}

/** Consecutive results of a request. */
interface PointSlice {
  results: PointResult[];
  meta?: PointMeta;
  /** Position of the point after the last one. */
  to: number;
}

/** How many points are read together: fewer where they take long. It is retained from slice to slice. */
interface SlicePace {
  points: number;
}

export const fullPace = (): SlicePace => ({ points: SLICE_POINTS });

/** A slice that takes longer is followed by one of half as many points; one that is faster than `FAST_MS`, by twice as many. */
const SLOW_MS = 2_000;
const FAST_MS = 500;
const MIN_SLICE_POINTS = 128;

/**
 * As `answerPoints`, for answers too large for memory, computed as they are consumed. The thread is free between two
 * slices. Where the answer has meta, slices end at the same positions each time: the order of meta depends on them.
 *
 * @param manifest In force when the first slice was computed. Throws `ObjectMissingError` if a run of it was replaced and is
 *   gone.
 * @param from Position of the first point.
 */
export async function* pointSlices(
  source: PointSource,
  manifest: Manifest,
  request: SlicedRequest,
  from: number,
  now: number,
  signal: AbortSignal,
  pace = fullPace(),
): AsyncGenerator<PointSlice, void, undefined> {
  while (from < request.points.length) {
    signal.throwIfAborted();
    const since = monotonicMs();
    const length = request.include_meta ? SLICE_POINTS : pace.points;
    const to = Math.min(from + length, request.points.length);
    yield { ...(await answerSlice(manifest, source, request, from, to, now, signal)), to };
    from = to;
    const took = monotonicMs() - since;
    if (took > SLOW_MS) pace.points = Math.max(MIN_SLICE_POINTS, Math.ceil(pace.points / 2));
    else if (took < FAST_MS) pace.points = Math.min(SLICE_POINTS, 2 * pace.points);
  }
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
    const slice = await answerSlice(manifest, source, request, from, from + SLICE_POINTS, now, signal);
    for (const result of slice.results) answer.results.push(result);
    if (slice.ages) answer.ages = [...(answer.ages ?? []), ...slice.ages];
    if (slice.meta) answer.meta = answer.meta ? joinMeta(answer.meta, slice.meta, from) : slice.meta;
  }
  return answer;
}

/** Answers the points from position `from` to before `to`, which are read together. */
async function answerSlice(
  manifest: Manifest,
  source: PointSource,
  request: SlicedRequest,
  from: number,
  to: number,
  now: number,
  signal: AbortSignal,
): Promise<PointAnswer> {
  const slice = request.points.slice(from, to);
  const points = columnsOf(slice);
  const names = [...new Set(request.variables)];
  const groupingOf = (name: VariableName) => groupByRun(manifest, name, points, now);
  const read = await readPoints(source, points, names, request.wind_height, groupingOf, signal);
  const results: PointResult[] = [];
  for (let start = 0; start < slice.length; start += RESULT_POINTS) {
    if (start > 0) await nextTurn();
    signal.throwIfAborted();
    resultsOf(slice, start, names, read.columns, results);
  }
  if (!request.include_meta) return { results, ages: agesOf(read.groupings, points, now) };
  const meta = await describeAnswer(source, manifest, request.wind_height, points, read, now, signal);
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

export function columnsOf(points: PointRequest["points"]): PointColumns {
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

/**
 * Conditions at places for a computation: the numbers that `answerPoints` would give there, and the runs they came from.
 *
 * @param names Without duplicates.
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

/** The same from the runs of a caller's choice. @param groupingOf The run of each point. */
export async function conditionsOfRuns(
  ...read: Parameters<typeof readPoints>
): Promise<{ conditions: PointResult["conditions"][]; groupings: PointsRead["groupings"] }> {
  const [, points, names] = read;
  const { columns, groupings } = await readPoints(...read);
  const derivations = derivationsOf(names, columns);
  return { conditions: Array.from(points.time, (_, index) => conditionsOf(derivations, index)), groupings };
}

/** Appends the results of `RESULT_POINTS` points. @param start Position of the first. */
function resultsOf(
  points: PointRequest["points"],
  start: number,
  names: readonly VariableName[],
  columns: Columns,
  into: PointResult[],
): void {
  const derivations = derivationsOf(names, columns);
  const end = Math.min(points.length, start + RESULT_POINTS);
  for (let index = start; index < end; index++) {
    const { latitude, longitude, timestamp } = points[index]!;
    into.push({
      coordinates: { latitude, longitude, timestamp },
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
 * How an output is computed from the columns of its fields.
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

const GROWTH = 1.25;

type RequestedPoint = PointRequest["points"][number];

/** The points of a request that is retained: 24 bytes each, where objects and their texts take 130. */
export class CompactPoints {
  length = 0;
  #latitude = new Float64Array();
  #longitude = new Float64Array();
  /** Unix seconds. */
  #time = new Float64Array();

  constructor(points: readonly RequestedPoint[] = []) {
    this.add(points);
  }

  /** Appends points. */
  add(points: readonly RequestedPoint[]): void {
    const end = this.length + points.length;
    if (end > this.#time.length) this.#grow(Math.max(end, GROWTH * this.length));
    for (const { latitude, longitude, timestamp } of points) {
      this.#latitude[this.length] = latitude;
      this.#longitude[this.length] = longitude;
      this.#time[this.length] = parseInstant(timestamp);
      this.length++;
    }
  }

  #grow(count: number): void {
    const grown = (column: Float64Array<ArrayBuffer>) =>
      new Float64Array(column.buffer.transfer(Math.ceil(count) * Float64Array.BYTES_PER_ELEMENT));
    this.#latitude = grown(this.#latitude);
    this.#longitude = grown(this.#longitude);
    this.#time = grown(this.#time);
  }

  /** As of an array, with points equal to those of the request. */
  slice(from: number, to: number): RequestedPoint[] {
    const points: RequestedPoint[] = [];
    let time = Number.NaN;
    let timestamp = "";
    for (let index = from; index < Math.min(to, this.length); index++) {
      // Many points of a request have one time.
      if (this.#time[index] !== time) {
        time = this.#time[index]!;
        timestamp = formatInstant(time);
      }
      points.push({ latitude: this.#latitude[index]!, longitude: this.#longitude[index]!, timestamp });
    }
    return points;
  }
}
