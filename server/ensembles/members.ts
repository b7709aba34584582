import type { FieldName } from "#lib/catalog/fields.ts";
import type { Output } from "#lib/catalog/variables.ts";
import type { Distribution } from "#lib/contract/ensemble.ts";
import { type Asked, directionOf, distributionOf, type Members } from "#lib/ensemble/distribution.ts";
import type { EnsembleRun } from "#server/archive/run.ts";

/** Realization number of the control. */
const CONTROL = 0;

/**
 * Returns the function that computes the distribution of an output at a point from members.
 *
 * @param columns Values of fields at the points, one map a member of the run; NaN = missing.
 * @param all Realization numbers in whose order the values of members are listed.
 */
export function memberDistributions(
  output: Output,
  columns: readonly ReadonlyMap<FieldName, Float64Array>[],
  run: EnsembleRun,
  request: Asked,
  all: readonly number[],
): (index: number) => Distribution | null {
  const numbers = run.ensemble.members;
  const control = numbers.indexOf(CONTROL);
  const members: Members = {
    ...(control >= 0 && { control }),
    places: numbers.map((number) => all.indexOf(number)),
    all: all.length,
  };
  const own = columns.slice(0, numbers.length);
  const [a, b] = output.of.map((field) => own.map((column) => column.get(field)!));
  const values = new Float64Array(own.length);
  const read = (into: Float64Array, from: readonly Float64Array[], index: number) => {
    for (let member = 0; member < into.length; member++) into[member] = from[member]![index]!;
  };
  if (output.is === "value")
    return (index) => {
      read(values, a!, index);
      return distributionOf(output, values, members, request);
    };
  const [east, north] = [new Float64Array(own.length), new Float64Array(own.length)];
  const magnitudes = output.is === "bearing" && own.map((column) => column.get(output.magnitude)!);
  return (index) => {
    read(east, a!, index);
    read(north, b!, index);
    if (magnitudes) read(values, magnitudes, index);
    else
      for (let member = 0; member < values.length; member++)
        values[member] = Math.hypot(east[member]!, north[member]!);
    return output.is === "speed"
      ? distributionOf(output, values, members, request)
      : directionOf(output, east, north, values, members, request);
  };
}
