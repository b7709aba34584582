import { type Grid, strided } from "@open-metocean/geo/grid";
import { type EnsembleQuantity, ensembleQuantities } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { quantityOf } from "#lib/ensemble/step-statistics.ts";
import { formatInstant } from "#lib/time.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import type { RunWriter } from "#server/archive/writer.ts";
import { decodeDifference, decodeOnce, decodeStep, UnusableRecordError } from "#server/ingest/decode-step.ts";
import type { Decoder } from "#server/ingest/decoder.ts";
import { type EnsemblePart, partName, partOfField } from "#server/ingest/ensemble-part.ts";
import { type PlannedStep, planRuns, recordsOf } from "#server/ingest/plan.ts";
import { type FieldRecord, gridKey } from "#server/ingest/record.ts";
import type { Clock } from "#server/platform/clock.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { inStep } from "#server/platform/in-step.ts";
import { checkStep, type StepFields, type StepStatistics } from "./check-step.ts";
import { type FieldFeed, LEAST_SHARE, type Part } from "./field-feed.ts";
import {
  groupOf,
  ImplausiblePartError,
  type PublishedRun,
  readRecords,
  runOf,
  type SegmentRequest,
  wholeOutputs,
} from "./publish-segment.ts";

interface EnsembleRequest extends SegmentRequest {
  /**
   * Whether a member whose data cannot be used is left out of its step. Otherwise the part is fetched again, because another
   * copy of it may be sound.
   */
  leavesOut: boolean;
}

/** The steps of the fields of each part of the ensemble. */
interface EnsemblePlanned {
  grid: Grid;
  parts: ReadonlyMap<EnsemblePart, ReadonlyMap<FieldName, ReadonlyMap<number, PlannedStep>>>;
  partOf(record: FieldRecord): Part;
}

type EnsembleFeed = FieldFeed & Required<Pick<FieldFeed, "ensemble">>;

export const isOfEnsemble = (feed: FieldFeed): feed is EnsembleFeed => feed.ensemble !== undefined;

/**
 * Checks the parts of a cycle of an ensemble, and publishes as one run what its plan stores of them. Members pass through
 * memory one step and one quantity at a time.
 *
 * A run has the members that some step has. Where a step lacks a member, its values are missing, and the stored counts say on
 * how many members the statistics stand.
 *
 * @throws ImplausiblePartError. Nothing is published then.
 */
export async function publishEnsemble(
  archive: Pick<RunArchive, "begin">,
  decoder: Decoder,
  request: EnsembleRequest & { feed: EnsembleFeed },
  clock: Clock,
  signal: AbortSignal,
): Promise<PublishedRun> {
  const { feed, cycle } = request;
  const { plan, size, stride } = feed.ensemble;
  const times = [...request.times];
  const found = await planEnsemble(decoder, request, signal);
  const planned = request.leavesOut ? await withoutUnusable(decoder, request, found, signal) : found;
  checkComplete(request, planned);
  const members = [...planned.parts.keys()].filter((part) => typeof part === "number").sort((a, b) => a - b);
  const { latitude, longitude } = planned.grid;
  const grid: Grid = { latitude: strided(latitude, stride), longitude: strided(longitude, stride) };
  const run = {
    ...runOf(feed.source, grid, times),
    referenceTime: cycle,
    // The published mean and spread are those of all members.
    ensemble: { members: plan === "mean" ? Array.from({ length: size }, (_, i) => i) : members, size },
  };
  const read = createReading(decoder, request, planned, stride, signal);
  const writer = await archive.begin(run, { wait: true, signal, clock });
  try {
    if (plan === "mean") await writeMeans(writer, planned, read, times);
    else await writeAll(writer, planned, read, { times, members, keepsMembers: plan === "members" }, signal);
    await writer.writeFrames(signal);
    signal.throwIfAborted();
    return { run: await writer.publish(signal), statistics: read.statistics };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function planEnsemble(
  decoder: Decoder,
  request: EnsembleRequest & { feed: EnsembleFeed },
  signal: AbortSignal,
): Promise<EnsemblePlanned> {
  const { feed, cycle, files, times, without } = request;
  const { records, partOf } = await readRecords(decoder, request, signal);
  const isMean = feed.ensemble.plan === "mean";
  const byPart = Map.groupBy(records, (record) =>
    // A deterministic forecast among members is their control.
    record.kind === "grib2" ? (partOfField(record.field) ?? 0) : "other",
  );
  let grid: Grid | undefined;
  const parts = new Map<EnsemblePart, Map<FieldName, Map<number, PlannedStep>>>();
  for (const [part, own] of byPart) {
    if (part === "other" || (typeof part === "string") !== isMean) continue;
    const options = { referenceTime: cycle, part, times: new Set(times) };
    for (const run of planRuns(feed.source, own, options)) {
      grid ??= run.grid;
      if (gridKey(run.grid) !== gridKey(grid)) {
        const record = run.fields[0]!.steps[0]!.inputs[0]!.record;
        throw new ImplausiblePartError(
          partOf(record),
          `the grid of its ${partName(part)} differs from the others`,
        );
      }
      const fields = wholeOutputs(run.fields, without).map(
        ({ name, steps }) => [name, new Map(steps.map((step) => [run.times[step.index]!, step]))] as const,
      );
      parts.set(part, new Map(fields));
    }
  }
  if (!grid) throw new ImplausiblePartError(files.at(-1)!.part, "it has nothing of the ensemble");
  return { grid, parts, partOf };
}

/** @throws ImplausiblePartError for a step that lacks too much. */
function checkComplete(
  { feed, files, times }: EnsembleRequest & { feed: EnsembleFeed },
  { parts }: EnsemblePlanned,
): void {
  const { plan, size } = feed.ensemble;
  const least = plan === "mean" ? 2 : LEAST_SHARE * size;
  for (const time of times) {
    const there = [...parts.values()].filter((fields) =>
      [...fields.values()].some((steps) => steps.has(time)),
    );
    if (there.length >= least) continue;
    const part = files.findLast(({ part }) => part.times.includes(time))!.part;
    const words =
      plan === "mean" ? "the mean or the spread" : `enough members: it has ${there.length} of ${size}`;
    throw new ImplausiblePartError(part, `it lacks ${words} at ${formatInstant(time)}`);
  }
}

/**
 * The plan without the steps of members of which a field cannot be used: the other fields of such a step are not trusted
 * either. All steps are decoded for it, which happens only where several copies of a part could not be used.
 */
async function withoutUnusable(
  decoder: Decoder,
  request: EnsembleRequest,
  planned: EnsemblePlanned,
  signal: AbortSignal,
): Promise<EnsemblePlanned> {
  const read = createReading(decoder, request, planned, 1, signal);
  const isUsable = async (part: EnsemblePart, name: FieldName, time: number): Promise<boolean> => {
    try {
      await read(part, name, time);
      return true;
    } catch (error) {
      if (!(error instanceof ImplausiblePartError)) throw error;
      return false;
    }
  };
  const parts = new Map<EnsemblePart, Map<FieldName, Map<number, PlannedStep>>>();
  for (const [part, fields] of planned.parts)
    parts.set(part, new Map([...fields].map(([name, steps]) => [name, new Map(steps)])));
  for (const time of request.times)
    for (const [part, fields] of parts) {
      if (typeof part !== "number") continue;
      let usable = true;
      for (const name of fields.keys()) usable = usable && (await isUsable(part, name, time));
      if (!usable) for (const steps of fields.values()) steps.delete(time);
    }
  const hasSteps = (fields: ReadonlyMap<FieldName, ReadonlyMap<number, PlannedStep>>) =>
    [...fields.values()].some(({ size }) => size > 0);
  return { ...planned, parts: new Map([...parts].filter(([, fields]) => hasSteps(fields))) };
}

interface Reading {
  /**
   * The values of a field of a part of the ensemble, on the grid that is stored; undefined where it has none that can be
   * used.
   */
  (part: EnsemblePart, name: FieldName, time: number): Promise<Float32Array | undefined>;
  /** Statistics of the control, or of the mean, by time, with which the next cycle is compared. */
  statistics: Map<number, StepFields>;
}

/** Decodes and checks the fields of the parts of an ensemble. A spread is checked by its own range only. */
function createReading(
  decoder: Decoder,
  { baseline, times }: EnsembleRequest,
  { grid, parts, partOf }: EnsemblePlanned,
  stride: number,
  signal: AbortSignal,
): Reading {
  const all = [...parts.values()].flatMap((fields) =>
    [...fields.values()].flatMap((steps) => [...steps.values()]),
  );
  const once = decodeOnce(decoder, all);
  const statistics = new Map(times.map((time): [number, StepFields] => [time, {}]));
  const before = new Map<string, StepStatistics>();
  const read = async (part: EnsemblePart, name: FieldName, time: number) => {
    signal.throwIfAborted();
    const step = parts.get(part)?.get(name)?.get(time);
    if (!step) return undefined;
    try {
      const values =
        part === "spread"
          ? withoutNegative(await decodeDifference(once, step, signal), step)
          : checked(name, part, time, step, await decodeStep(once, name, step, signal));
      return thinned(values, grid.longitude.count, stride);
    } catch (error) {
      if (!(error instanceof UnusableRecordError)) throw error;
      const reason = `${partName(part)}: ${error.message}`;
      throw new ImplausiblePartError(partOf(error.record), reason, { cause: error });
    }
  };
  return Object.assign(read, { statistics });

  /**
   * Compares a step with the last cycle or the step before, as is done for a deterministic forecast, and without these with
   * the first member.
   */
  function checked(
    name: FieldName,
    part: EnsemblePart,
    time: number,
    step: PlannedStep,
    values: Float32Array,
  ): Float32Array {
    const key = `${name} ${part}`;
    const { statistics: own, fault } = checkStep(
      name,
      values,
      grid,
      baseline.near(name, time) ?? before.get(key) ?? statistics.get(time)![name],
    );
    if (fault !== undefined) throw new UnusableRecordError(recordsOf(step)[0]!, fault);
    before.set(key, own);
    statistics.get(time)![name] ??= own;
    return values;
  }
}

/** The values of every n-th row and column. @param columns Of the grid of the values. */
function thinned(values: Float32Array, columns: number, stride: number): Float32Array {
  if (stride === 1) return values;
  const rows = values.length / columns;
  const out = new Float32Array(Math.ceil(rows / stride) * Math.ceil(columns / stride));
  for (let row = 0, at = 0; row < rows; row += stride)
    for (let column = 0; column < columns; column += stride) out[at++] = values[row * columns + column]!;
  return out;
}

/** Packing may put a spread slightly below 0. A larger negative number is damage. */
function withoutNegative(values: Float32Array, step: PlannedStep): Float32Array {
  const noise = 0.1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value >= 0 || Number.isNaN(value)) continue;
    if (value < -noise) throw new UnusableRecordError(recordsOf(step)[0]!, `its spread is ${value}`);
    values[i] = 0;
  }
  return values;
}

/** Indices of the times at which a part of the ensemble has all of some fields. */
function stepsOf(
  { parts }: EnsemblePlanned,
  of: readonly EnsemblePart[],
  names: readonly FieldName[],
  times: readonly number[],
): number[] {
  const isThere = (part: EnsemblePart, time: number) =>
    names.every((name) => parts.get(part)?.get(name)?.has(time));
  return times.flatMap((time, index) => (of.some((part) => isThere(part, time)) ? [index] : []));
}

/** Writes the published mean and spread of each quantity. */
async function writeMeans(
  writer: RunWriter,
  planned: EnsemblePlanned,
  read: Reading,
  times: readonly number[],
): Promise<void> {
  for (const quantity of ensembleQuantities) {
    const names = quantity.output.of as readonly FieldName[];
    const isSpeed = quantity.output.is === "speed";
    const ofMean = stepsOf(planned, ["mean"], names, times);
    const steps = stepsOf(planned, ["spread"], names, times).filter((index) => ofMean.includes(index));
    if (steps.length === 0) continue;
    const all = (part: EnsemblePart, index: number) =>
      Promise.all(names.map((name) => read(part, name, times[index]!))) as Promise<Float32Array[]>;
    const meanComment = "speed of the mean wind, which the mean speed is at least";
    await writer.writeField(
      `${quantity.name}_mean`,
      { steps, ...(isSpeed && { comment: meanComment }) },
      async (index) => {
        const [u, v] = await all("mean", index);
        return isSpeed ? u!.map((east, i) => Math.hypot(east, v![i]!)) : u;
      },
    );
    const spreadComment =
      "spread of the component along the mean wind, without the covariance of east and north";
    await writer.writeField(
      `${quantity.name}_spread`,
      { steps, ...(isSpeed && { comment: spreadComment }) },
      async (index) => {
        const [spreadU, spreadV] = await all("spread", index);
        if (!isSpeed) return spreadU;
        const [u, v] = await all("mean", index);
        return spreadU!.map((east, i) => spreadAlong(u![i]!, v![i]!, east, spreadV![i]!));
      },
    );
  }
}

/** Spread of a speed from those of its components, to first order; where there is no mean wind, their root mean square. */
function spreadAlong(u: number, v: number, spreadU: number, spreadV: number): number {
  const speed = Math.hypot(u, v);
  if (speed === 0) return Math.hypot(spreadU, spreadV) / Math.SQRT2;
  return Math.hypot(u * spreadU, v * spreadV) / speed;
}

/** Writes the fields that belong together, with members where these are kept, and the statistics of their quantity. */
async function writeAll(
  writer: RunWriter,
  planned: EnsemblePlanned,
  read: Reading,
  {
    times,
    members,
    keepsMembers,
  }: { times: readonly number[]; members: readonly number[]; keepsMembers: boolean },
  signal: AbortSignal,
): Promise<void> {
  const names = [...new Set([...planned.parts.values()].flatMap((fields) => [...fields.keys()]))];
  const groups = [...new Map(names.map((name) => [groupOf(name).join(), groupOf(name)])).values()].map(
    (group) => group.filter((name) => names.includes(name)),
  );
  for (const group of groups) {
    const steps = stepsOf(planned, members, group, times);
    const quantity = ensembleQuantities.find(({ output }) =>
      (output.of as readonly FieldName[]).every((name) => group.includes(name)),
    );
    if (steps.length === 0) continue;
    if (keepsMembers) {
      // The next step is read when all takers are done with the one before, so that it may overwrite that one.
      const memory = new Map<FieldName, Float32Array>();
      const valuesOf = (index: number) => readStep(group, members, times[index]!, read, memory);
      const { take, fail } = inStep(group.length + (quantity ? 1 : 0), valuesOf);
      await inParallel(group.length + 1, [...group, quantity], async (what) => {
        try {
          if (typeof what === "string")
            await writer.writeMembers(
              what,
              { steps },
              async (index) => (await take(index)).get(what),
              signal,
            );
          else if (what)
            await writer.writeStatistics(
              what,
              { steps },
              async (index) => countedOf(what, await take(index)),
              signal,
            );
        } catch (error) {
          fail(error);
          throw error;
        }
      });
    } else if (quantity) {
      const counted = createCounting(quantity, group, members, read);
      await writer.writeStatistics(quantity, { steps }, (index) => counted(times[index]!), signal);
    }
  }
}

/** Reads the fields of a group of one member; undefined where it lacks one of them, because they are of use only together. */
async function readMember(
  group: readonly FieldName[],
  member: number,
  time: number,
  read: Reading,
): Promise<Float32Array[] | undefined> {
  const own: Float32Array[] = [];
  for (const name of group) {
    const values = await read(member, name, time);
    if (!values) return undefined;
    own.push(values);
  }
  return own;
}

/**
 * The values of all members at a step, (members, nodes), by field.
 *
 * @param memory Arrays that are overwritten, and kept for the next step.
 */
async function readStep(
  group: readonly FieldName[],
  members: readonly number[],
  time: number,
  read: Reading,
  memory: Map<FieldName, Float32Array>,
): Promise<Map<FieldName, Float32Array>> {
  const all = new Map<FieldName, Float32Array>();
  for (const values of memory.values()) values.fill(Number.NaN);
  for (const [position, member] of members.entries()) {
    const own = await readMember(group, member, time, read);
    for (const [i, values] of own?.entries() ?? []) {
      const name = group[i]!;
      const into = memory.get(name) ?? new Float32Array(values.length * members.length).fill(Number.NaN);
      memory.set(name, into);
      all.set(name, into);
      into.set(values, position * values.length);
    }
  }
  return all;
}

function countedOf(
  quantity: EnsembleQuantity,
  values: ReadonlyMap<FieldName, Float32Array>,
): Float32Array | undefined {
  const columns = (quantity.output.of as readonly FieldName[]).map((name) => values.get(name));
  return columns.every((column) => column !== undefined) ? quantityOf(quantity, columns) : undefined;
}

/** Reads the values of a quantity of all members at a step into one array, which the next step reuses. */
function createCounting(
  quantity: EnsembleQuantity,
  group: readonly FieldName[],
  members: readonly number[],
  read: Reading,
): (time: number) => Promise<Float32Array | undefined> {
  let all: Float32Array | undefined;
  return async (time) => {
    all?.fill(Number.NaN);
    let isThere = false;
    for (const [position, member] of members.entries()) {
      const own = await readMember(group, member, time, read);
      if (!own) continue;
      const values = countedOf(quantity, new Map(group.map((name, i) => [name, own[i]!])))!;
      all ??= new Float32Array(values.length * members.length).fill(Number.NaN);
      all.set(values, position * values.length);
      isThere = true;
    }
    return isThere ? all : undefined;
  };
}
