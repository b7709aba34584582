import type { FieldName } from "#lib/catalog/fields.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { NullReason, PointMeta, PointRequest } from "#lib/contract/point.ts";
import { bracket } from "#lib/field/interpolate.ts";
import { formatInstant } from "#lib/time.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";
import type { Columns } from "#server/metocean/derive.ts";
import { type Group, type Grouping, groupByRun } from "#server/metocean/group.ts";
import type { PointSource } from "#server/metocean/point-source.ts";
import { windPlan } from "#server/metocean/wind-at-height.ts";

const oceanVariables: readonly VariableName[] = ["current", "wave", "extra_wave", "bathy", "sst"];

/** Where each number of an answer comes from, and why some are null. */
export async function describeAnswer(
  source: PointSource,
  manifest: Manifest,
  request: PointRequest,
  points: PointColumns,
  groupings: ReadonlyMap<VariableName, Grouping>,
  columns: Columns,
  now: number,
  signal: AbortSignal,
): Promise<PointMeta> {
  const meta: PointMeta = { provenance: [], nulls: [] };
  const onLand = await landMask(source, manifest, points, now, signal);
  for (const [name, { groups, unanswered }] of groupings) {
    const nulls = new Map<NullReason, number[]>(unanswered.map(({ reason, indices }) => [reason, indices]));
    for (const group of groups) {
      meta.provenance.push(describeGroup(name, group, points, request.wind_height));
      for (const index of group.indices) {
        if (!isMissing(name, columns, index)) continue;
        const reason = oceanVariables.includes(name) && onLand[index] ? "land" : "missing";
        const list = nulls.get(reason);
        if (list) list.push(index);
        else nulls.set(reason, [index]);
      }
    }
    for (const [reason, indices] of nulls) {
      meta.nulls.push({ variable: name, reason, points: indices.sort((a, b) => a - b) });
    }
  }
  return meta;
}

function isMissing(name: VariableName, columns: Columns, index: number): boolean {
  return variable(name).outputs.some((output) =>
    output.of.some((field: FieldName) => Number.isNaN(columns.get(field)?.[index] ?? Number.NaN)),
  );
}

/** 1 where the bathymetry says that a point is land; 0 where it is sea, or where nothing is known. */
async function landMask(
  source: PointSource,
  manifest: Manifest,
  points: PointColumns,
  now: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const mask = new Uint8Array(points.count);
  const depth = new Float64Array(points.count);
  for (const { run, indices } of groupByRun(manifest, "bathy", points, now).groups) {
    await source.valuesAt(run, "sea_floor_depth_below_sea_surface", points, indices, depth, signal);
    for (const index of indices) mask[index] = Number.isNaN(depth[index]) ? 1 : 0;
  }
  return mask;
}

function describeGroup(
  name: VariableName,
  { run, indices }: Group,
  points: PointColumns,
  windHeight: number,
): PointMeta["provenance"][number] {
  const fields = variable(name).outputs.flatMap((output): readonly FieldName[] => output.of);
  const notes = new Set(fields.flatMap((field) => run.fields[field]?.comment ?? []));
  const fixed = variable(name).fixed;
  const described: PointMeta["provenance"][number] = {
    variable: name,
    dataset: run.dataset,
    source: run.source,
    model: run.model,
    run: run.id,
    reference_time: fixed ? null : formatInstant(run.referenceTime),
    valid_times: fixed ? [] : validTimes(run, fields[0], points, indices),
    points: indices.length,
  };
  if (name === "wind") described.wind_method = windMethod(run, windHeight);
  if (notes.size > 0) described.notes = [...notes];
  return described;
}

function windMethod(run: Run, height: number): "levels" | "power_law" | "10m" {
  const plan = windPlan(run, height);
  if (plan.method === "power_law") return "power_law";
  return plan.method === "level" && plan.height === 10 ? "10m" : "levels";
}

/** Steps that the points of a group are interpolated between, ascending. */
function validTimes(
  run: Run,
  field: FieldName | undefined,
  points: PointColumns,
  indices: Int32Array,
): string[] {
  const stored = field && run.fields[field]?.steps;
  const times = stored ? stored.map((step) => run.times[step]!) : run.times;
  const used = new Set<number>();
  for (const index of indices) {
    const steps = bracket(times, points.time[index]!, run.holds);
    if (!steps) continue;
    used.add(times[steps.before]!);
    used.add(times[steps.after]!);
  }
  return [...used].sort((a, b) => a - b).map(formatInstant);
}
