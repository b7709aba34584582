import { colourScales, drawnVariables, paintedOutput } from "./colours.ts";
import { statistics } from "./ensemble.ts";
import type { StoredName } from "./stored-names.ts";

/** Fields, or a statistic of an ensemble, whose whole steps are stored together, because one map layer draws them as one frame. */
export interface StoredSteps {
  /** Name of the layer, or of the statistic. */
  name: string;
  bands: readonly StoredName[];
  /** The bands that the colours of the layer are derived from. */
  painted: readonly StoredName[];
}

/**
 * The fields that are stored as whole steps. The map and 2D answers use them; other fields, such as wind
 * above 10 m, are served at points only.
 */
export const storedSteps: readonly StoredSteps[] = [
  ...drawnVariables.map((name) => ({
    name,
    bands: colourScales[name].bands,
    painted: paintedOutput(name).of,
  })),
  ...statistics.map(({ name }) => ({ name, bands: [name], painted: [name] })),
];

const byField = new Map(
  storedSteps.toReversed().flatMap((steps) => steps.bands.map((field) => [field, steps])),
);

/** The group of whole steps that contains a field; undefined if only points of it are served. */
export function storedStepsOf(field: StoredName): StoredSteps | undefined {
  return byField.get(field);
}
