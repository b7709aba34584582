import type { Grid } from "#lib/field/grid.ts";
import type { Grib2Field } from "#server/ingest/grib2/sections.ts";
import type { NodeGrid } from "#server/ingest/regrid/regrid.ts";

interface Located {
  /** Path as given to the command, or found in the given directory. */
  file: string;
  /** Grid of the record. For values on a grid that is not regular, it is the regular one that they are interpolated to. */
  grid: Grid;
  /** Valid time, Unix seconds; of an average or accumulation the end of its window; 0 where the file has no time for it. */
  validTime: number;
  /** Base time of the run, Unix seconds; undefined if the file names none. */
  referenceTime: number | undefined;
}

/** One GRIB2 field. */
export interface GribRecord extends Located {
  kind: "grib2";
  field: Grib2Field;
}

/** One step of one level of a NetCDF variable. */
export interface NetcdfRecord extends Located {
  kind: "netcdf";
  variable: string;
  standardName?: string;
  units?: string;
  /** Which way a height or depth grows, where the file says so. */
  positive?: string;
  /** The file has no time for it: `validTime` is 0. Right only for what does not change. */
  timeless?: true;
  /** Height above the surface, negative below it, metres; undefined if the variable has no vertical axis. */
  level?: number;
  /** Whether it is the level of the variable nearest to the surface. */
  nearestSurface: boolean;
  /** Indices of the step and the level in the file. */
  step: number;
  levelIndex: number;
}

/** One field on one grid at one time: the unit of decoding. */
export type FieldRecord = GribRecord | NetcdfRecord;

/** The other component of a vector that is given along the columns and rows of a grid, and which of the two this one is. */
export interface Partner {
  record: FieldRecord;
  toward: "east" | "north";
}

/** Meaning of the values of a record, for those that are interpolated to a regular grid. */
export interface Meaning {
  /** Where the record is a component of a vector along columns or rows: it is turned toward east or north. */
  partner?: Partner;
  /** Whether values are directions in degrees. */
  isDirection?: boolean;
}

/** Something in a file that is not read, and the reason. */
export interface Rejection {
  file: string;
  /** GRIB message number from 1, NetCDF variable; "file" for the whole file. */
  message: string;
  reason: string;
  /** The rejected NetCDF variable or GRIB2 parameter. If neither is known the rejection counts as damage. */
  variable?: string;
  parameter?: readonly [discipline: number, category: number, number: number];
}

/** Content of a file. */
export interface Scan {
  records: FieldRecord[];
  rejected: Rejection[];
  /** GRIB messages, or 1 for a NetCDF file. */
  messages: number;
}

/** An open file of a supported format. Runs in the decode worker. */
export interface DataFile {
  path: string;
  scan(): Scan;
  /** In the order of `nodes`, where there are some. Throws if the record cannot be decoded. */
  decode(record: FieldRecord): Promise<Float32Array>;
  /** Where the values of a record lie that are not on its regular grid. */
  nodes?(record: FieldRecord): NodeGrid | undefined;
  close(): void;
}

/** Equal for grids that agree within about a metre. */
export function gridKey({ latitude, longitude }: Grid): string {
  const part = ({ start, step, count }: Grid["latitude"]) =>
    `${start.toFixed(5)}+${step.toFixed(7)}x${count}`;
  return `${part(latitude)} ${part(longitude)}`;
}
