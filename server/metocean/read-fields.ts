import type { FieldName } from "#lib/catalog/fields.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import { windField, type windHeights } from "#lib/catalog/wind.ts";
import { planWindOf, type WindPlan } from "#lib/field/wind-profile.ts";
import type { Group } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { nextTurn } from "#server/platform/next-turn.ts";

/** Values of fields at the points of a request, by field; NaN = missing. */
export type Columns = ReadonlyMap<FieldName, Float64Array>;

/** Reading this many cached points takes about a millisecond. */
export const MANY_POINTS = 256;

/** The stored fields that outputs are derived from. */
export function inputsOf(outputs: readonly Pick<Output, "of">[]): FieldName[] {
  return [...new Set(outputs.flatMap(({ of }): readonly FieldName[] => of))];
}

/** Does one after the other, or all at the same time where each waits for something else than this thread. */
export async function doEach<Item>(
  items: readonly Item[],
  waits: (item: Item) => boolean | undefined,
  read: (item: Item) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (const item of items) {
    if (!waits(item)) {
      await read(item);
      continue;
    }
    const reading = read(item);
    running.push(reading);
    // Another may fail first.
    reading.catch(() => {});
  }
  await Promise.all(running);
}

/**
 * Reads a variable at the points that each run answers, into the columns of its fields. The wind is that at a height, under
 * the names of 10 m.
 *
 * @param windHeight Metres above the surface, 10 … 100.
 */
export function readVariable(
  source: PointSource,
  name: VariableName,
  groups: readonly Group[],
  points: PointColumns,
  windHeight: number,
  columns: Columns,
  signal: AbortSignal,
): Promise<void> {
  const waits = ({ run }: Group) => source.waitsFor?.(run);
  return doEach(groups, waits, async (group) => {
    signal.throwIfAborted();
    if (variable(name).atHeights) await readWind(source, group, points, windHeight, columns, signal);
    else await readFields(source, group, points, columns, signal);
  });
}

async function readFields(
  source: PointSource,
  { run, indices }: Group,
  points: PointColumns,
  columns: Columns,
  signal: AbortSignal,
): Promise<void> {
  const present = [...columns].filter(([field]) => run.fields[field]);
  await doEach(
    present,
    () => source.waitsFor?.(run),
    async ([field, column]) => {
      // Cached chunks are read without a pause: other requests are answered between the fields of many points.
      if (points.count > MANY_POINTS) await nextTurn();
      await source.valuesAt(run, field, points, indices, column, signal);
    },
  );
}

export type RunWind = WindPlan<(typeof windHeights)[number]>;

/** The stored heights that a plan reads, metres: what it derives the wind from, and what is above. */
export const heightsOf = (plan: RunWind) =>
  plan.method === "between" ? [plan.lower, plan.upper] : [plan.height];

/**
 * Derives a component of the wind at a height (m s-1): between the run's own levels linear in the logarithm of height, beyond
 * them by the power law.
 *
 * @param column The lower or only level, written. @param above The upper level, for a plan between two.
 * @param indices Which entries; all where undefined.
 */
export function toHeight(
  plan: RunWind,
  column: Float64Array,
  above: Float64Array | undefined,
  indices: Int32Array | undefined,
): void {
  if (plan.method === "level") return;
  const count = indices?.length ?? column.length;
  for (let i = 0; i < count; i++) {
    const at = indices ? indices[i]! : i;
    if (plan.method === "power_law") column[at]! *= plan.factor;
    else column[at]! += (above![at]! - column[at]!) * plan.upperShare;
  }
}

async function readWind(
  source: PointSource,
  { run, indices }: Group,
  points: PointColumns,
  height: number,
  columns: Columns,
  signal: AbortSignal,
): Promise<void> {
  const plan = planWindOf(run.fields, height);
  const reads = (["eastward", "northward"] as const).flatMap((component) => {
    const column = columns.get(windField(component, 10))!;
    const above = plan.method === "between" ? new Float64Array(points.count) : undefined;
    return heightsOf(plan).map((level, at) => ({
      field: windField(component, level),
      out: at === 0 ? column : above!,
      column,
      above,
    }));
  });
  await doEach(
    reads,
    () => source.waitsFor?.(run),
    async ({ field, out }) => source.valuesAt(run, field, points, indices, out, signal),
  );
  for (const { out, column, above } of reads) if (out === column) toHeight(plan, column, above, indices);
}
