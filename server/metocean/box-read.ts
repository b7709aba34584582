import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import { windField } from "#lib/catalog/wind.ts";
import { planWindOf } from "#lib/field/wind-profile.ts";
import { groupByRun, type NoRun } from "#server/archive/choose-run.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { BoxPlan } from "./box-plan.ts";
import { pointsOf, stepsAround } from "./grid-read.ts";
import { unpack } from "./grid-step.ts";
import { FEW_NODES, MAX_POINTS_PER_READ, type MapSource } from "./map-read.ts";
import { type Columns, inputsOf } from "./output-values.ts";
import { readWind } from "./wind-at-height.ts";

/** Everything that reading a box needs. */
export interface BoxRead {
  source: MapSource;
  manifest: Manifest;
  plan: BoxPlan;
  /** Weather clock, Unix seconds. */
  now: number;
  signal: AbortSignal;
}

/** One variable at one instant on the nodes of a plan. */
export interface BoxPart {
  variable: VariableName;
  /** Unix seconds. */
  time: number;
  /**
   * Stored fields of the variable's outputs in the units of the archive, not rounded, (latitude, longitude) row-major; NaN =
   * missing. The wind is that at the plan's height, under the names of 10 m.
   */
  columns: Columns;
  /** The runs that answered, and how many nodes each. */
  runs: ReadonlyMap<Run, number>;
  unanswered: ReadonlyMap<NoRun, number>;
}

/** Reads one variable at one instant. */
export async function readBoxPart(read: BoxRead, name: VariableName, time: number): Promise<BoxPart> {
  const { plan, signal } = read;
  const nodes = plan.latitude.length * plan.longitude.length;
  const run = nodes > FEW_NODES ? plan.runFor(name, time) : undefined;
  signal.throwIfAborted();
  if (!run) return readAsPoints(read, name, time);
  const heights = variable(name).atHeights ? planWindOf(run.fields, plan.windHeight) : undefined;
  const columns = new Map<FieldName, Float64Array>();
  if (heights === undefined) {
    for (const field of inputsOf(variable(name).outputs))
      columns.set(field, await readColumn(read, run, field, time));
  } else {
    for (const toward of ["eastward", "northward"] as const) {
      const base = heights.method === "between" ? heights.lower : heights.height;
      const column = await readColumn(read, run, windField(toward, base), time);
      if (heights.method === "between") {
        const above = await readColumn(read, run, windField(toward, heights.upper), time);
        for (let i = 0; i < nodes; i++) column[i]! += (above[i]! - column[i]!) * heights.upperShare;
      } else if (heights.method === "power_law") for (let i = 0; i < nodes; i++) column[i]! *= heights.factor;
      columns.set(windField(toward, 10), column);
    }
  }
  return { variable: name, time, columns, runs: new Map([[run, nodes]]), unanswered: new Map() };
}

/** A field of a run whose grid is that of the plan: interpolated only in time. */
async function readColumn(
  { source, plan, signal }: BoxRead,
  run: Run,
  field: FieldName,
  time: number,
): Promise<Float64Array> {
  const { native, stride, latitude, longitude } = plan;
  const step = await stepsAround(source, run, field, time, native, signal);
  await nextTurn();
  signal.throwIfAborted();
  const column = new Float64Array(native.rows * native.columns.length);
  unpack(fields[field], step, 0, column);
  if (stride === 1) return column;
  const thinned = new Float64Array(latitude.length * longitude.length);
  for (let row = 0, at = 0; row < latitude.length; row++)
    for (let i = 0; i < longitude.length; i++, at++)
      thinned[at] = column[row * stride * native.columns.length + i * stride]!;
  return thinned;
}

/** Each node is answered by its own run, through the sampler of point requests. */
async function readAsPoints(
  { source, manifest, plan, now, signal }: BoxRead,
  name: VariableName,
  time: number,
): Promise<BoxPart> {
  const nodes = plan.latitude.length * plan.longitude.length;
  const names = inputsOf(variable(name).outputs);
  const whole = new Map(names.map((field) => [field, new Float64Array(nodes).fill(Number.NaN)]));
  const runs = new Map<Run, number>();
  const unanswered = new Map<NoRun, number>();
  for (let from = 0; from < nodes; from += MAX_POINTS_PER_READ) {
    const points = pointsOf(plan, time, from, Math.min(MAX_POINTS_PER_READ, nodes - from));
    const columns = new Map(
      [...whole].map(([field, column]) => [field, column.subarray(from, from + points.count)]),
    );
    const grouping = groupByRun(manifest, name, points, now);
    for (const { reason, indices } of grouping.unanswered)
      unanswered.set(reason, (unanswered.get(reason) ?? 0) + indices.length);
    for (const group of grouping.groups) {
      runs.set(group.run, (runs.get(group.run) ?? 0) + group.indices.length);
      if (variable(name).atHeights) {
        const [eastward, northward] = names.map((field) => columns.get(field)!);
        await readWind(source, group, points, plan.windHeight, eastward!, northward!, signal);
      } else await readGroup(group, points, columns);
    }
    await nextTurn();
    signal.throwIfAborted();
  }
  return { variable: name, time, columns: whole, runs, unanswered };

  async function readGroup(
    { run, indices }: { run: Run; indices: Int32Array },
    points: PointColumns,
    columns: ReadonlyMap<FieldName, Float64Array>,
  ): Promise<void> {
    for (const [field, column] of columns) {
      if (!run.fields[field]) continue;
      const pending = source.valuesAt(run, field, points, indices, column, signal);
      if (pending) await pending;
    }
  }
}
