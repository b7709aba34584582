import { colourScales, drawnVariables } from "./colours.ts";
import type { FieldName } from "./fields.ts";

/** Fields whose whole steps are stored together: the frames of a layer of the map. */
export interface StoredSteps {
  /** The layer. */
  name: string;
  bands: readonly FieldName[];
}

/**
 * The fields of the map, which are those of 2D answers too. Of the others, such as winds above 10 m, only points are asked.
 */
export const storedSteps: readonly StoredSteps[] = drawnVariables.map((name) => ({
  name,
  bands: colourScales[name].bands,
}));

const byField = new Map(
  storedSteps.toReversed().flatMap((steps) => steps.bands.map((field) => [field, steps])),
);

/** Where the whole steps of a field are stored. */
export function storedStepsOf(field: FieldName): StoredSteps | undefined {
  return byField.get(field);
}
