import type { DatasetName } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import type { Grib2Field } from "#server/ingest/grib2/sections.ts";
import type { FieldRecord, NetcdfRecord, Partner } from "#server/ingest/record.ts";

/** A GRIB2 parameter: discipline, category and number (code table 4.2), and its name in the feed's index. */
export interface GribParameter {
  codes: readonly [discipline: number, category: number, number: number];
  element: string;
  /** Other names that the index may have in its place. */
  alternatives?: readonly string[];
}

/** A fixed surface. Absent properties match anything. */
interface GribLevel {
  /** Code table 4.5. */
  type: number;
  value?: number;
  /** Value of the second surface of a layer. */
  to?: number;
  /** Its words in the feed's index: "10 m above ground". */
  words: string;
}

/** Selects a GRIB2 field. */
export interface GribSelector {
  kind: "grib2";
  parameter: GribParameter;
  level: GribLevel;
  /**
   * Kind of statistic. Of an average or an accumulation, which must be of a quantity that is never negative, a conversion
   * gets the mean since the step before; of an accumulation, a second.
   */
  time: "instant" | "average" | "accumulation" | "maximum";
  /** Whether values are directions in degrees. */
  isDirection?: boolean;
  /** Of a component of a vector: which one it is, and what selects the other one, where that is known. */
  component?: { toward: Partner["toward"]; other: GribSelector | undefined };
}

/** Units that values of files are converted to. */
export type Unit = "m s-1" | "m" | "s" | "degC" | "hPa" | "degree" | "%" | "kg m-2 h-1" | "J kg-1";

/** Selects a NetCDF variable at a height in metres, or at the level nearest to the surface. */
interface NetcdfSelector {
  kind: "netcdf";
  variable: string;
  height?: number;
  /** Where it is a component along the columns or rows of the grid: the other one, and which this one is to become. */
  turnedWith?: { variable: string; toward: Partner["toward"] };
  /** Values are converted to this unit from the one the file names. */
  unit: Unit;
}

export type Selector = GribSelector | NetcdfSelector;

/**
 * Makes a stored field of one step from its decoded inputs.
 *
 * @param inputs One array per selector of `needs`, NaN = missing; the function may overwrite them.
 * @returns Values in the catalog's unit.
 */
export type Conversion = (inputs: readonly Float32Array[]) => Float32Array;

/** What a selector selects at one step. */
export interface PlannedInput {
  selector: Selector;
  record: FieldRecord;
  /** The record of the step before, by which the window of `record` is reduced. */
  before?: FieldRecord;
  /** What a component along the columns or rows of its grid is turned with. */
  partner?: Partner;
}

/** One way to derive a field. */
export interface Choice {
  needs: readonly Selector[];
  convert: Conversion;
  /** A note for users of the archive if this is not the standard way. */
  comment?: string | ((inputs: readonly PlannedInput[]) => string);
}

export interface FieldRule {
  field: FieldName;
  /** Best first. At each time the first with all inputs is taken. */
  choices: readonly Choice[];
}

/** A feed, and how its records become fields of the archive. */
export interface Source {
  name: string;
  /** Description in the list of sources. */
  title: string;
  /** Default dataset. */
  dataset: DatasetName;
  model: (grid: Grid) => string;
  rules: readonly FieldRule[];
  /** Step whose valid time is the base time if files name none. */
  baseTimeFrom?: "first" | "last";
  /** How long the last step stays valid after its time, seconds. */
  validFor?: number;
}

/** @param choices Best first. */
export function rule(field: FieldName, ...choices: readonly Choice[]): FieldRule {
  return { field, choices };
}

export function choice(needs: readonly Selector[], convert: Conversion, comment?: Choice["comment"]): Choice {
  return { needs, convert, comment };
}

/** Whether a selector selects a record. */
export function matches(selector: Selector, record: FieldRecord): boolean {
  if (selector.kind === "netcdf") {
    if (record.kind !== "netcdf" || record.variable !== selector.variable) return false;
    if (selector.height === undefined) return record.nearestSurface;
    return record.level !== undefined && Math.abs(record.level - selector.height) < 0.01;
  }
  return record.kind === "grib2" && matchesField(selector, record.field);
}

/** Whether a selector selects a GRIB2 field. */
export function matchesField(
  selector: GribSelector,
  { discipline, category, parameter, level, level2, time, ensemble }: Grib2Field,
): boolean {
  return (
    discipline === selector.parameter.codes[0] &&
    category === selector.parameter.codes[1] &&
    parameter === selector.parameter.codes[2] &&
    time.kind === selector.time &&
    // The deterministic forecast, not a member of an ensemble.
    ensemble === undefined &&
    level.type === selector.level.type &&
    (selector.level.value === undefined || sameLevel(level.value, selector.level.value)) &&
    (selector.level.to === undefined
      ? true
      : level2 !== undefined && sameLevel(level2.value, selector.level.to))
  );
}

/** Level values are decimal fractions in the file; 0.1 m is the finest difference in use. */
function sameLevel(found: number, wanted: number): boolean {
  return Math.abs(found - wanted) < 0.05;
}

/** Selects a GRIB2 field by parameter, level and kind of time. */
export function grib(
  parameter: GribParameter,
  level: GribLevel,
  time: GribSelector["time"] = "instant",
): GribSelector {
  return { kind: "grib2", parameter, level, time };
}

/** Whether a selector selects directions: their mean is not that of the numbers. */
export function isDirection(selector: Selector): boolean {
  return selector.kind === "netcdf" ? selector.unit === "degree" : selector.isDirection === true;
}

/** Selects a NetCDF variable, converted to a unit. */
export function variable(name: string, unit: NetcdfSelector["unit"], height?: number): NetcdfSelector {
  return { kind: "netcdf", variable: name, unit, height };
}

/** Display name of model and resolution: "GFS 0.25°". */
export function modelName(model: string): (grid: Grid) => string {
  return ({ latitude }) => `${model} ${Number(latitude.step.toFixed(3))}°`;
}

/** Units as files spell them, in lower case without separators: value · factor + offset is in our unit. */
const spellings: Readonly<Record<Unit, Readonly<Record<string, { factor?: number; offset?: number }>>>> = {
  "m s-1": {
    "ms-1": {},
    "m/s": {},
    "ms^-1": {},
    "ms**-1": {},
    "metersecond-1": {},
    "cms-1": { factor: 0.01 },
    "cm/s": { factor: 0.01 },
  },
  m: { m: {}, meter: {}, meters: {}, metre: {}, metres: {}, km: { factor: 1000 }, cm: { factor: 0.01 } },
  s: { s: {}, sec: {}, second: {}, seconds: {} },
  degC: {
    degc: {},
    degreec: {},
    degreesc: {},
    celsius: {},
    degreecelsius: {},
    degreescelsius: {},
    "°c": {},
    c: {},
    k: { offset: -273.15 },
    kelvin: { offset: -273.15 },
    degk: { offset: -273.15 },
  },
  hPa: { hpa: {}, mbar: {}, millibar: {}, pa: { factor: 0.01 }, pascal: { factor: 0.01 } },
  "%": { "%": {}, percent: {}, "1": { factor: 100 }, fraction: { factor: 100 } },
  "kg m-2 h-1": {
    "kgm-2h-1": {},
    "mm/h": {},
    "mmh-1": {},
    "kgm-2s-1": { factor: 3600 },
    "kgm**-2s**-1": { factor: 3600 },
    "mm/s": { factor: 3600 },
    "mms-1": { factor: 3600 },
    "ms-1": { factor: 3_600_000 },
  },
  "J kg-1": { "jkg-1": {}, "j/kg": {}, "jkg**-1": {}, "m2s-2": {} },
  degree: { degree: {}, degrees: {}, deg: {}, degreetrue: {}, degreestrue: {}, "°": {} },
};

/**
 * How the values of a file are converted to one of our units and to our sense: directions are those that waves come FROM,
 * heights grow upwards. A file that says otherwise of itself is believed.
 *
 * @returns undefined for missing or unknown units: a guess could be wrong by a factor.
 */
export function conversionFrom(
  { units, standardName = "", positive }: Pick<NetcdfRecord, "units" | "standardName" | "positive">,
  unit: Unit,
): { factor: number; offset: number } | undefined {
  const known = spellings[unit][(units ?? "").toLowerCase().replace(/[\s_.]/g, "")];
  if (!known) return undefined;
  const { factor = 1, offset = 0 } = known;
  if (unit === "degree" && /_to_direction$/.test(standardName)) return { factor, offset: offset + 180 };
  const isDown = positive?.toLowerCase() === "down" || /_depth(_|$)|^depth/.test(standardName);
  return unit === "m" && isDown ? { factor: -factor, offset } : { factor, offset };
}
