import type { FieldName } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { type Choice, type FieldRule, matches, type Source } from "#server/ingest/sources/source.ts";
import { type FieldRecord, gridKey } from "./record.ts";
import { conversionFrom } from "./units.ts";

/** One step of one field: the records and how they are converted. */
export interface PlannedStep {
  /** Index into the run's times. */
  index: number;
  choice: Choice;
  /** One record per selector of the choice. */
  records: FieldRecord[];
}

interface PlannedField {
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
export function planRuns(source: Source, records: readonly FieldRecord[]): PlannedRun[] {
  const selectors = source.rules.flatMap(({ choices }) => choices.flatMap(({ needs }) => needs));
  const useful = records.filter((record) => selectors.some((selector) => matches(selector, record)));
  const fallback = fallbackBaseTime(useful, source.baseTimeFrom ?? "first");
  const groups = Map.groupBy(
    useful,
    (record) => `${gridKey(record.grid)} ${record.referenceTime ?? fallback}`,
  );
  return [...groups.values()]
    .map((group) => planRun(source, group, fallback))
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

function planRun(source: Source, records: readonly FieldRecord[], fallback: number): PlannedRun {
  const byTime = Map.groupBy(records, ({ validTime }) => validTime);
  const planned = source.rules.map((rule) => ({ rule, steps: planSteps(rule, byTime) }));
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
          .map(({ time, choice, records }) => ({ index: times.indexOf(time), choice, records }))
          .sort((a, b) => a.index - b.index),
        comment: commentOn(steps),
      })),
  };
}

interface TimedStep {
  time: number;
  choice: Choice;
  records: FieldRecord[];
}

function planSteps(rule: FieldRule, byTime: ReadonlyMap<number, readonly FieldRecord[]>): TimedStep[] {
  const steps: TimedStep[] = [];
  for (const [time, candidates] of byTime) {
    for (const choice of rule.choices) {
      const found = choice.needs.map((selector) => candidates.find((record) => matches(selector, record)));
      const records = found.filter((record) => record !== undefined);
      if (records.length < choice.needs.length) continue;
      steps.push({ time, choice, records });
      break;
    }
  }
  return steps;
}

/** The comments of the choices taken, with the number of steps if they do not apply to all. */
function commentOn(steps: readonly TimedStep[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { choice, records } of steps) {
    const comment = typeof choice.comment === "function" ? choice.comment(records) : choice.comment;
    if (comment !== undefined) counts.set(comment, (counts.get(comment) ?? 0) + 1);
  }
  const comments = [...counts].map(([comment, count]) =>
    count === steps.length ? comment : `${comment} (at ${count} of ${steps.length} steps)`,
  );
  return comments.length > 0 ? comments.join("; ") : undefined;
}

/** Planned records whose units are unknown, with the reason. */
export function unusableUnits(runs: readonly PlannedRun[]): { record: FieldRecord; reason: string }[] {
  const found = new Map<FieldRecord, string>();
  for (const { choice, records } of runs.flatMap(({ fields }) => fields.flatMap(({ steps }) => steps))) {
    for (const [i, selector] of choice.needs.entries()) {
      const record = records[i];
      if (selector.kind !== "netcdf" || record?.kind !== "netcdf") continue;
      if (conversionFrom(record.units, selector.unit)) continue;
      const has = record.units === undefined ? "no units" : `the units "${record.units}"`;
      found.set(record, `it has ${has} where ${selector.unit} is expected`);
    }
  }
  return [...found].map(([record, reason]) => ({ record, reason }));
}
