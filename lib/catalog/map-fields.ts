import { colourScales, drawnVariables } from "./colours.ts";
import type { FieldName } from "./fields.ts";

/** Fields whose whole steps are stored together, because one map layer draws them as one frame. */
export interface StoredSteps {
  /** Name of the layer. */
  name: string;
  bands: readonly FieldName[];
}

/**
 * The fields that are stored as whole steps. The map and 2D answers use them; other fields, such as wind
 * above 10 m, are served at points only.
 */
export const storedSteps: readonly StoredSteps[] = drawnVariables.map((name) => ({
  name,
  bands: colourScales[name].bands,
}));

const byField = new Map(
  storedSteps.toReversed().flatMap((steps) => steps.bands.map((field) => [field, steps])),
);

/** The group of whole steps that contains a field; undefined if only points of it are served. */
export function storedStepsOf(field: FieldName): StoredSteps | undefined {
  return byField.get(field);
}
