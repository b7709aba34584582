import type { Grid } from "@open-metocean/geo/grid";
import type { NodeGrid } from "@open-metocean/grib2/regrid";
import type { Grib2Field } from "@open-metocean/grib2/sections";

interface Located {
  /** Path as given to the command, or found in the given directory. */
  file: string;
  /**
   * Grid of the record. For values on a grid that is not regular, it is the regular one that they are interpolated to.
   */
  grid: Grid;
  /**
   * Valid time, Unix seconds; for an average or accumulation the end of its window; 0 where the file has no time for
   * it.
   */
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
  /** Direction in which a height or depth grows, where the file states it. */
  positive?: string;
  /**
   * Whether the file has no time for it, so that `validTime` is 0. This is valid only for a field that does not change.
   */
  timeless?: true;
  /** Height above the surface, negative below it, metres; undefined if the variable has no vertical axis. */
  level?: number;
  /** Whether the level is the one of the variable nearest to the surface. */
  nearestSurface: boolean;
  /** Indices of the step and the level in the file. */
  step: number;
  levelIndex: number;
}

/** One field on one grid at one time, which is the unit of decoding. */
export type FieldRecord = GribRecord | NetcdfRecord;

/** The other component of a vector along the columns and rows of a grid, and which of the two this one is. */
export interface Partner {
  record: FieldRecord;
  toward: "east" | "north";
}

/** Meaning of the values of a record that are interpolated to a regular grid. */
export interface Meaning {
  /** Set where the record is a component of a vector along columns or rows, which is turned toward east or north. */
  partner?: Partner;
  /** Whether values are directions in degrees. */
  isDirection?: boolean;
}

/** Something in a file that is not read, and the reason. */
export interface Rejection {
  file: string;
  /** GRIB message number from 1, or NetCDF variable; "file" for the whole file. */
  message: string;
  reason: string;
  /** The rejected NetCDF variable or GRIB2 parameter. If neither is known the rejection counts as damage. */
  variable?: string;
  parameter?: readonly [discipline: number, category: number, number: number];
}

export interface Scan {
  records: FieldRecord[];
  rejected: Rejection[];
  /** Number of GRIB messages; 1 for a NetCDF file. */
  messages: number;
}

/** An open file of a supported format. It is used in the decode worker. */
export interface DataFile {
  path: string;
  scan(): Scan;
  /** Decodes values in the order of `nodes`, where there are some. Throws if the record cannot be decoded. */
  decode(record: FieldRecord): Promise<Float32Array>;
  /** Places of the values of a record that are not on its regular grid. */
  nodes?(record: FieldRecord): NodeGrid | undefined;
  close(): void;
}

/** A key that is equal for grids that agree within about a metre. */
export function gridKey({ latitude, longitude }: Grid): string {
  const part = ({ start, step, count }: Grid["latitude"]) =>
    `${start.toFixed(5)}+${step.toFixed(7)}x${count}`;
  return `${part(latitude)} ${part(longitude)}`;
}
