import type { Grid } from "@open-metocean/geo/grid";
import { type FieldName, fields, fieldsOf, outputsIn, rowOf } from "#lib/catalog/fields.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import { windField, windHeights } from "#lib/catalog/wind.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import type { NewRun } from "#server/archive/writer.ts";
import { decodeOnce, decodeStep, fieldsByRecords, UnusableRecordError } from "#server/ingest/decode-step.ts";
import { DecodeError, type Decoder } from "#server/ingest/decoder.ts";
import { dataFiles, fieldsFrom, isNeeded, takeInventory } from "#server/ingest/ingest.ts";
import {
  type PlannedField,
  type PlannedRun,
  type PlannedStep,
  planRuns,
  unusableRecords,
} from "#server/ingest/plan.ts";
import type { FieldRecord } from "#server/ingest/record.ts";
import type { Source } from "#server/ingest/sources/source.ts";
import type { Clock } from "#server/platform/clock.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import {
  type Baseline,
  checkStep,
  type Dispute,
  type StepFields,
  type StepStatistics,
} from "./check-step.ts";
import type { FieldFeed, Part } from "./field-feed.ts";

/**
 * Groups of fields that are written at the same time, and the number of nodes above which it is only one, because a
 * step takes more memory.
 */
const GROUPS_AT_ONCE = 2;
const MAX_NODES_TOGETHER = 2e6;

export interface PartFile {
  part: Part;
  /** Path of a file, or of a folder of files. */
  file: string;
}

/** A part must not be published. The message is for the operator. */
export class ImplausiblePartError extends Error {
  override readonly name = "ImplausiblePartError";
  readonly part: Part;
  /** The step that disagrees with earlier runs, if nothing else is wrong with it. */
  readonly dispute: Dispute | undefined;
  /** Fields that cannot be used, where the rest of the part may be good. */
  readonly unusable: readonly FieldName[];
  constructor(
    part: Part,
    reason: string,
    options: ErrorOptions & { dispute?: Dispute; unusable?: readonly FieldName[] } = {},
  ) {
    super(reason, options);
    this.part = part;
    this.dispute = options.dispute;
    this.unusable = options.unusable ?? [];
  }
}

export interface SegmentRequest {
  feed: FieldFeed;
  cycle: number;
  /**
   * Files in the order of the cycle. Parts before the segment may be among them, because conversions need neighbouring
   * steps.
   */
  files: readonly PartFile[];
  /** Times of the run, Unix seconds, ascending. */
  times: readonly number[];
  baseline: Baseline;
  /** Fields that are left out because their fetched data cannot be used. */
  without?: ReadonlySet<FieldName>;
}

/**
 * Checks the parts of a segment, and writes and publishes their fields as one run; see `wholeOutputs`. Nothing is
 * visible before all of it is written.
 *
 * @returns The run, and the statistics of its steps by time.
 * @throws ImplausiblePartError. Nothing is published then.
 */
export async function publishSegment(
  archive: Pick<RunArchive, "begin">,
  decoder: Decoder,
  request: SegmentRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<PublishedRun> {
  const { feed, cycle, baseline } = request;
  const { plan, partOf } = await planParts(decoder, request, signal);
  const fields = fieldsToPublish(plan, request);
  const { source } = feed;
  const { grid, times } = plan;
  // A service that answers from a run of one of the operator's own sources may not have that source's file.
  const own = feed.isOwn && {
    rhythm: { every: feed.cycles.every / HOUR_S, delay: feed.delay.whole / HOUR_S },
    credit: feed.credit,
  };
  const run = { ...runOf(source, grid, times), referenceTime: cycle, ...own };
  // Several groups run at the same time: one is decoded in its thread while another is written.
  const atOnce = grid.latitude.count * grid.longitude.count > MAX_NODES_TOGETHER ? 1 : GROUPS_AT_ONCE;
  const checks: RunChecks = {
    partOf,
    compareWith: (name, time, before) => baseline.near(name, time) ?? before?.statistics,
    aboutFault(name, time, step, { statistics, isDisputed }) {
      // A field derived from a substitute for the standard message may differ from it, and is then left out.
      const isStandard = step.choice === source.rules.find(({ field }) => field === name)?.choices[0];
      if (!isStandard) return { unusable: [name] };
      return isDisputed && baseline.near(name, time) ? { dispute: { cycle, time, name, statistics } } : {};
    },
  };
  return publishChecked({ archive, decoder, clock }, run, fields, checks, atOnce, signal);
}

/** The properties of a run of the source's default dataset, without its reference time. */
export function runOf({ dataset, name, model, validFor }: Source, grid: Grid, times: number[]) {
  return { dataset, source: name, model: model(grid), grid, times, holds: validFor };
}

export interface PublishedRun {
  run: Run;
  /** Statistics by time, Unix seconds. */
  statistics: Map<number, StepFields>;
}

/** Checks that judge the steps of a run. */
interface RunChecks {
  partOf(record: FieldRecord, step: PlannedStep): Part;
  /** @param before The previous step of the same field in the run. */
  compareWith(
    name: FieldName,
    time: number,
    before: { time: number; statistics: StepStatistics } | undefined,
  ): StepStatistics | undefined;
  /** Adds details to the text of a fault. */
  aboutFault?(
    name: FieldName,
    time: number,
    step: PlannedStep,
    checked: ReturnType<typeof checkStep>,
  ): { dispute?: Dispute; unusable?: readonly FieldName[] };
}

/**
 * Decodes the steps of a run, checks each, and writes and publishes them.
 *
 * @param atOnce Groups of fields that are written at the same time.
 * @throws ImplausiblePartError. Nothing is published then.
 */
export async function publishChecked(
  { archive, decoder, clock }: { archive: Pick<RunArchive, "begin">; decoder: Decoder; clock: Clock },
  run: NewRun,
  fields: readonly PlannedField[],
  { partOf, compareWith, aboutFault }: RunChecks,
  atOnce: number,
  signal: AbortSignal,
): Promise<PublishedRun> {
  const { grid, times } = run;
  const writer = await archive.begin(run, { wait: true, signal, clock });
  const statistics = new Map(times.map((time): [number, StepFields] => [time, {}]));
  const once = decodeOnce(
    decoder,
    fields.flatMap(({ steps }) => steps),
  );

  /**
   * Writes one field with the memory of the writer and one step. The signal ends it between steps; the steps written so
   * far are removed with the run.
   */
  async function writeField({ name, steps, comment }: PlannedField): Promise<void> {
    const byIndex = new Map(steps.map((step) => [step.index, step]));
    let before: { time: number; statistics: StepStatistics } | undefined;
    const indices = steps.length === times.length ? undefined : [...byIndex.keys()];
    await writer.writeField(name, { steps: indices, comment }, async (index) => {
      signal.throwIfAborted();
      const step = byIndex.get(index);
      if (!step) return undefined;
      const values = await decodeStep(once, name, step, signal).catch((error: unknown) => {
        if (!(error instanceof UnusableRecordError)) throw error;
        // Impossible values cast doubt on the other fields too; an unreadable message says nothing about them.
        const unusable = error.cause instanceof DecodeError ? [name] : [];
        throw new ImplausiblePartError(partOf(error.record, step), error.message, { cause: error, unusable });
      });
      const time = times[index]!;
      const checked = checkStep(name, values, grid, compareWith(name, time, before));
      if (checked.fault !== undefined) {
        const part = partOf(step.inputs[0]!.record, step);
        throw new ImplausiblePartError(part, checked.fault, aboutFault?.(name, time, step, checked));
      }
      before = { time, statistics: checked.statistics };
      statistics.get(time)![name] = checked.statistics;
      return values;
    });
  }

  try {
    await inParallel(atOnce, fieldsByRecords(fields), (group) => inParallel(group.length, group, writeField));
    await writer.writeFrames(signal);
    signal.throwIfAborted();
    return { run: await writer.publish(signal), statistics };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

export interface SegmentPlan {
  plan: PlannedRun;
  partOf(record: FieldRecord): Part;
}

/**
 * Plans the source's fields from the parts of one cycle.
 *
 * @throws ImplausiblePartError where something of them cannot be used.
 */
export async function planParts(
  decoder: Decoder,
  request: Omit<SegmentRequest, "baseline">,
  signal: AbortSignal,
): Promise<SegmentPlan> {
  const { feed, cycle, files, times } = request;
  const { records, partOf } = await readRecords(decoder, request, signal);
  const runs = planRuns(feed.source, records, { referenceTime: cycle, times: new Set(times) });
  const [unusable] = unusableRecords(runs);
  if (unusable) throw new ImplausiblePartError(partOf(unusable.record), unusable.reason);
  const [plan, another] = runs;
  if (!plan) throw new ImplausiblePartError(files.at(-1)!.part, nothingIn(records, times, feed.source.name));
  if (another) {
    const part = partOf(another.fields[0]!.steps[0]!.inputs[0]!.record);
    throw new ImplausiblePartError(part, "its grid differs from that of the other parts");
  }
  return { plan, partOf };
}

/**
 * Lists the records of the parts of one cycle.
 *
 * @throws ImplausiblePartError where a file is damaged, or is of another cycle.
 */
export async function readRecords(
  decoder: Decoder,
  { feed, cycle, files, without = new Set() }: Omit<SegmentRequest, "baseline" | "times">,
  signal: AbortSignal,
): Promise<{ records: FieldRecord[]; partOf: SegmentPlan["partOf"] }> {
  const parts = new Map<string, Part>();
  for (const { part, file } of files) for (const path of await dataFiles(file)) parts.set(path, part);
  const fallback = files.at(-1)!.part;
  const partOf = ({ file }: { file: string }) => parts.get(file) ?? fallback;
  const inventory = await takeInventory(decoder, [...parts.keys()], () => {}, signal);
  for (const damaged of inventory.rejected.filter((rejection) => isNeeded(feed.source, rejection))) {
    const unusable = fieldsFrom(feed.source, damaged);
    if (unusable.length > 0 && unusable.every((name) => without.has(name))) continue;
    throw new ImplausiblePartError(partOf(damaged), `${damaged.message}: ${damaged.reason}`, { unusable });
  }
  const records: FieldRecord[] = [];
  for (const record of inventory.records) {
    // Reference times in the NetCDF files of built-in feeds have other meanings, such as the day of a bulletin.
    const isComparable = record.kind === "grib2" || feed.isOwn;
    if (isComparable && record.referenceTime !== undefined && record.referenceTime !== cycle)
      throw new ImplausiblePartError(partOf(record), otherCycle(record.referenceTime, cycle));
    records.push({ ...record, referenceTime: cycle });
  }
  return { records, partOf };
}

/** Describes why there is nothing to publish. Usually another day's file is in the place of this one. */
function nothingIn(records: readonly FieldRecord[], times: readonly number[], source: string): string {
  const [record] = records;
  if (!record || times.includes(record.validTime)) return `it has nothing that the source ${source} reads`;
  return `it is of ${formatInstant(record.validTime)}, not of ${formatInstant(times[0]!)}`;
}

function otherCycle(found: number, expected: number): string {
  return `it is of the cycle ${formatInstant(found)}, not of ${formatInstant(expected)}`;
}

/** Selects the fields of a plan that are published. Every time must be present with at least one of them. */
function fieldsToPublish({ times, fields }: PlannedRun, request: SegmentRequest): PlannedField[] {
  const partAt = (time: number) => request.files.findLast(({ part }) => part.times.includes(time))!.part;
  const absent = request.times.find((time) => !times.includes(time));
  if (absent !== undefined)
    throw new ImplausiblePartError(partAt(absent), `it has no step ${formatInstant(absent)}`);
  const whole = wholeOutputs(fields, request.without);
  const has = new Set(whole.flatMap(({ steps }) => steps.map(({ index }) => index)));
  const empty = times.find((_, index) => !has.has(index));
  if (empty === undefined) return whole.map(longestStretch);
  const at = times.indexOf(empty);
  const there = fields.filter(({ steps }) => steps.some(({ index }) => index === at)).map(({ name }) => name);
  const lacking = request.feed.source.rules.find(({ field }) => !there.includes(field))?.field;
  throw new ImplausiblePartError(partAt(empty), `it lacks ${lacking} at ${formatInstant(empty)}`);
}

/** Fields that only make sense together: the components of a vector, and of a direction. */
const groups: readonly (readonly FieldName[])[] = [
  ...variableNames.flatMap((name) =>
    outputsIn(Object.fromEntries(fieldsOf(name).map((field) => [field, true])), name).map(({ of }) => of),
  ),
  ...windHeights.map((height) => [windField("eastward", height), windField("northward", height)] as const),
];

/** A field, and the fields without which it is of no use. */
export function groupOf(name: FieldName): readonly FieldName[] {
  return [...new Set(groups.filter((group) => group.includes(name)).flat())];
}

/**
 * Keeps the steps at which all fields of a group are present, since each published value needs its whole group.
 *
 * @param without Fields that are left out, with their groups.
 */
export function wholeOutputs(
  fields: readonly PlannedField[],
  without: ReadonlySet<FieldName> = new Set(),
): PlannedField[] {
  const planned = new Map(fields.map((field) => [field.name, field]));
  return fields.flatMap((field) => {
    const group = groupOf(field.name);
    if (group.some((name) => without.has(name))) return [];
    const others = group.map((name) => new Set(planned.get(name)?.steps.map(({ index }) => index)));
    const together = field.steps.filter(({ index }) => others.every((indices) => indices.has(index)));
    return together.length > 0 ? [{ ...field, steps: together }] : [];
  });
}

/** Reduces a field to its longest run of consecutive steps, because nothing may be interpolated across a gap. */
function longestStretch({ steps, ...field }: PlannedField): PlannedField {
  let longest: PlannedField["steps"] = [];
  let stretch: PlannedField["steps"] = [];
  for (const step of steps) {
    if (stretch.length > 0 && step.index !== stretch.at(-1)!.index + 1) stretch = [];
    stretch.push(step);
    if (stretch.length > longest.length) longest = [...stretch];
  }
  return { ...field, steps: longest };
}

/**
 * Public names of the values that cannot be answered without some fields; the names of the fields where there are none.
 */
export function numbersOf(names: readonly FieldName[]): string[] {
  return [
    ...new Set(
      names.flatMap((name) => {
        const outputs = rowOf(name).outputs.filter(({ of }) => (of as readonly FieldName[]).includes(name));
        return outputs.length > 0 ? outputs.map(({ point }) => point) : fields[name].longName;
      }),
    ),
  ];
}
