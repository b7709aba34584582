import type { Output, VariableName } from "#lib/catalog/variables.ts";
import { parametersOf } from "./collections.ts";
import { crsNames } from "./metadata.ts";
import { EdrQueryError } from "./query-error.ts";

/** Parameters that a query asks for, with the variables that have them. */
export interface SelectedParameters {
  variables: VariableName[];
  outputs: Output[];
}

/** Reads `parameter-name`: some of the outputs of variables, in the order of the catalog; all where it is absent. */
export function selectParameters(
  text: string | undefined,
  variables: readonly VariableName[],
): SelectedParameters {
  const all = parametersOf(variables);
  const asked = text === undefined ? undefined : new Set(text.split(",").map((name) => name.trim()));
  const unknown = [...(asked ?? [])].filter((name) => !all.some(({ output }) => output.point === name));
  if (unknown.length > 0)
    throw new EdrQueryError(
      `parameter-name: ${unknown.length === 1 ? "one name is" : `${unknown.length} names are`} not of this collection, which has ${all.map(({ output }) => output.point).join(", ")}`,
    );
  const chosen = all.filter(({ output }) => asked?.has(output.point) ?? true);
  return {
    variables: [...new Set(chosen.map(({ name }) => name))],
    outputs: chosen.map(({ output }) => output),
  };
}

const NUMBER = /^\d{1,3}(?:\.\d{1,9})?$/;

/** Reads `z`: the height of the wind, metres. @param hasWind Whether the collection has a quantity with heights. */
export function readHeight(text: string | undefined, hasWind: boolean): number {
  if (text === undefined) return 10;
  const height = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (!hasWind) throw new EdrQueryError("z: nothing in this collection has heights");
  if (height >= 10 && height <= 100) return height;
  throw new EdrQueryError("z: should be one height of the wind, 10 to 100 metres above the surface");
}

/** Checks `crs`. */
export function checkCrs(text: string | undefined): void {
  if (text !== undefined && !crsNames.includes(text))
    throw new EdrQueryError("crs: should be CRS84, the only one that is supported");
}
