import type { FieldName } from "#lib/catalog/fields.ts";
import { coordinate, type Grid, wraps } from "#lib/field/grid.ts";
import { misplaced } from "./known-places.ts";
import { disagreement, impossibility, type StepStatistics, statisticsOf } from "./step-statistics.ts";

/** What was found of one step of a field. */
export interface CheckedStep {
  statistics: StepStatistics;
  /** Why it must not be published, in words for the operator; undefined if nothing is wrong with it. */
  fault: string | undefined;
  /** Nothing is wrong with it but that it differs from what was published before: either of the two may be right. */
  isDisputed: boolean;
}

/**
 * Checks a step of a field before it is published.
 *
 * @param values Catalog's unit, NaN = missing; (rows, columns) of the grid.
 * @param published Of the same field, in a run before or at a time nearby; undefined where there is nothing to compare with.
 */
export function checkStep(
  name: FieldName,
  values: Float32Array,
  grid: Grid,
  published: StepStatistics | undefined,
): CheckedStep {
  const statistics = statisticsOf(values, grid.longitude.count);
  const impossible = impossibility(name, statistics, isGlobal(grid));
  const change = published && disagreement(name, statistics, published, wraps(grid.longitude));
  const place = isGlobal(grid) ? misplaced(name, values, grid) : undefined;
  const isDisputed = change !== undefined && impossible === undefined && place === undefined;
  return { statistics, fault: impossible ?? change ?? place, isDisputed };
}

/** Whether it is of the globe: currents and temperatures of the sea have no rows near a pole. */
function isGlobal({ latitude, longitude }: Grid): boolean {
  const reach = 75;
  const end = coordinate(latitude, latitude.count - 1);
  return wraps(longitude) && latitude.start <= -reach && end >= reach;
}
