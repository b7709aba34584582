import type { VariableName } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";

/** Times of a model's own steps by variable, Unix seconds, ascending; values between them are interpolated. */
export type ModelSteps = Partial<Record<VariableName, readonly number[]>>;

/** The steps of the models that answered a series of times. */
export function modelSteps(meta: PointMeta | undefined): ModelSteps {
  const steps: Partial<Record<VariableName, number[]>> = {};
  for (const { variable, valid_times } of meta?.provenance ?? [])
    steps[variable] = [...(steps[variable] ?? []), ...valid_times.map(parseInstant)];
  for (const times of Object.values(steps)) times.sort((one, other) => one - other);
  return steps;
}

/** Part of a series in which the steps are longer than before. */
export interface CoarsePart {
  /** Unix seconds. */
  from: number;
  /** Interval between steps. */
  hours: number;
}

/**
 * The parts from which on the steps of a model are longer than at the beginning. The first day has none, because there
 * the steps of two runs may meet.
 */
export function coarseParts(steps: readonly number[]): CoarsePart[] {
  const [first = 0] = steps;
  const gaps = steps.slice(1).map((time, index) => time - steps[index]!);
  const early = gaps.filter((_, index) => steps[index]! < first + DAY_S).sort((one, other) => one - other);
  let usual = early[Math.floor(early.length / 2)] ?? 0;
  const parts: CoarsePart[] = [];
  for (const [index, gap] of gaps.entries()) {
    const from = steps[index]!;
    // A single long interval is a gap.
    if (from < first + DAY_S || gap <= usual || (gaps[index + 1] ?? gap) < gap) continue;
    parts.push({ from, hours: Math.round(gap / HOUR_S) });
    usual = gap;
  }
  return parts;
}
