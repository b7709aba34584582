import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import { windField } from "#lib/catalog/wind.ts";
import { planWindOf } from "#lib/field/wind-profile.ts";
import { groupByRun, type NoRun } from "#server/archive/choose-run.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { BoxPlan } from "./box-plan.ts";
import { readFields, readsOf } from "./field-reads.ts";
import { isReadAsPoints, MAX_POINTS_PER_READ, pointsOf, readTogether, stepsAround } from "./grid-read.ts";
import { unpack } from "./grid-step.ts";
import type { MapSource } from "./map-read.ts";
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

/**
 * Reads one variable at each of some instants, in their order. Of small boxes several instants are read together: their values
 * lie together in the archive, and each read waits for others.
 */
export async function* readBoxParts(
  read: BoxRead,
  name: VariableName,
  times: readonly number[],
): AsyncGenerator<BoxPart, void, undefined> {
  const { plan, signal } = read;
  const nodes = plan.latitude.length * plan.longitude.length;
  const asPoints = isReadAsPoints(plan);
  const runAt = (time: number) => (asPoints ? undefined : plan.runFor(name, time));
  for (const together of readTogether(times, nodes, runAt)) {
    signal.throwIfAborted();
    const run = runAt(together[0]!);
    if (run) yield await readOnGrid(read, name, together[0]!, run, nodes);
    else yield* await readAsPoints(read, name, together);
  }
}

/** Of a run whose grid is that of the plan. */
async function readOnGrid(
  read: BoxRead,
  name: VariableName,
  time: number,
  run: Run,
  nodes: number,
): Promise<BoxPart> {
  const { plan } = read;
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

/**
 * Each node is answered by its own run, through the sampler of point requests.
 *
 * @param times More than one where all their nodes are at most `MAX_POINTS_PER_READ`.
 */
async function readAsPoints(
  { source, manifest, plan, now, signal }: BoxRead,
  name: VariableName,
  times: readonly number[],
): Promise<BoxPart[]> {
  const nodes = plan.latitude.length * plan.longitude.length;
  const names = inputsOf(variable(name).outputs);
  const whole = names.map(
    (field) => [field, new Float64Array(nodes * times.length).fill(Number.NaN)] as const,
  );
  const parts = times.map((time, step) => ({
    variable: name,
    time,
    columns: new Map(
      whole.map(([field, column]) => [field, column.subarray(step * nodes, (step + 1) * nodes)] as const),
    ),
    runs: new Map<Run, number>(),
    unanswered: new Map<NoRun, number>(),
  }));
  for (let from = 0; from < nodes; from += MAX_POINTS_PER_READ) {
    const count = Math.min(MAX_POINTS_PER_READ, nodes - from);
    const points = pointsOf(plan, times, from, count);
    const columns = new Map(
      whole.map(([field, column]) => [field, column.subarray(from, from + points.count)] as const),
    );
    const partOf = (index: number) => parts[Math.floor(index / count)]!;
    const grouping = groupByRun(manifest, name, points, now);
    for (const { reason, indices } of grouping.unanswered)
      for (const index of indices) increase(partOf(index).unanswered, reason);
    const reads = readsOf(source);
    for (const group of grouping.groups) {
      const { run, indices } = group;
      for (const index of indices) increase(partOf(index).runs, run);
      if (variable(name).atHeights) {
        const [eastward, northward] = names.map((field) => columns.get(field)!);
        await reads.add(readWind(source, group, points, plan.windHeight, eastward!, northward!, signal), run);
        continue;
      }
      await readFields(source, reads, group, points, columns, signal);
    }
    await reads.end();
    await nextTurn();
    signal.throwIfAborted();
  }
  return parts;
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
