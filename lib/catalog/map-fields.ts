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
