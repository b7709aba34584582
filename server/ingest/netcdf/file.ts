import { createHash } from "node:crypto";
import { type Axis, type Grid, normaliseLongitude } from "@open-metocean/geo/grid";
import { type NodeGrid, tidy } from "@open-metocean/grib2/regrid";

export type AttributeValue = string | number | readonly number[];

export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface Dimension {
  name: string;
  length: number;
}

export interface NetcdfVariable {
  name: string;
  /** Dimensions, the slowest first. */
  dimensions: readonly Dimension[];
  attributes: Attributes;
  /** Whether its values are numbers. Text, compound and opaque variables are listed but cannot be read. */
  numeric: boolean;
  /** Whether stored values are IEEE floats, which have a default fill value if no attribute names one. */
  float: boolean;
}

/** Stored values of one read, row-major, before scale factor and offset. */
export type RawValues =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** Common interface of the readers. Reads are synchronous, because they run in the decode worker. */
export interface NetcdfFile {
  attributes: Attributes;
  variables: ReadonlyMap<string, NetcdfVariable>;
  /**
   * Reads a hyperslab.
   *
   * @param start First index along each dimension.
   * @param count Number along each dimension; the product bounds the memory of the read.
   * @throws DamagedFileError if bytes are missing or cannot be unpacked.
   */
  read(variable: string, start: readonly number[], count: readonly number[]): RawValues;
  /** Decodes the hyperslab that the next `read` of the variable returns, for a store whose codecs are asynchronous. */
  load?(variable: string, start: readonly number[], count: readonly number[]): Promise<void>;
  /**
   * Indices of the steps of a variable that are present; all of them if absent. @param timeAxis Name of its dimension.
   */
  steps?(variable: string, timeAxis: string | undefined): ReadonlySet<number>;
  close(): void;
}

/** The file contradicts its header: it is truncated, or its bytes changed. */
export class DamagedFileError extends Error {
  override readonly name = "DamagedFileError";
}

/** Number of values of a shape. Throws if a dimension is invalid or the product is too large. */
export function cellsOf(shape: readonly number[]): number {
  const cells = shape.reduce((product, length) => product * length, 1);
  if (!Number.isSafeInteger(cells) || shape.some((length) => !(length >= 0))) {
    throw new DamagedFileError(`a variable has the impossible shape ${shape.join(" × ")}`);
  }
  return cells;
}

/** NetCDF's default fill value of floats and doubles, for variables that name none. */
const DEFAULT_FLOAT_FILL = 9.969209968386869e36;

/** The grid of a variable, and how stored rows and columns map to it. */
export interface GridPlacement {
  grid: Grid;
  /** Whether rows are stored north to south. */
  flipRows: boolean;
  /** Whether columns are stored east to west. */
  flipColumns: boolean;
  /**
   * First column of the grid among the stored ones in ascending order of longitude. The others follow, wrapped around.
   */
  firstColumn: number;
}

/** Coordinates are not those of a regular latitude/longitude grid. */
export class IrregularAxisError extends Error {
  override readonly name = "IrregularAxisError";
}

/** Tolerance of a coordinate, as a fraction of the step. Some files have only two decimals. */
const TOLERANCE = 0.02;

/** Relative resolution of a float32 coordinate. */
const FLOAT32 = 2 ** -22;

/**
 * Maps latitude and longitude coordinates of a file to the archive's order: south to north, west to east, with a global
 * grid starting at −180 and without a repeated last column.
 *
 * @param latitudes Degrees north, ascending or descending.
 * @param longitudes Degrees east, in any convention (−180..180, 0..360, 20..380).
 * @throws IrregularAxisError with the reason if the coordinates are not evenly spaced or not on the globe.
 */
export function placeOnGrid(latitudes: ArrayLike<number>, longitudes: ArrayLike<number>): GridPlacement {
  const rows = evenAxis(latitudes, "latitude");
  const columns = evenAxis(longitudes, "longitude");
  const north = rows.axis.start + rows.axis.step * (rows.axis.count - 1);
  const slack = rows.axis.step * TOLERANCE;
  if (rows.axis.start < -90 - slack || north > 90 + slack) {
    throw new IrregularAxisError(`latitude runs from ${rows.axis.start} to ${north}`);
  }
  const { axis, firstColumn } = rollLongitude(columns.axis);
  return {
    grid: { latitude: rows.axis, longitude: axis },
    flipRows: rows.descending,
    flipColumns: columns.descending,
    firstColumn,
  };
}

function evenAxis(values: ArrayLike<number>, name: string): { axis: Axis; descending: boolean } {
  const count = values.length;
  if (count < 2) throw new IrregularAxisError(`${name} has ${count} coordinate${count === 1 ? "" : "s"}`);
  const first = values[0]!;
  const last = values[count - 1]!;
  const step = (last - first) / (count - 1);
  if (!Number.isFinite(step) || step === 0) throw new IrregularAxisError(`${name} has no step`);
  const tolerance = Math.abs(step) * TOLERANCE + Math.max(Math.abs(first), Math.abs(last)) * FLOAT32;
  for (let i = 0; i < count; i++) {
    const off = Math.abs(values[i]! - (first + i * step));
    if (!(off <= tolerance)) {
      throw new IrregularAxisError(
        `${name} is not evenly spaced: ${values[i]} stands where ${(first + i * step).toFixed(5)} belongs`,
      );
    }
  }
  return {
    axis: { start: tidy(Math.min(first, last)), step: tidy(Math.abs(step)), count },
    descending: step < 0,
  };
}

function rollLongitude({ start, step, count }: Axis): { axis: Axis; firstColumn: number } {
  const turn = 360 / step;
  const round = Math.round(turn);
  const closes = Math.abs(turn - round) < 0.1 && count >= round;
  if (!closes) {
    if (step * (count - 1) > 360 - step / 2) {
      throw new IrregularAxisError(`longitude runs over ${(step * (count - 1)).toFixed(3)} degrees`);
    }
    return { axis: { start: tidy(normaliseLongitude(start)), step, count }, firstColumn: 0 };
  }
  if (count > round + 1) throw new IrregularAxisError("longitude goes round the globe more than once");
  // Number of columns from the first stored one to the first at or after −180, with a tolerance.
  const shift = Math.ceil((-180 - start) / step - 1e-3);
  const firstColumn = ((shift % round) + round) % round;
  return {
    axis: { start: tidy(start + (shift * 360) / round), step: 360 / round, count: round },
    firstColumn,
  };
}

/**
 * Copies stored rows to rows of the grid.
 *
 * @param stored One value per stored cell, (latitude, longitude) row-major as in the file, or a part of its rows.
 * @param storedColumns Columns of the file.
 * @param firstRow Index of the first row of `stored` in the file.
 * @param storedRows Rows of the file.
 * @param out The whole grid, owned by the caller; the given rows are written.
 */
export function placeRows(
  placement: GridPlacement,
  stored: Float64Array | Float32Array,
  storedColumns: number,
  firstRow: number,
  storedRows: number,
  out: Float32Array,
): void {
  const columns = placement.grid.longitude.count;
  const rows = stored.length / storedColumns;
  for (let row = 0; row < rows; row++) {
    const toRow = placement.flipRows ? storedRows - 1 - (firstRow + row) : firstRow + row;
    for (let column = 0; column < columns; column++) {
      const ascending = (placement.firstColumn + column) % columns;
      const from = placement.flipColumns ? storedColumns - 1 - ascending : ascending;
      out[toRow * columns + column] = stored[row * storedColumns + from]!;
    }
  }
}

const PRESSURE =
  /^(?:h|k|d|m)?Pa$|^(?:hecto|kilo)?pascals?$|^(?:milli|m|d|deci|k)?b(?:ar)?s?$|^atm(?:osphere)?$/i;
const HEIGHT = /^(?:height|altitude)(?:_above_\w+)?$/;
const DEPTH = /^depth(?:_below_\w+)?$/;

/** Vertical coordinates that are not lengths: pressure, level numbers, and CF's dimensionless ones (appendix D). */
const VERTICAL =
  /^(?:air_pressure|sea_water_pressure|model_level_number)$|^(?:atmosphere|ocean)_\w*coordinate$/;

/** Units of length in metres; each may have a plural s. */
const lengths: ReadonlyMap<string, number> = new Map([
  ["m", 1],
  ["metre", 1],
  ["meter", 1],
  ["km", 1000],
  ["kilometre", 1000],
  ["kilometer", 1000],
  ["cm", 0.01],
  ["ft", 0.3048],
  ["foot", 0.3048],
  ["feet", 0.3048],
  ["fathom", 1.8288],
]);

/** Length of a coordinate's unit in metres; undefined if it is not a length. */
export function metresOf({ attributes }: NetcdfVariable): number | undefined {
  const word = (textOf(attributes.units) ?? "").toLowerCase();
  return lengths.get(word) ?? lengths.get(word.replace(/s$/, ""));
}

/** A vertical axis has neither heights nor depths, or contradicts itself. */
export class LevelUnitsError extends Error {
  override readonly name = "LevelUnitsError";
}

/**
 * The factor that converts a vertical coordinate to heights above the surface in metres, negative for depths. Units,
 * standard name and `positive` decide; without any of them the usual names count, in metres.
 *
 * @throws LevelUnitsError for pressures, level numbers and anything else that is not a length, and for contradictions.
 */
export function heightFactor(variable: NetcdfVariable): number {
  const { name, attributes } = variable;
  const units = textOf(attributes.units) ?? "";
  const standardName = textOf(attributes.standard_name) ?? "";
  const positive = textOf(attributes.positive)?.toLowerCase();
  const isHeight = HEIGHT.test(standardName) || (standardName === "" && /^height/i.test(name));
  const isDepth = DEPTH.test(standardName) || (standardName === "" && /^(?:depth|zlev)$/i.test(name));
  const metres = units === "" && (isHeight || isDepth) ? 1 : metresOf(variable);
  if (metres === undefined) {
    const what = units === "" || units === "1" ? standardName || "no units" : units;
    throw new LevelUnitsError(
      `its vertical axis ${name} (${what}) does not have heights or depths in metres`,
    );
  }
  if (positive !== undefined && positive !== "up" && positive !== "down")
    throw new LevelUnitsError(
      `its vertical axis ${name} is positive "${positive.slice(0, 40)}", not up or down`,
    );
  if (HEIGHT.test(standardName) && positive === "down")
    throw new LevelUnitsError(
      `its vertical axis ${name} is a ${standardName} and says that it grows downwards`,
    );
  if (positive === undefined && !isHeight && !isDepth)
    throw new LevelUnitsError(`its vertical axis ${name} does not say whether it has heights or depths`);
  const isDown = positive === undefined ? isDepth : positive === "down";
  return isDown ? -metres : metres;
}

export type AxisKind = "latitude" | "longitude" | "time" | "level";

export function kindOf({ name, attributes }: NetcdfVariable): AxisKind | undefined {
  const units = textOf(attributes.units) ?? "";
  const standardName = textOf(attributes.standard_name) ?? "";
  // CF has no coordinates that grow southwards or westwards, and files that have some are rare.
  if (/^degrees?_?(south|s|west|w)$/i.test(units)) return undefined;
  if (/^degrees?_?(north|n)$/i.test(units) || standardName === "latitude") return "latitude";
  if (/^degrees?_?(east|e)$/i.test(units) || standardName === "longitude") return "longitude";
  if (/\ssince\s/.test(units) && standardName !== "forecast_reference_time") return "time";
  if (attributes.positive !== undefined || attributes.axis === "Z") return "level";
  // By CF 4.3, units of pressure make a coordinate vertical without any other attribute.
  if (PRESSURE.test(units) || VERTICAL.test(standardName)) return "level";
  if (HEIGHT.test(standardName) || DEPTH.test(standardName)) return "level";
  // Without units and standard name only the usual names remain.
  if (units === "" && /^(lat|latitude)$/i.test(name)) return "latitude";
  if (units === "" && /^(lon|longitude)$/i.test(name)) return "longitude";
  if (/^(?:depth|zlev|height\w*|p?levels?|lev|isobaric\w*|hybrid\w*|sigma\w*)$/i.test(name)) return "level";
  return undefined;
}

/**
 * The coordinates of CF 5.2 that vary along both axes, of a variable whose last two dimensions are rows and columns.
 * Where they also have a time axis (WRF), they do not change in time.
 */
export function curvilinearNodes(file: NetcdfFile, variable: NetcdfVariable): NodeGrid | undefined {
  const [rows, columns] = variable.dimensions.slice(-2);
  const of = (kind: AxisKind) =>
    namedCoordinates(file, variable).find((other) => {
      const own = other.dimensions.slice(-2);
      return kindOf(other) === kind && own[0]?.name === rows?.name && own[1]?.name === columns?.name;
    });
  const [latitude, longitude] = [of("latitude"), of("longitude")];
  if (!latitude || !longitude || !rows || !columns) return undefined;
  const [y, x] = [latitude, longitude].map((one) => {
    const count = one.dimensions.map(({ length }, axis) => (axis < one.dimensions.length - 2 ? 1 : length));
    const start = count.map(() => 0);
    return unpack(file.read(one.name, start, count), readPacking(one));
  }) as [Float64Array, Float64Array];
  return {
    columns: columns.length,
    rows: rows.length,
    key: createHash("sha256").update(x).update(y).digest("hex"),
    eccentricity2: 0,
    at: (column, row) => [x[row * columns.length + column]!, y[row * columns.length + column]!],
  };
}

/** A time along a dimension that has no coordinate of its own name (WRF's XTIME). */
export function auxiliaryTime(file: NetcdfFile, variable: NetcdfVariable): string | undefined {
  return namedCoordinates(file, variable).find(
    (other) =>
      kindOf(other) === "time" &&
      other.dimensions.length === 1 &&
      !file.variables.has(other.dimensions[0]!.name) &&
      variable.dimensions.some(({ name }) => name === other.dimensions[0]!.name),
  )?.name;
}

function namedCoordinates(file: NetcdfFile, { attributes }: NetcdfVariable): NetcdfVariable[] {
  const names = textOf(attributes.coordinates)?.split(/\s+/) ?? [];
  return names.flatMap((name) => file.variables.get(name) ?? []);
}

/** Keeps rows and columns in their stored order. */
export function inOrderOfFile({ columns, rows }: NodeGrid): GridPlacement {
  const grid = {
    latitude: { start: 0, step: 1, count: rows },
    longitude: { start: 0, step: 1, count: columns },
  };
  return { grid, flipRows: false, flipColumns: false, firstColumn: 0 };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value.trim() : undefined;
}

/** Rule by which stored values are unpacked. */
interface Packing {
  scale: number;
  offset: number;
  /** Stored values that mean missing. */
  missing: readonly number[];
  /** Stored values outside this inclusive range are missing too. */
  min: number;
  max: number;
}

/** An attribute that says how values are stored has the wrong type. */
export class PackingError extends Error {
  override readonly name = "PackingError";
}

/**
 * Reads scale factor, offset, fill values and valid range of a variable. By CF they apply to stored values.
 *
 * @throws PackingError for an attribute that is a text, or with which no value can be unpacked.
 */
export function readPacking(variable: NetcdfVariable): Packing {
  const several = (attribute: string) => {
    const value = variable.attributes[attribute];
    if (typeof value === "string")
      throw new PackingError(
        `${attribute} of ${variable.name} is the text "${value.slice(0, 40)}", no number`,
      );
    return numbers(value);
  };
  const one = (attribute: string, otherwise: number) => {
    const [value = otherwise, ...more] = several(attribute);
    if (Number.isNaN(value) || more.length > 0)
      throw new PackingError(`${attribute} of ${variable.name} is ${[value, ...more].join(", ")}`);
    return value;
  };
  const range = several("valid_range");
  if (range.length > 0 && (range.length !== 2 || range.some(Number.isNaN)))
    throw new PackingError(`valid_range of ${variable.name} is ${range.join(", ")}`);
  const named = [...several("_FillValue"), ...several("missing_value")];
  const scale = one("scale_factor", 1);
  const offset = one("add_offset", 0);
  if (scale === 0 || !Number.isFinite(scale) || !Number.isFinite(offset))
    throw new PackingError(`scale_factor and add_offset of ${variable.name} are ${scale} and ${offset}`);
  return {
    scale,
    offset,
    missing: named.length === 0 && variable.float ? [DEFAULT_FLOAT_FILL] : named,
    min: one("valid_min", range[0] ?? Number.NEGATIVE_INFINITY),
    max: one("valid_max", range[1] ?? Number.POSITIVE_INFINITY),
  };
}

/** Unpacks stored values; missing ones become NaN. */
export function unpack(raw: RawValues, { scale, offset, missing, min, max }: Packing): Float64Array {
  // A float32 variable is compared with its fill value as a float32, because files write 9.96921e+36 in either
  // precision.
  const fills = raw instanceof Float32Array ? missing.map(Math.fround) : missing;
  const fill = fills.length > 0 ? fills[0]! : Number.NaN;
  const others = fills.slice(1);
  const values = new Float64Array(raw.length);
  for (let i = 0; i < raw.length; i++) {
    const stored = raw[i]!;
    const absent =
      stored === fill || !(stored >= min && stored <= max) || (others.length > 0 && others.includes(stored));
    values[i] = absent ? Number.NaN : stored * scale + offset;
  }
  return values;
}

export function numbers(value: AttributeValue | undefined): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "string" || value === undefined ? [] : value;
}
