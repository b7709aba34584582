import type { FieldName } from "#lib/catalog/fields.ts";
import type { Output } from "#lib/catalog/variables.ts";
import { rounded, roundedBearing } from "#lib/field/round.ts";
import { bearingFrom, bearingTo } from "#lib/field/vector.ts";

/** Values of fields at the points of a request, by field; NaN = missing. */
export type Columns = ReadonlyMap<FieldName, Float64Array>;

/** Computes the public number of one point, rounded for the wire; null = missing. */
export type Derive = (index: number) => number | null;

const inputs = new WeakMap<readonly Output[], readonly FieldName[]>();

/** The stored fields that outputs are derived from. */
export function inputsOf(outputs: readonly Output[]): readonly FieldName[] {
  const known = inputs.get(outputs);
  if (known) return known;
  const fields = [...new Set(outputs.flatMap((output): readonly FieldName[] => output.of))];
  inputs.set(outputs, fields);
  return fields;
}

const SPEED_DECIMALS = 2;

/**
 * How an output is computed from the columns of its fields.
 *
 * A direction is null in a calm: if the speed, or the height of the waves, rounds to 0 on the wire.
 */
export function derivation(output: Output, columns: Columns): Derive {
  const column = (field: FieldName) => {
    const values = columns.get(field);
    if (!values) throw new Error(`No column of ${field} was read for ${output.point}`);
    return values;
  };
  const [first, second] = output.of;
  const a = column(first);
  if (output.is === "value") return (index) => rounded(a[index]!, output.decimals);
  const b = column(second!);
  switch (output.is) {
    case "speed":
      return (index) => rounded(Math.hypot(a[index]!, b[index]!), output.decimals);
    case "bearing": {
      const height = column(output.magnitude);
      return (index) =>
        rounded(height[index]!, SPEED_DECIMALS) === 0
          ? null
          : roundedBearing(bearingTo(a[index]!, b[index]!));
    }
    case "bearingFrom":
    case "bearingTo": {
      const bearing = output.is === "bearingFrom" ? bearingFrom : bearingTo;
      return (index) => {
        const speed = Math.hypot(a[index]!, b[index]!);
        return rounded(speed, SPEED_DECIMALS) === 0 ? null : roundedBearing(bearing(a[index]!, b[index]!));
      };
    }
  }
}
