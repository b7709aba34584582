import type { Grid } from "@open-metocean/geo/grid";
import { type NodeGrid, regularGridFor } from "@open-metocean/grib2/regrid";
import {
  type AxisKind,
  auxiliaryTime,
  cellsOf,
  curvilinearNodes,
  DamagedFileError,
  type GridPlacement,
  heightFactor,
  IrregularAxisError,
  inOrderOfFile,
  kindOf,
  LevelUnitsError,
  metresOf,
  type NetcdfFile,
  type NetcdfVariable,
  PackingError,
  placeOnGrid,
  placeRows,
  readPacking,
  textOf,
  unpack,
} from "./file.ts";

/** A variable on a latitude/longitude grid, with what is needed to read any of its steps and levels. */
export interface GriddedVariable {
  name: string;
  standardName?: string;
  /** Units as written in the file, if any. */
  units?: string;
  /** Grid of the variable. For a curvilinear grid, it is the regular one that the values are interpolated to. */
  grid: Grid;
  /** Direction in which a height or depth grows. */
  positive?: string;
  /** Valid times of a time axis or of a scalar coordinate, Unix seconds; undefined where the file has none. */
  times?: number[];
  timeAxis?: string;
  /** Heights above the surface, negative below it, metres; undefined without a vertical axis or scalar coordinate. */
  levels?: number[];
}

/** A variable that looks like a field but is not read, and the reason. */
interface RejectedVariable {
  variable: string;
  reason: string;
}

/** Number of cells that are read at once. It limits the memory of a step besides its result. */
const MAX_CELLS_PER_READ = 1 << 21;

interface Layout extends GriddedVariable {
  variable: NetcdfVariable;
  nodes?: NodeGrid;
  /** Maps rows and columns of the file to the grid. */
  placement: GridPlacement;
  axes: { time: number; level: number; latitude: number; longitude: number };
}

/**
 * Reads a NetCDF file by the CF conventions.
 *
 * Coordinates are recognised by units, by standard name or, without both, by their usual names.
 */
export class CfFile {
  readonly gridded: readonly GriddedVariable[];
  readonly rejected: readonly RejectedVariable[];
  /** Base time that the file itself names, Unix seconds. */
  readonly referenceTime: number | undefined;
  private readonly file: NetcdfFile;
  private readonly layouts = new Map<string, Layout>();

  constructor(file: NetcdfFile) {
    this.file = file;
    const rejected: RejectedVariable[] = [];
    for (const variable of file.variables.values()) {
      const layout = this.layoutOrReason(variable);
      if (typeof layout === "string") rejected.push({ variable: variable.name, reason: layout });
      else if (layout) this.layouts.set(variable.name, layout);
    }
    this.gridded = [...this.layouts.values()];
    this.rejected = rejected;
    this.referenceTime = this.namedReferenceTime(rejected);
  }

  /**
   * Decodes one step of one level.
   *
   * @param level Index into `levels`; 0 without levels.
   * @returns Values in the file's units, (nLat, nLon) row-major, south to north, west to east; NaN = missing. Values of
   *   a curvilinear grid are in the order of its nodes.
   */
  readStep(name: string, step: number, level: number): Float32Array {
    const { variable, placement, axes } = this.layoutNamed(name);
    const { grid } = placement;
    const storedRows = variable.dimensions[axes.latitude]!.length;
    const storedColumns = variable.dimensions[axes.longitude]!.length;
    const out = new Float32Array(cellsOf([grid.latitude.count, grid.longitude.count]));
    const mask = readPacking(variable);
    const { start, count } = this.blockOf(name, step, level);
    const rowsPerRead = this.file.load
      ? storedRows
      : Math.max(1, Math.floor(MAX_CELLS_PER_READ / storedColumns));
    for (let row = 0; row < storedRows; row += rowsPerRead) {
      start[axes.latitude] = row;
      count[axes.latitude] = Math.min(rowsPerRead, storedRows - row);
      const values = unpack(this.file.read(name, start, count), mask);
      const rowMajor =
        axes.latitude < axes.longitude ? values : transposed(values, storedColumns, count[axes.latitude]!);
      placeRows(placement, rowMajor, storedColumns, row, storedRows, out);
    }
    return out;
  }

  /** Places of the values of a curvilinear grid; undefined for a regular one. */
  nodes(name: string): NodeGrid | undefined {
    return this.layoutNamed(name).nodes;
  }

  /** The hyperslab of one step of one level, as `readStep` reads it. */
  blockOf(name: string, step: number, level: number): { start: number[]; count: number[] } {
    const { variable, axes } = this.layoutNamed(name);
    return {
      start: variable.dimensions.map((_, axis) =>
        axis === axes.time ? step : axis === axes.level ? level : 0,
      ),
      count: variable.dimensions.map(({ length }, axis) =>
        axis === axes.latitude || axis === axes.longitude ? length : 1,
      ),
    };
  }

  close(): void {
    this.file.close();
  }

  private layoutNamed(name: string): Layout {
    const layout = this.layouts.get(name);
    if (!layout) throw new DamagedFileError(`the file has no field ${name}`);
    return layout;
  }

  /** The layout of a field; the reason if it is not read; undefined if the variable is not a field. */
  private layoutOrReason(variable: NetcdfVariable): Layout | string | undefined {
    try {
      return this.layoutOf(variable);
    } catch (error) {
      if (isUnreadable(error)) return error.message;
      throw error;
    }
  }

  private layoutOf(variable: NetcdfVariable): Layout | string | undefined {
    const { dimensions } = variable;
    if (this.isCoordinate(variable) || dimensions.length === 0) return undefined;
    const kinds = dimensions.map(({ name }) => this.axisKind(name));
    const nodes = kinds.includes("latitude") ? undefined : curvilinearNodes(this.file, variable);
    // Rows and columns are the last two dimensions.
    if (nodes) kinds.splice(-2, 2, "latitude", "longitude");
    const latitude = kinds.indexOf("latitude");
    const longitude = kinds.indexOf("longitude");
    if (latitude < 0 || longitude < 0) return this.reasonWithoutGrid(variable);
    const timeName = auxiliaryTime(this.file, variable);
    if (timeName)
      kinds[
        dimensions.findIndex(({ name }) => name === this.file.variables.get(timeName)!.dimensions[0]!.name)
      ] = "time";
    if (!variable.numeric) return "its values are not plain numbers of this file";
    if (textOf(variable.attributes._Unsigned)?.toLowerCase() === "true")
      return "its integers are stored with their sign bit borrowed";
    const time = kinds.indexOf("time");
    const level = kinds.indexOf("level");
    const other = kinds.findIndex((kind, axis) => kind === undefined && dimensions[axis]!.length !== 1);
    if (other >= 0) return `its dimension ${dimensions[other]!.name} is neither time nor height`;
    if (kinds.indexOf("level", level + 1) > level) return "it has more than one vertical axis";
    if (dimensions.some(({ length }) => length === 0)) return "it is empty";
    readPacking(variable);
    const placement = nodes
      ? inOrderOfFile(nodes)
      : placeOnGrid(
          this.coordinates(dimensions[latitude]!.name),
          this.coordinates(dimensions[longitude]!.name),
        );
    const grid = nodes ? regularGridFor(nodes) : placement.grid;
    if (!grid) return "curvilinear grid: its coordinates are missing somewhere, or not on the globe";
    return {
      name: variable.name,
      standardName: textOf(variable.attributes.standard_name),
      units: textOf(variable.attributes.units),
      grid,
      nodes,
      positive: textOf(variable.attributes.positive),
      times: this.times(timeName ?? dimensions[time]?.name ?? this.scalarTime(variable)),
      timeAxis: dimensions[time]?.name,
      levels: this.levels(dimensions[level]?.name ?? this.scalarCoordinate(variable, "level")),
      variable,
      placement,
      axes: { time, level, latitude, longitude },
    };
  }

  private reasonWithoutGrid(variable: NetcdfVariable): string | undefined {
    if (variable.dimensions.length < 2) return undefined;
    const names = variable.dimensions.map(({ name }) => name).join(", ");
    return `no latitude and longitude coordinates among its dimensions (${names})`;
  }

  private isCoordinate({ name, dimensions }: NetcdfVariable): boolean {
    const kind = kindOf(this.file.variables.get(name)!);
    if (kind === "latitude" || kind === "longitude") return true;
    return dimensions.length === 1 && (dimensions[0]!.name === name || kind !== undefined);
  }

  private axisKind(dimension: string): AxisKind | undefined {
    const variable = this.file.variables.get(dimension);
    if (variable?.dimensions.length !== 1 || !variable.numeric) return undefined;
    // A length that is not a coordinate of a projection, whose axes are the last two, is a height or a depth.
    return kindOf(variable) ?? (metresOf(variable) === undefined ? undefined : "level");
  }

  /** The coordinate with one value that a variable or, for all of its variables, the file names (CF 5.7). */
  private scalarCoordinate({ attributes }: NetcdfVariable, kind: AxisKind): string | undefined {
    const named = `${textOf(attributes.coordinates) ?? ""} ${textOf(this.file.attributes.coordinates) ?? ""}`;
    return named.split(/\s+/).find((name) => this.isScalar(name, kind));
  }

  /**
   * The scalar time of a variable. Writers often forget to name it, so the only time of a file counts for all fields.
   */
  private scalarTime(variable: NetcdfVariable): string | undefined {
    const named = this.scalarCoordinate(variable, "time");
    if (named !== undefined) return named;
    const times = [...this.file.variables.values()].filter((other) => kindOf(other) === "time");
    return times.length === 1 && this.isScalar(times[0]!.name, "time") ? times[0]!.name : undefined;
  }

  private isScalar(name: string, kind: AxisKind): boolean {
    const variable = this.file.variables.get(name);
    return (
      variable?.numeric === true &&
      variable.dimensions.every(({ length }) => length === 1) &&
      kindOf(variable) === kind
    );
  }

  /** All values of a variable with at most one dimension. */
  private coordinates(name: string): Float64Array {
    const variable = this.file.variables.get(name)!;
    const start = variable.dimensions.map(() => 0);
    const count = variable.dimensions.map(({ length }) => length);
    return unpack(this.file.read(name, start, count), readPacking(variable));
  }

  private levels(name: string | undefined): number[] | undefined {
    if (name === undefined) return undefined;
    const factor = heightFactor(this.file.variables.get(name)!);
    // The `|| 0` avoids −0 for the surface.
    return Array.from(this.coordinates(name), (value) => value * factor || 0);
  }

  private times(name: string | undefined): number[] | undefined {
    if (name === undefined) return undefined;
    const toUnix = this.timeReader(name);
    return Array.from(this.coordinates(name), (value) => {
      const time = toUnix(value);
      if (!Number.isSafeInteger(time)) throw new DamagedFileError(`a time of ${name} is ${value}`);
      return time;
    });
  }

  /** Returns a function that converts values of a time variable to Unix seconds, rounded. @throws TimeUnitsError */
  private timeReader(name: string): (value: number) => number {
    const { attributes } = this.file.variables.get(name)!;
    const { since, seconds } = readTimeUnits(textOf(attributes.units) ?? "", textOf(attributes.calendar));
    return (value) => Math.round(since + value * seconds);
  }

  /** The base time that a variable names or, failing that, the file's attributes of WRF or `bulletin_date`. */
  private namedReferenceTime(rejected: RejectedVariable[]): number | undefined {
    for (const { name, attributes, numeric } of this.file.variables.values()) {
      if (attributes.standard_name !== "forecast_reference_time" || !numeric) continue;
      const time = this.referenceTimeOf(name);
      if (typeof time === "number") return time;
      // Fields have valid times of their own, so they are still read.
      rejected.push({ variable: name, reason: time });
    }
    const named = this.wrfStart() ?? textOf(this.file.attributes.bulletin_date) ?? "";
    const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:[ T_](\d{2}):(\d{2}):(\d{2}))?/.exec(named);
    if (!match) return undefined;
    const [, year, month, day, hour = "0", minute = "0", second = "0"] = match;
    return Date.UTC(+year!, +month! - 1, +day!, +hour, +minute, +second) / 1000;
  }

  /** The start of a WRF run. After a restart the two attributes differ, and either may be the base time of the run. */
  private wrfStart(): string | undefined {
    const { START_DATE, SIMULATION_START_DATE } = this.file.attributes;
    const [start, simulation] = [textOf(START_DATE), textOf(SIMULATION_START_DATE)];
    return start === undefined || simulation === undefined || start === simulation
      ? (start ?? simulation)
      : undefined;
  }

  /** The first value of a reference time variable, Unix seconds; or the reason why it cannot be read. */
  private referenceTimeOf(name: string): number | string {
    const variable = this.file.variables.get(name)!;
    try {
      const toUnix = this.timeReader(name);
      const empty = variable.dimensions.some(({ length }) => length === 0);
      const start = variable.dimensions.map(() => 0);
      const count = variable.dimensions.map(() => 1);
      const value = empty ? undefined : unpack(this.file.read(name, start, count), readPacking(variable))[0];
      const time = toUnix(value ?? Number.NaN);
      return Number.isSafeInteger(time) ? time : `no reference time: its value is ${value}`;
    } catch (error) {
      if (isUnreadable(error) || error instanceof DamagedFileError) return error.message;
      throw error;
    }
  }
}

/** Whether an error means that a variable's metadata is not supported; its message is the reason. */
function isUnreadable(error: unknown): error is Error {
  return [IrregularAxisError, TimeUnitsError, LevelUnitsError, PackingError].some(
    (kind) => error instanceof kind,
  );
}

/** Transposes (columns, rows) to (rows, columns). */
function transposed(values: Float64Array, columns: number, rows: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) out[row * columns + column] = values[column * rows + row]!;
  }
  return out;
}

const calendars = ["standard", "gregorian", "proleptic_gregorian"];

/** Names of units of constant length in UDUNITS and cftime; each may have a plural s. */
const unitNames: readonly (readonly [seconds: number, names: string])[] = [
  [1e-6, "microsecond microsec"],
  [1e-3, "millisecond millisec msec ms"],
  [1, "second sec s"],
  [60, "minute min"],
  [3600, "hour hr h"],
  [86_400, "day d"],
];
const unitSeconds = new Map(
  unitNames.flatMap(([seconds, names]) => names.split(" ").map((name) => [name, seconds] as const)),
);

const SINCE =
  /^\s*([a-z]+)\s+since\s+(-?\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?\s*(?:(?:Z|UTC|GMT)|([+-])(\d{1,2}):?(\d{2})?)?\s*$/i;

/** Before this day the "standard" calendar is the Julian calendar. */
const GREGORIAN_REFORM = Date.UTC(1582, 9, 15) / 1000;

/** Time units or a calendar are not supported. */
class TimeUnitsError extends Error {
  override readonly name = "TimeUnitsError";
}

/**
 * Reads CF time units: `hours since 2023-07-20T10:00:00`.
 *
 * @param calendar The `calendar` attribute; CF's default is the standard calendar.
 * @returns Unix seconds of the reference instant, and seconds per unit.
 * @throws TimeUnitsError for months and years, which have no constant length, and for other calendars.
 */
export function readTimeUnits(units: string, calendar = "standard"): { since: number; seconds: number } {
  if (!calendars.includes(calendar.toLowerCase())) {
    throw new TimeUnitsError(`the calendar "${calendar}" is not read (only ${calendars.join(", ")})`);
  }
  const match = SINCE.exec(units);
  const word = match?.[1]?.toLowerCase() ?? "";
  const seconds = unitSeconds.get(word) ?? unitSeconds.get(word.replace(/s$/, ""));
  if (!match || seconds === undefined) throw new TimeUnitsError(`the time units "${units}" are not read`);
  const [
    ,
    ,
    year,
    month,
    day,
    hour = "0",
    minute = "0",
    second = "0",
    sign,
    offHours = "0",
    offMinutes = "0",
  ] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const offset = (sign === "-" ? -1 : 1) * (Number(offHours) * 3600 + Number(offMinutes) * 60);
  const since =
    date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - (sign ? offset : 0);
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) {
    throw new TimeUnitsError(`the time units "${units}" name no real day`);
  }
  if (since < GREGORIAN_REFORM && !calendar.toLowerCase().startsWith("proleptic")) {
    throw new TimeUnitsError(`the time units "${units}" reach into the Julian calendar`);
  }
  return { since, seconds };
}
