import type { DatasetName } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import type { FieldRecord } from "#server/ingest/record.ts";

/** Names a GRIB2 field. What is left out is not looked at. */
export interface GribSelector {
  kind: "grib2";
  /** Discipline, category, number: GRIB2 code table 4.2. */
  parameter: readonly [number, number, number];
  /** Type of the fixed surface (code table 4.5), its value, and the value of the second surface of a layer. */
  level: { type: number; value?: number; to?: number };
  time: "instant" | "average";
}

/** Names a NetCDF variable, at a height in metres or at the level nearest to the surface. */
export interface NetcdfSelector {
  kind: "netcdf";
  variable: string;
  height?: number;
  /** Values are converted to this unit from the one the file names. */
  unit: "m s-1" | "m" | "s" | "degC" | "hPa" | "degree" | "hPa";
}

export type Selector = GribSelector | NetcdfSelector;

/**
 * Makes a stored field of one step from its decoded inputs.
 *
 * @param inputs One array per selector of `needs`, NaN = missing; the function may overwrite them.
 * @returns Values in the catalog's unit.
 */
export type Conversion = (inputs: readonly Float32Array[]) => Float32Array;

/** One way to a field. */
export interface Choice {
  needs: readonly Selector[];
  convert: Conversion;
  /** What a reader of the archive should know, where this is not the plain way. */
  comment?: string | ((records: readonly FieldRecord[]) => string);
}

export interface FieldRule {
  field: FieldName;
  /** Best first; at each time the first of which every input is there. */
  choices: readonly Choice[];
}

/** A feed: which of its records become which fields of the archive. */
export interface Source {
  name: string;
  /** For people, in the list of sources. */
  title: string;
  /** Where it is published unless the command says otherwise. */
  dataset: DatasetName;
  model: (grid: Grid) => string;
  rules: readonly FieldRule[];
  /** Which step stands for the base time where files name none. */
  namedBy?: "first" | "last";
  /** How long the last step stays valid, seconds. */
  holds?: number;
}

/** Whether a record is the one that a selector names. */
export function matches(selector: Selector, record: FieldRecord): boolean {
  if (selector.kind === "netcdf") {
    if (record.kind !== "netcdf" || record.variable !== selector.variable) return false;
    if (selector.height === undefined) return record.nearestSurface;
    return record.level !== undefined && Math.abs(record.level - selector.height) < 0.01;
  }
  if (record.kind !== "grib2") return false;
  const { discipline, category, parameter, level, level2, time, ensemble } = record.field;
  return (
    discipline === selector.parameter[0] &&
    category === selector.parameter[1] &&
    parameter === selector.parameter[2] &&
    time.kind === selector.time &&
    // One deterministic forecast, not a member of many.
    ensemble === undefined &&
    level.type === selector.level.type &&
    (selector.level.value === undefined || sameLevel(level.value, selector.level.value)) &&
    (selector.level.to === undefined
      ? true
      : level2 !== undefined && sameLevel(level2.value, selector.level.to))
  );
}

/** Level values are decimal fractions in the file: 0.1 of a metre is the finest that is told apart. */
function sameLevel(found: number | undefined, asked: number): boolean {
  return found !== undefined && Math.abs(found - asked) < 0.05;
}

/** Names a GRIB2 field by its parameter, level and kind of time. */
export function grib(
  parameter: GribSelector["parameter"],
  level: GribSelector["level"],
  time: GribSelector["time"] = "instant",
): GribSelector {
  return { kind: "grib2", parameter, level, time };
}

/** Names a NetCDF variable and the unit its values are wanted in. */
export function variable(name: string, unit: NetcdfSelector["unit"], height?: number): NetcdfSelector {
  return { kind: "netcdf", variable: name, unit, height };
}

/** Model and resolution for people: "GFS 0.25°". */
export function modelName(model: string): (grid: Grid) => string {
  return ({ latitude }) => `${model} ${Number(latitude.step.toFixed(3))}°`;
}
