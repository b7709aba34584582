import { windField, windHeights } from "#lib/catalog/wind.ts";
import { planWind, type WindPlan } from "#lib/field/wind-profile.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import type { Group } from "./group.ts";
import type { PointSource } from "./point-source.ts";

const towards = ["eastward", "northward"] as const;

/** How a run answers for the wind at a height (metres). */
export function windPlan(run: Run, height: number): WindPlan<(typeof windHeights)[number]> {
  return planWind(
    height,
    windHeights.filter((level) => towards.every((toward) => run.fields[windField(toward, level)])),
  );
}

/**
 * Writes the wind components at a height (m s-1) for the points of a group.
 *
 * From the run's own levels, u and v linear in the logarithm of height; beyond them by the power law.
 *
 * @param height Metres above the surface, 10 … 100.
 */
export async function readWind(
  source: PointSource,
  { run, indices }: Group,
  points: PointColumns,
  height: number,
  eastward: Float64Array,
  northward: Float64Array,
  signal: AbortSignal,
): Promise<void> {
  const plan = windPlan(run, height);
  for (const toward of towards) {
    const out = toward === "eastward" ? eastward : northward;
    const base = plan.method === "between" ? plan.lower : plan.height;
    await source.valuesAt(run, windField(toward, base), points, indices, out, signal);
    if (plan.method === "power_law") {
      for (const index of indices) out[index]! *= plan.factor;
    } else if (plan.method === "between") {
      const above = new Float64Array(points.count);
      await source.valuesAt(run, windField(toward, plan.upper), points, indices, above, signal);
      for (const index of indices) out[index]! += (above[index]! - out[index]!) * plan.upperShare;
    }
  }
}
