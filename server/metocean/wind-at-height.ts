import { windField } from "#lib/catalog/wind.ts";
import { planWindOf } from "#lib/field/wind-profile.ts";
import type { Group } from "#server/archive/choose-run.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { readsOf } from "./field-reads.ts";

const components = ["eastward", "northward"] as const;

/**
 * Writes the wind components at a height (m s-1) for the points of a group: between the run's own levels linear in the
 * logarithm of height, beyond them by the power law.
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
  const plan = planWindOf(run.fields, height);
  const reads = readsOf(source);
  for (const component of components) {
    const added = reads.add(readComponent(component), run);
    if (added) await added;
  }
  await reads.end();

  async function readComponent(component: (typeof components)[number]): Promise<void> {
    const out = component === "eastward" ? eastward : northward;
    const base = plan.method === "between" ? plan.lower : plan.height;
    const levels = readsOf(source);
    const pending = source.valuesAt(run, windField(component, base), points, indices, out, signal);
    const first = pending && levels.add(pending, run);
    if (first) await first;
    if (plan.method === "between") {
      const above = new Float64Array(points.count);
      await source.valuesAt(run, windField(component, plan.upper), points, indices, above, signal);
      await levels.end();
      for (const index of indices) out[index]! += (above[index]! - out[index]!) * plan.upperShare;
    } else {
      await levels.end();
      if (plan.method === "power_law") for (const index of indices) out[index]! *= plan.factor;
    }
  }
}
