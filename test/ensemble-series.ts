import { fromKnots } from "@open-metocean/geo/knots";
import type { EnsembleSeries } from "#components/point/ensemble-query.ts";
import { storedPercentiles } from "#lib/catalog/ensemble.ts";
import type { Distribution } from "#lib/contract/ensemble.ts";
import { percentileOf, sortMembers } from "#lib/ensemble/statistics.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";

interface Options {
  /** First time, Unix seconds. */
  midnight: number;
  /** Hours between the times. */
  step: number;
  /** How many members the publisher makes; all have arrived by default. */
  size?: number;
  from?: "members" | "statistics";
  /** How many times the newest run answers; an older one answers the others. All by default. */
  newest?: number;
  /** Names of the response fields that have these values; the wind by default. */
  outputs?: readonly string[];
}

/** The answer of an ensemble at one place. @param winds By member, at each time, knots; null for unknown. */
export function ensembleOf(
  winds: readonly (readonly (number | null)[])[],
  {
    midnight,
    step,
    size = winds.length,
    from = "members",
    newest,
    outputs = ["Winds_10m_Intensity"],
  }: Options,
): EnsembleSeries {
  const members = winds.map((_, member) => member);
  const times = (winds[0] ?? []).map((_, index) => midnight + index * step * HOUR_S);
  const run = (base: number, steps: readonly number[]): EnsembleSeries["meta"]["ensembles"][number] => ({
    variable: "wind",
    ensemble: "test",
    source: "test",
    model: "Test 1°",
    run: formatInstant(base),
    reference_time: formatInstant(base),
    age_s: 0,
    members,
    size,
    from,
    valid_times: steps.map(formatInstant),
    points: steps.length,
    grid_step: 1,
    step_h: step,
  });
  const latest = run(midnight, times.slice(0, newest));
  const earlier = newest === undefined ? [] : [run(midnight - 12 * HOUR_S, times.slice(newest))];
  return {
    rows: times.map((time, index) => {
      const values = winds.map((member) => {
        const knots = member[index] ?? null;
        return knots === null ? null : fromKnots(knots);
      });
      const distribution = from === "members" ? distributionOf(values) : null;
      return { time, conditions: Object.fromEntries(outputs.map((name) => [name, distribution])) };
    }),
    meta: { ensembles: [...earlier, latest], members, nulls: [], caution: "" },
  };
}

function distributionOf(values: readonly (number | null)[]): Distribution | null {
  const sorted = new Float64Array(values.length);
  const count = sortMembers(
    Float64Array.from(values, (value) => value ?? Number.NaN),
    sorted,
  );
  if (count === 0) return null;
  const percentiles = storedPercentiles.map((percentile) => percentileOf(sorted, count, percentile));
  return { members: count, control: values[0] ?? null, mean: sorted[0]!, percentiles, values: [...values] };
}
