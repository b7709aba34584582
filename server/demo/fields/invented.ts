import { type FieldName, fields, rowOf } from "#lib/catalog/fields.ts";
import { nodesOf, type Patch, seaOnly } from "#server/demo/math/grid.ts";
import { driftingNoise } from "#server/demo/math/patterns.ts";
import type { World } from "#server/demo/static/world.ts";

/** Size of the patches, degrees, which equals that of the lows. */
const PATCH_DEGREES = 12;

/**
 * Invents a field that has no rule of its own: patches that drift with the weather, over the colour range of its layer
 * or the middle half of its possible range. It makes a new variable visible; realistic values need a rule.
 *
 * @returns (rows, columns), in the unit of the catalog; NaN on land where the variable is absent there.
 */
export function invented(
  name: FieldName,
  { seed, static: { land } }: World,
  { grid, time }: Patch,
): Float32Array {
  const { layer, absentWhere } = rowOf(name);
  const { min, max } = fields[name];
  const quarter = (max - min) / 4;
  const [low, high] = (layer || undefined)?.range ?? [min + quarter, max - quarter];
  const nodes = nodesOf(grid);
  const noise = driftingNoise(nodes, seed + seedOf(name), PATCH_DEGREES, time);
  const values = noise.map((value) => low + (high - low) * (0.5 + 0.5 * Math.max(-1, Math.min(1, value))));
  return absentWhere?.includes("land") ? seaOnly(land, nodes, values) : values;
}

/** Seed by name, so that two fields do not look alike. */
function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 100_003, 7);
}
