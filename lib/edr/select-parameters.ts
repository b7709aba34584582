import type { Output, VariableName } from "#lib/catalog/variables.ts";
import { distanceUnits } from "#lib/contract/edr.ts";
import { parametersOf } from "./collections.ts";
import { crs84Names, EPSG4326 } from "./metadata.ts";
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

/** Reads `crs`. @returns Whether the latitude comes first in it, as in EPSG:4326. */
export function isLatitudeFirst(text: string | undefined): boolean {
  if (text === undefined || crs84Names.includes(text)) return false;
  if (text === "EPSG:4326" || text === EPSG4326) return true;
  throw new EdrQueryError("crs: should be CRS84 or EPSG:4326, which has the latitude first");
}

const DISTANCE = /^\s*(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s*$/;

/** Half of the way around the globe, km: from everywhere to everywhere. */
const MAX_KM = 20_016;

/** Reads a distance. @param name Its parameter. @returns km. */
export function readDistance(name: string, text: string, unit: keyof typeof distanceUnits): number {
  const km = DISTANCE.test(text) ? Number(text) * distanceUnits[unit] : Number.NaN;
  if (km <= MAX_KM) return km;
  throw new EdrQueryError(`${name}: should be a distance of 0 to ${MAX_KM} km`);
}
