import type { FieldName } from "#lib/catalog/fields.ts";
import { type Grid, strided } from "#lib/field/grid.ts";
import type { Run } from "./run.ts";

/** The grid of a level. @param stride Against the native grid. */
export function levelGrid({ grid }: Pick<Run, "grid">, stride: number): Grid {
  return { latitude: strided(grid.latitude, stride), longitude: strided(grid.longitude, stride) };
}

/** Indices into a run's times at which all these fields have data; undefined where the run lacks one. */
export function stepsWith(
  run: Pick<Run, "times" | "fields">,
  names: readonly FieldName[],
): number[] | undefined {
  let steps = run.times.map((_, index) => index);
  for (const name of names) {
    const stored = run.fields[name];
    if (!stored) return undefined;
    const has = stored.steps && new Set(stored.steps);
    if (has) steps = steps.filter((step) => has.has(step));
  }
  return steps;
}
