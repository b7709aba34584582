import { type FieldName, rowOf } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import {
  type Choice,
  type FieldRule,
  matches,
  type PlannedInput,
  type Source,
} from "#server/ingest/sources/source.ts";
import { type FieldRecord, gridKey } from "./record.ts";
import { conversionFrom } from "./units.ts";
import { findInput, type RecordsAt } from "./window.ts";

/** One step of one field: its records and how they are converted. */
export interface PlannedStep {
  /** Index into the run's times. */
  index: number;
  choice: Choice;
  /** One per selector of the choice. */
  inputs: PlannedInput[];
}

/** The records that a step is made of, also those of the step before. */
export function recordsOf({ inputs }: Pick<PlannedStep, "inputs">): FieldRecord[] {
  return inputs.flatMap(({ record, before, partner }) =>
    [record, before ?? [], partner?.record ?? []].flat(),
  );
}

export interface PlanOptions {
  /** Base time of records whose file names none, Unix seconds. Default: by the source's rule. */
  referenceTime?: number;
  /** Steps that are wanted; the records of others are only neighbours, for what is a difference. Default: all. */
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
 * Records of several base times or grids make several runs. Of equivalent records the first is taken.
 *
 * @param records In the order of the files.
 */
export function planRuns(
  source: Source,
  records: readonly FieldRecord[],
  { referenceTime, times }: PlanOptions = {},
): PlannedRun[] {
  const selectors = source.rules.flatMap(({ choices }) => choices.flatMap(({ needs }) => needs));
  const isUseful = (record: FieldRecord) =>
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
  // Only times at which a field is complete: a record may need another one that is absent.
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

/** @param axis All steps of the run, ascending. */
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
