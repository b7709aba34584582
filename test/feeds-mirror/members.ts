import type { EnsemblePart } from "#server/ingest/ensemble-part.ts";
import { type AnalyticField, analyticValues } from "./analytic.ts";
import type { Nodes } from "./wave-forms.ts";

const HOUR_S = 3600;
/** Time by which the weather of the farthest member is ahead for each hour of lead, seconds. */
const MOST_AHEAD_S = 0.3 * HOUR_S;

/**
 * The time whose weather on the planet a member forecasts. Members are ahead of the planet or behind it, by more the longer
 * the lead; the control is right.
 *
 * @param member CF realization, 0 for the control.
 * @param times Base time and valid time, Unix seconds.
 */
export function timeOfMember(member: number, { cycle, time }: { cycle: number; time: number }): number {
  // Members with neighbouring numbers are no neighbours.
  const place = member === 0 ? 0 : (((member * 17) % 61) - 30) / 30;
  return time + (place * MOST_AHEAD_S * (time - cycle)) / HOUR_S;
}

/** Values of a part of an ensemble at all nodes, in the unit of the catalog; NaN = missing. @param size Members in all. */
export function valuesOfPart(
  field: AnalyticField,
  nodes: Nodes,
  part: EnsemblePart,
  { size, ...times }: { size: number; cycle: number; time: number },
): Float64Array {
  const valuesOf = (member: number) => {
    const at = timeOfMember(member, times);
    return analyticValues(field, nodes, { from: at, to: at });
  };
  if (typeof part === "number") return valuesOf(part);
  const members = Array.from({ length: size }, (_, member) => valuesOf(member));
  return members[0]!.map((_, i) => {
    const mean = members.reduce((sum, values) => sum + values[i]!, 0) / size;
    if (part === "mean") return mean;
    return Math.sqrt(members.reduce((sum, values) => sum + (values[i]! - mean) ** 2, 0) / (size - 1));
  });
}
