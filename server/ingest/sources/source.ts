import type { Grid } from "@open-metocean/geo/grid";
import type { Grib2Field } from "@open-metocean/grib2/sections";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { FieldRecord, NetcdfRecord, Partner } from "#server/ingest/record.ts";

/** A GRIB2 parameter: discipline, category and number (code table 4.2), and its name in the feed's index. */
export interface GribParameter {
  codes: readonly [discipline: number, category: number, number: number];
  element: string;
  /** Other names that the index may have in its place. */
  alternatives?: readonly string[];
  /** Approximate length of one of its messages, bytes. A feed that uses `bytesOfMessages` needs it. */
  bytes?: number;
}

/** A fixed surface. Absent properties match anything. */
interface GribLevel {
  /** Code table 4.5. */
  type: number;
  value?: number;
  /** Value of the second surface of a layer. */
  to?: number;
  /** Words of the level in the feed's index: "10 m above ground". */
  words: string;
}

/** Selects a GRIB2 field. */
export interface GribSelector {
  kind: "grib2";
  parameter: GribParameter;
  level: GribLevel;
  /**
   * Kind of statistic. For an average or an accumulation, which must be of a quantity that is never negative, a
   * conversion gets the mean since the previous step; for an accumulation it is per second.
   */
  time: "instant" | "average" | "accumulation" | "maximum";
  /** Whether values are directions in degrees. */
  isDirection?: boolean;
  /** Direction of a component of a vector, and the selector of the other one if it is known. */
  component?: { toward: Partner["toward"]; other: GribSelector | undefined };
}

/** Units to which the values of files are converted. */
export type Unit = "m s-1" | "m" | "s" | "degC" | "hPa" | "degree" | "%" | "kg m-2 h-1" | "J kg-1";

/** Selects a NetCDF variable at a height in metres, or at the level nearest to the surface. */
interface NetcdfSelector {
  kind: "netcdf";
  variable: string;
  height?: number;
  /**
   * For a component along the columns or rows of the grid: the other component, and the direction to which this one is
   * turned.
   */
  turnedWith?: { variable: string; toward: Partner["toward"] };
  /** Unit to which values are converted from that of the file. */
  unit: Unit;
}

export type Selector = GribSelector | NetcdfSelector;

/**
 * Computes a stored field of one step from its decoded inputs.
 *
 * @param inputs One array per selector of `needs`, NaN = missing; the function may overwrite them.
 * @returns Values in the catalog's unit.
 */
export type Conversion = (inputs: readonly Float32Array[]) => Float32Array;

/** The record that a selector selects at one step. */
export interface PlannedInput {
  selector: Selector;
  record: FieldRecord;
  /** The record of the previous step, by which the window of `record` is reduced. */
  before?: FieldRecord;
  /** The other component, with which a component along the columns or rows of its grid is turned. */
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
  /** Best first. At each time the first one with all inputs is used. */
  choices: readonly Choice[];
}

/** A feed, and the rules by which its records become fields of the archive. */
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
  /** Time for which the last step stays valid, seconds. */
  validFor?: number;
}

/** @param choices Best first. */
export function rule(field: FieldName, ...choices: readonly Choice[]): FieldRule {
  return { field, choices };
}

export function choice(needs: readonly Selector[], convert: Conversion, comment?: Choice["comment"]): Choice {
  return { needs, convert, comment };
}

export function matches(selector: Selector, record: FieldRecord): boolean {
  if (selector.kind === "netcdf") {
    if (record.kind !== "netcdf" || record.variable !== selector.variable) return false;
    if (selector.height === undefined) return record.nearestSurface;
    return record.level !== undefined && Math.abs(record.level - selector.height) < 0.01;
  }
  return record.kind === "grib2" && matchesField(selector, record.field);
}

/** Whether a selector selects a field. Which part of an ensemble the field is does not matter; see `isOfPart`. */
export function matchesField(
  selector: GribSelector,
  { discipline, category, parameter, level, level2, time, periodRange }: Grib2Field,
): boolean {
  return (
    discipline === selector.parameter.codes[0] &&
    category === selector.parameter.codes[1] &&
    parameter === selector.parameter.codes[2] &&
    time.kind === selector.time &&
    // The height of waves whose periods are in a range has the numbers of the height of all waves.
    periodRange === undefined &&
    level.type === selector.level.type &&
    (selector.level.value === undefined || sameLevel(level.value, selector.level.value)) &&
    (selector.level.to === undefined
      ? true
      : level2 !== undefined && sameLevel(level2.value, selector.level.to))
  );
}

/** Whether two levels are equal. They are decimal fractions in the file, and 0.1 m is the finest difference in use. */
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

/** Whether a selector selects directions, whose mean is not that of the numbers. */
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

/** Units as files spell them, in lower case without separators; value · factor + offset is in our unit. */
const spellings: Readonly<
  Record<Unit, readonly (readonly [words: string, factor?: number, offset?: number])[]>
> = {
  "m s-1": [["ms-1 m/s ms^-1 ms**-1 metersecond-1"], ["cms-1 cm/s", 0.01]],
  m: [["m meter meters metre metres"], ["km", 1000], ["cm", 0.01]],
  s: [["s sec second seconds"]],
  degC: [["degc degreec degreesc celsius degreecelsius degreescelsius °c c"], ["k kelvin degk", 1, -273.15]],
  hPa: [["hpa mbar millibar"], ["pa pascal", 0.01]],
  "%": [["% percent"], ["1 fraction", 100]],
  "kg m-2 h-1": [["kgm-2h-1 mm/h mmh-1"], ["kgm-2s-1 kgm**-2s**-1 mm/s mms-1", 3600], ["ms-1", 3_600_000]],
  "J kg-1": [["jkg-1 j/kg jkg**-1 m2s-2"]],
  degree: [["degree degrees deg degreetrue degreestrue °"]],
};

/**
 * Converts the values of a file to one of our units and directions: waves come FROM, heights grow upwards. If the
 * file's metadata states another direction, it is converted.
 *
 * @returns undefined for missing or unknown units, because a guess could be wrong by a factor.
 */
export function conversionFrom(
  { units, standardName = "", positive }: Pick<NetcdfRecord, "units" | "standardName" | "positive">,
  unit: Unit,
): { factor: number; offset: number } | undefined {
  const written = (units ?? "").toLowerCase().replace(/[\s_.]/g, "");
  const known = spellings[unit].find(([words]) => words.split(" ").includes(written));
  if (!known) return undefined;
  const [, factor = 1, offset = 0] = known;
  if (unit === "degree" && /_to_direction$/.test(standardName)) return { factor, offset: offset + 180 };
  const isDown = positive?.toLowerCase() === "down" || /_depth(_|$)|^depth/.test(standardName);
  return unit === "m" && isDown ? { factor: -factor, offset } : { factor, offset };
}

/** Converts by value · factor + offset. */
export function scaled(factor = 1, offset = 0): Conversion {
  return ([values]) => {
    const out = values!;
    if (factor === 1 && offset === 0) return out;
    for (let i = 0; i < out.length; i++) out[i] = out[i]! * factor + offset;
    return out;
  };
}

/** Leaves values unchanged. */
export const unchanged = scaled();

/** Reduces values above a limit to it, because differences of rounded averages may exceed what is possible. */
export function atMost(limit: number): Conversion {
  return ([values]) => {
    const out = values!;
    for (let i = 0; i < out.length; i++) if (out[i]! > limit) out[i] = limit;
    return out;
  };
}

/** The sum of the inputs; missing if one is missing. */
export const sum: Conversion = (inputs) => {
  const out = inputs[0]!;
  for (const other of inputs.slice(1)) {
    for (let i = 0; i < out.length; i++) out[i] = out[i]! + other[i]!;
  }
  return out;
};

/** Eastward (sine) part of the unit vector along a bearing in degrees. */
export const bearingX: Conversion = ([degrees]) => {
  const out = degrees!;
  for (let i = 0; i < out.length; i++) out[i] = Math.sin((out[i]! * Math.PI) / 180);
  return out;
};

/** Northward (cosine) part of the unit vector along a bearing in degrees. */
export const bearingY: Conversion = ([degrees]) => {
  const out = degrees!;
  for (let i = 0; i < out.length; i++) out[i] = Math.cos((out[i]! * Math.PI) / 180);
  return out;
};

/**
 * A component of the wind, from its speed and the direction in degrees that it comes FROM.
 *
 * @param toward Sense of the component.
 */
export function windToward(toward: "east" | "north"): Conversion {
  return ([speed, from]) => {
    const out = speed!;
    for (let i = 0; i < out.length; i++) {
      const radians = (from![i]! * Math.PI) / 180;
      out[i] = -out[i]! * (toward === "east" ? Math.sin(radians) : Math.cos(radians));
    }
    return out;
  };
}

/** Depth below the sea surface, positive down, from height above it; missing on land. */
export const depthBelow: Conversion = ([heights]) => {
  const out = heights!;
  for (let i = 0; i < out.length; i++) out[i] = out[i]! < 0 ? -out[i]! : Number.NaN;
  return out;
};

/**
 * Combined significant height of several partitions: their energies (heights squared) add up. A partition missing at a
 * cell has no energy there; if all are missing, the result is missing.
 *
 * @param heights One array per partition, m.
 */
export const combinedHeight: Conversion = (heights) => {
  const out = new Float32Array(heights[0]!.length);
  for (let i = 0; i < out.length; i++) {
    let energy = Number.NaN;
    for (const height of heights) {
      const value = height[i]!;
      if (!Number.isNaN(value)) energy = (Number.isNaN(energy) ? 0 : energy) + value * value;
    }
    out[i] = Math.sqrt(energy);
  }
  return out;
};

/** Mean of the partitions' periods, weighted by energy. Inputs: height and period, for each partition. */
export const combinedPeriod: Conversion = (inputs) => {
  const out = new Float32Array(inputs[0]!.length);
  for (let i = 0; i < out.length; i++) {
    let weighted = 0;
    let energy = 0;
    for (let partition = 0; partition < inputs.length; partition += 2) {
      const height = inputs[partition]![i]!;
      const period = inputs[partition + 1]![i]!;
      // A partition without height or period adds nothing. NaN compares false.
      if (height > 0 && !Number.isNaN(period)) {
        energy += height * height;
        weighted += height * height * period;
      }
    }
    out[i] = energy > 0 ? weighted / energy : Number.NaN;
  }
  return out;
};

/**
 * Mean direction of the partitions as a unit vector: their directions weighted by energy.
 * Inputs: height and direction (degrees) for each partition.
 *
 * @param part "x" for the eastward (sine), "y" for the northward (cosine) part.
 */
export function combinedDirection(part: "x" | "y"): Conversion {
  return (inputs) => {
    const out = new Float32Array(inputs[0]!.length);
    for (let i = 0; i < out.length; i++) {
      let x = 0;
      let y = 0;
      for (let partition = 0; partition < inputs.length; partition += 2) {
        const height = inputs[partition]![i]!;
        const radians = (inputs[partition + 1]![i]! * Math.PI) / 180;
        if (height > 0 && !Number.isNaN(radians)) {
          x += height * height * Math.sin(radians);
          y += height * height * Math.cos(radians);
        }
      }
      const length = Math.hypot(x, y);
      out[i] = length > 0 ? (part === "x" ? x : y) / length : Number.NaN;
    }
    return out;
  };
}

/**
 * The stored fields of a wave system, each with its choices. @param direction Returns the choices of a component of the
 * direction.
 */
export function waveRules(
  system: "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave",
  height: readonly Choice[],
  period: readonly Choice[],
  direction: (part: "x" | "y") => readonly Choice[],
): FieldRule[] {
  return [
    rule(`${system}_significant_height`, ...height),
    rule(`${system}_mean_period`, ...period),
    rule(`${system}_from_direction_x`, ...direction("x")),
    rule(`${system}_from_direction_y`, ...direction("y")),
  ];
}

/** Choices for the direction of waves that a file has in degrees FROM. */
export function bearing(selector: Selector, comment?: string): (part: "x" | "y") => Choice[] {
  const directions = selector.kind === "grib2" ? { ...selector, isDirection: true } : selector;
  return (part) => [choice([directions], part === "x" ? bearingX : bearingY, comment)];
}
