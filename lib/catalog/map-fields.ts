import { colourScales, drawnVariables } from "./colours.ts";
import { type FieldName, map2dVariables, variable } from "./variables.ts";

/**
 * The fields that whole steps are asked of: those of 2D answers and of map frames. Of the others, such as winds above 10 m,
 * only points are asked.
 */
export const mapFields: ReadonlySet<FieldName> = new Set([
  ...drawnVariables.flatMap((name) => colourScales[name].bands),
  ...map2dVariables.flatMap((name) =>
    variable(name)
      .outputs.filter(({ map2d }) => map2d !== undefined)
      .flatMap((output) => ("magnitude" in output ? [...output.of, output.magnitude] : output.of)),
  ),
]);

/** Fields whose whole steps are stored together. */
export interface StoredSteps {
  /** The drawn variable, or the field. */
  name: string;
  bands: readonly FieldName[];
  /** Whether the map asks for them: on all levels, and not only on the native grid. */
  drawn: boolean;
}

/** The map's frames, and the fields of 2D answers that the map does not draw. Each of `mapFields` is in one at least. */
export const storedSteps: readonly StoredSteps[] = [
  ...drawnVariables.map((name) => ({ name, bands: colourScales[name].bands, drawn: true })),
  ...[...mapFields]
    .filter((field) => !drawnVariables.some((name) => colourScales[name].bands.includes(field)))
    .map((field) => ({ name: field, bands: [field], drawn: false })),
];

const byField = new Map(
  storedSteps.toReversed().flatMap((steps) => steps.bands.map((field) => [field, steps])),
);

/** Where the whole steps of a field are stored. */
export function storedStepsOf(field: FieldName): StoredSteps | undefined {
  return byField.get(field);
}
