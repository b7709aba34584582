import type { FieldName } from "#lib/catalog/fields.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import { windField, type windHeights } from "#lib/catalog/wind.ts";
import { planWindOf, type WindPlan } from "#lib/field/wind-profile.ts";
import { parseInstant } from "#lib/time.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import type { Group } from "./choose-run.ts";
import type { PointColumns, PointSource } from "./reader.ts";

/** Values of fields, one entry a point; NaN = missing. */
export type Columns = ReadonlyMap<FieldName, Float64Array>;

/** Reading this many cached points takes about a millisecond. */
export const MANY_POINTS = 256;

/** A read of one variable: the points that each run answers, and the columns of its fields, which are written. */
export interface VariableRead {
  name: VariableName;
  groups: readonly Group[];
  columns: Columns;
}

/**
 * Reads variables at the points of a request, one field after another, or all at the same time if each waits for
 * something other than this thread. The wind is read at a height, under the field names of 10 m.
 *
 * @param windHeight Metres above the surface, 10 … 100.
 */
export async function readVariables(
  source: PointSource,
  variables: readonly VariableRead[],
  points: PointColumns,
  windHeight: number,
  signal: AbortSignal,
): Promise<void> {
  const running: Promise<void>[] = [];
  const winds: (() => void)[] = [];
  for (const { name, groups, columns } of variables)
    for (const { run, indices } of groups) {
      const read = async (field: FieldName, out: Float64Array) => {
        signal.throwIfAborted();
        // Cached chunks are read without a pause, so other requests are answered between the fields of many points.
        if (points.count > MANY_POINTS) await nextTurn();
        const reading = source.valuesAt(run, field, points, indices, out, signal);
        if (!source.waitsFor?.(run)) return reading;
        // Another read may fail first, which must not leave this rejection unhandled.
        reading.catch(() => {});
        running.push(reading);
      };
      if (!variable(name).atHeights) {
        for (const [field, column] of columns) if (run.fields[field]) await read(field, column);
        continue;
      }
      const plan = planWindOf(run.fields, windHeight);
      const [level, upper] = heightsOf(plan);
      for (const component of ["eastward", "northward"] as const) {
        const column = columns.get(windField(component, 10))!;
        const above = upper === undefined ? undefined : new Float64Array(points.count);
        await read(windField(component, level!), column);
        if (above) await read(windField(component, upper!), above);
        winds.push(() => toHeight(plan, column, above, indices));
      }
    }
  await Promise.all(running);
  for (const derive of winds) derive();
}

export type RunWind = WindPlan<(typeof windHeights)[number]>;

/**
 * Returns the stored heights that a plan reads, metres: the level that it derives the wind from, and the level above.
 */
export const heightsOf = (plan: RunWind) =>
  plan.method === "between" ? [plan.lower, plan.upper] : [plan.height];

/**
 * Derives a component of the wind at a height (m s-1): between the run's own levels linear in the logarithm of height,
 * beyond them by the power law.
 *
 * @param column The lower or only level, written. @param above The upper level, for a plan between two.
 * @param indices Entries to derive; undefined derives all of them.
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

/** The points of a request as columns. @param points Timestamps in the form of requests. */
export function columnsOf(
  points: readonly { latitude: number; longitude: number; timestamp: string }[],
): PointColumns {
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
