import type { Grid } from "@open-metocean/geo/grid";
import type { Grib2Field, Packing } from "@open-metocean/grib2/sections";
import { type FieldName, rowOf } from "#lib/catalog/fields.ts";
import {
  type Choice,
  conversionFrom,
  type FieldRule,
  type GribSelector,
  matches,
  type PlannedInput,
  type Selector,
  type Source,
} from "#server/ingest/sources/source.ts";
import { type EnsemblePart, isOfPart, partOfField } from "./ensemble-part.ts";
import { type FieldRecord, type GribRecord, gridKey, type Partner } from "./record.ts";

/** One step of one field: its records and their conversion. */
export interface PlannedStep {
  /** Index into the run's times. */
  index: number;
  choice: Choice;
  /** Inputs, one per selector of the choice. */
  inputs: PlannedInput[];
}

/** The records from which a step is derived, including those of the previous step. */
export function recordsOf({ inputs }: Pick<PlannedStep, "inputs">): FieldRecord[] {
  return inputs.flatMap(({ record, before, partner }) =>
    [record, before ?? [], partner?.record ?? []].flat(),
  );
}

interface PlanOptions {
  /** Base time of records whose file names none, Unix seconds. Default: determined by the source's rule. */
  referenceTime?: number;
  /** Part of an ensemble that the records must be; default: none, the deterministic forecast. */
  part?: EnsemblePart;
  /** Wanted times. Records at other times serve only as neighbours for differences. Default: all. */
  times?: ReadonlySet<number>;
}

export interface PlannedField {
  name: FieldName;
  steps: PlannedStep[];
  comment?: string;
}

/** A run to be written: one grid, one base time. */
export interface PlannedRun {
  grid: Grid;
  referenceTime: number;
  /** Ascending, Unix seconds. */
  times: number[];
  fields: PlannedField[];
}

/**
 * Assigns records to the fields of runs.
 *
 * Records of several base times or grids give several runs. Of equivalent records the first is taken.
 *
 * @param records In the order of the files.
 */
export function planRuns(
  source: Source,
  records: readonly FieldRecord[],
  { referenceTime, part, times }: PlanOptions = {},
): PlannedRun[] {
  const selectors = source.rules.flatMap(({ choices }) => choices.flatMap(({ needs }) => needs));
  const isUseful = (record: FieldRecord) =>
    (record.kind !== "grib2" || isOfPart(partOfField(record.field), part)) &&
    selectors.some(
      (selector) =>
        matches(selector, record) ||
        (selector.kind === "netcdf" &&
          record.kind === "netcdf" &&
          selector.turnedWith?.variable === record.variable),
    );
  const useful = records.filter(isUseful);
  const fallback = referenceTime ?? fallbackBaseTime(useful, source.baseTimeFrom ?? "first");
  const groups = Map.groupBy(
    useful,
    (record) => `${gridKey(record.grid)} ${record.referenceTime ?? fallback}`,
  );
  return [...groups.values()]
    .map((group) => planRun(source, group, fallback, times))
    .filter(({ fields }) => fields.length > 0)
    .sort((a, b) => a.referenceTime - b.referenceTime);
}

/** Base time of the records without one: the first or last valid time among them. */
function fallbackBaseTime(records: readonly FieldRecord[], end: "first" | "last"): number {
  const times = records
    .filter(({ referenceTime }) => referenceTime === undefined)
    .map(({ validTime }) => validTime);
  return times.reduce((best, time) => ((end === "first") === time < best ? time : best), times[0] ?? 0);
}

function planRun(
  source: Source,
  records: readonly FieldRecord[],
  fallback: number,
  wanted: ReadonlySet<number> | undefined,
): PlannedRun {
  const axis: RecordsAt[] = [...Map.groupBy(records, ({ validTime }) => validTime)]
    .map(([time, records]) => ({ time, records }))
    .sort((a, b) => a.time - b.time);
  const planned = source.rules.map((rule) => ({ rule, steps: planSteps(rule, axis, wanted) }));
  // Only times at which a field is complete are kept, because a record may need another one that is absent.
  const times = [...new Set(planned.flatMap(({ steps }) => steps.map(({ time }) => time)))].sort(
    (a, b) => a - b,
  );
  const first = records[0]!;
  return {
    grid: first.grid,
    referenceTime: first.referenceTime ?? fallback,
    times,
    fields: planned
      .filter(({ steps }) => steps.length > 0)
      .map(({ rule, steps }) => ({
        name: rule.field,
        steps: steps
          .map(({ time, choice, inputs }) => ({ index: times.indexOf(time), choice, inputs }))
          .sort((a, b) => a.index - b.index),
        comment: commentOn(steps),
      })),
  };
}

interface TimedStep {
  time: number;
  choice: Choice;
  inputs: PlannedInput[];
}

/** @param axis All times of the run, ascending. */
function planSteps(
  rule: FieldRule,
  axis: readonly RecordsAt[],
  wanted: ReadonlySet<number> | undefined,
): TimedStep[] {
  const steps: TimedStep[] = [];
  for (const [index, at] of axis.entries()) {
    if (wanted && !wanted.has(at.time)) continue;
    for (const choice of rule.choices) {
      const found = choice.needs.map((selector) => findInput(selector, at, axis[index - 1]));
      const inputs = found.filter((input) => input !== undefined);
      if (inputs.length < choice.needs.length) continue;
      steps.push({ time: at.time, choice, inputs });
      break;
    }
  }
  return steps;
}

/** The comments of the choices taken, with the number of steps if they do not apply to all. */
function commentOn(steps: readonly TimedStep[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { choice, inputs } of steps) {
    const comment = typeof choice.comment === "function" ? choice.comment(inputs) : choice.comment;
    if (comment !== undefined) counts.set(comment, (counts.get(comment) ?? 0) + 1);
  }
  const comments = [...counts].map(([comment, count]) =>
    count === steps.length ? comment : `${comment} (at ${count} of ${steps.length} steps)`,
  );
  return comments.length > 0 ? comments.join("; ") : undefined;
}

/** Planned records whose units or times are unknown, with the reason. */
export function unusableRecords(runs: readonly PlannedRun[]): { record: FieldRecord; reason: string }[] {
  const found = new Map<FieldRecord, string>();
  for (const { name, steps } of runs.flatMap(({ fields }) => fields)) {
    for (const { selector, record } of steps.flatMap(({ inputs }) => inputs)) {
      if (selector.kind !== "netcdf" || record.kind !== "netcdf") continue;
      if (record.timeless && !rowOf(name).static) {
        found.set(record, "it has no time: neither a time axis nor a scalar coordinate of time");
      } else if (!conversionFrom(record, selector.unit)) {
        const has = record.units === undefined ? "no units" : `the units "${record.units}"`;
        found.set(record, `it has ${has} where ${selector.unit} is expected`);
      }
    }
  }
  return [...found].map(([record, reason]) => ({ record, reason }));
}

/**
 * Longest window that may stand alone where there is no previous step, seconds: the longest that NCEP averages over.
 */
const MAX_ALONE = 6 * 3600;

/** Relative rounding error of float32. */
const FLOAT_ERROR = 2 ** -23;

export interface RecordsAt {
  time: number;
  records: readonly FieldRecord[];
}

/**
 * Finds the record that a selector selects at a step.
 *
 * Sums and averages are wanted since the previous step, but files give them since the start of the forecast or since
 * the last multiple of six hours. A window that starts before the previous step is therefore reduced by the record of
 * that step whose window has the same start. Without such a record there is no input, because it would cover another
 * period.
 *
 * @param before The previous step, whatever fields it has; undefined at the first step.
 */
export function findInput(
  selector: Selector,
  at: RecordsAt,
  before: RecordsAt | undefined,
): PlannedInput | undefined {
  const found = at.records.filter((record) => matches(selector, record));
  if (!isWindowed(selector)) {
    for (const record of found) {
      const partner = findPartner(selector, record, at.records);
      if (partner !== "none") return { selector, record, partner };
    }
    return undefined;
  }
  // Components along the grid are not averaged here, because their mean would have to be turned.
  const windows = found
    .filter((record) => record.kind === "grib2")
    .filter((record) => lengthOf(record) > 0 && findPartner(selector, record, at.records) === undefined);
  // The shortest of several windows comes first, because its difference loses the least precision.
  for (const record of windows.sort((a, b) => lengthOf(a) - lengthOf(b))) {
    const { start } = record.field.time;
    if (before ? start >= before.time : lengthOf(record) <= MAX_ALONE) return { selector, record };
    const earlier = before?.records.find(
      (other) => other.kind === "grib2" && matches(selector, other) && other.field.time.start === start,
    );
    if (earlier) return { selector, record, before: earlier };
  }
  return undefined;
}

/**
 * Parameter numbers of the components of a velocity along x and y, in the categories of momentum of air and of
 * currents.
 */
const COMPONENTS = [2, 3];

/**
 * The other component of a vector that is given along the columns and rows of its grid.
 *
 * @returns undefined where the record needs none; "none" where it needs one that is absent.
 */
function findPartner(
  selector: Selector,
  record: FieldRecord,
  records: readonly FieldRecord[],
): Partner | undefined | "none" {
  if (record.kind === "netcdf") {
    const turned = selector.kind === "netcdf" ? selector.turnedWith : undefined;
    if (!turned) return undefined;
    const other = records.find(
      (one) => one.kind === "netcdf" && one.variable === turned.variable && one.level === record.level,
    );
    return other ? { record: other, toward: turned.toward } : "none";
  }
  const { field } = record;
  const component = selector.kind === "grib2" ? selector.component : undefined;
  if (!field.projected?.isGridRelative || !(component || isVelocity(field))) return undefined;
  if (isTowardEarth(field)) return undefined;
  const isOther = (one: GribRecord) =>
    component
      ? component.other !== undefined && matches(component.other, one)
      : isVelocity(one.field) &&
        one.field.discipline === field.discipline &&
        one.field.parameter === COMPONENTS.find((number) => number !== field.parameter);
  const other = records.find(
    (one) =>
      one.kind === "grib2" &&
      isOther(one) &&
      one.field.level.type === field.level.type &&
      one.field.level.value === field.level.value &&
      one.field.time.kind === field.time.kind,
  );
  const toward = component?.toward ?? (field.parameter === COMPONENTS[0] ? "east" : "north");
  return other ? { record: other, toward } : "none";
}

/**
 * Whether a field is an eastward or northward current (10/1/5 and 6), which are never relative to the grid by
 * definition.
 */
function isTowardEarth({ discipline, category, parameter }: Grib2Field): boolean {
  return discipline === 10 && category === 1 && [5, 6].includes(parameter);
}

function isVelocity({ discipline, category, parameter }: Grib2Field): boolean {
  return (
    ((discipline === 0 && category === 2) || (discipline === 10 && category === 1)) &&
    COMPONENTS.includes(parameter)
  );
}

function isWindowed(selector: Selector): selector is GribSelector {
  return selector.kind === "grib2" && (selector.time === "average" || selector.time === "accumulation");
}

function lengthOf({ field: { time } }: GribRecord): number {
  return time.end - time.start;
}

/**
 * Mean of an average or accumulation since the previous step; for an accumulation, per second.
 *
 * The quantity is never negative. A negative difference that the packing of both values can explain becomes 0. A larger
 * one means that the records contradict each other, and the value is missing.
 *
 * @param values Values of the record, in the units of the file; overwritten.
 * @param earlier Values of the previous record, if the input has one.
 */
export function meanSinceBefore(
  { selector, record, before }: PlannedInput,
  values: Float32Array,
  earlier: Float32Array | undefined,
): Float32Array {
  if (!isWindowed(selector) || record.kind !== "grib2" || (before && before.kind !== "grib2")) return values;
  const accumulated = selector.time === "accumulation";
  if (!accumulated && !before) return values;
  // Both records are converted to sums, value · weight. An average is a sum per second of its window.
  const weight = accumulated ? 1 : lengthOf(record);
  const weightBefore = accumulated || !before ? 1 : lengthOf(before);
  const seconds = record.field.time.end - (before?.field.time.end ?? record.field.time.start);
  const packed =
    weight * resolutionOf(record.field.packing) +
    (before ? weightBefore * resolutionOf(before.field.packing) : 0);
  for (let i = 0; i < values.length; i++) {
    const sum = values[i]! * weight;
    const sumBefore = earlier ? earlier[i]! * weightBefore : 0;
    const difference = sum - sumBefore;
    const tolerance = packed + Math.abs(sum) * FLOAT_ERROR * 4;
    values[i] = difference >= 0 ? difference / seconds : difference >= -tolerance ? 0 : Number.NaN;
  }
  return values;
}

/** The smallest difference between two coded values. */
function resolutionOf(packing: Packing): number {
  if (packing.kind === "ieee" || packing.bits === 0) return 0;
  return packing.binaryFactor * packing.decimalFactor;
}

/** A comment that states the period of which a value is the mean. */
export function meanUntil([input]: readonly PlannedInput[]): string {
  const time = input?.record.kind === "grib2" ? input.record.field.time : undefined;
  const from = input?.before?.validTime ?? time?.start ?? 0;
  const hours = time ? (time.end - from) / 3600 : 0;
  return `${Number(hours.toFixed(1))}-h average ending at the valid time`;
}
