import type { Grid } from "#lib/field/grid.ts";
import type { Grib2Field } from "#server/ingest/grib2/field.ts";

interface Located {
  /** As the command named it, or found it in the directory it named. */
  file: string;
  grid: Grid;
  /** Valid time, Unix seconds; of an average or accumulation the end of its window; 0 where the field has no time. */
  validTime: number;
  /** Base time of the run, Unix seconds; undefined where the file names none. */
  referenceTime: number | undefined;
}

/** One GRIB2 field. */
interface GribRecord extends Located {
  kind: "grib2";
  field: Grib2Field;
}

/** One step of one level of a NetCDF variable. */
export interface NetcdfRecord extends Located {
  kind: "netcdf";
  variable: string;
  standardName?: string;
  units?: string;
  /** Metres, positive as the file has it; undefined where the variable has no vertical axis. */
  level?: number;
  /** Of the levels of the variable, the one nearest to the surface. */
  nearestSurface: boolean;
  /** Indices of the step and the level in the file. */
  step: number;
  levelIndex: number;
}

/** One field on one grid at one time: what is decoded at once. */
export type FieldRecord = GribRecord | NetcdfRecord;

/** Something in a file that is not read, and why. */
export interface Refusal {
  file: string;
  /** GRIB message number from 1, NetCDF variable; "file" where the whole file is meant. */
  message: string;
  reason: string;
  /** What is lost: a NetCDF variable, or a GRIB2 parameter. Where neither is known it counts as damage. */
  variable?: string;
  parameter?: readonly [discipline: number, category: number, number: number];
}

/** Everything that a file holds. */
export interface Scan {
  records: FieldRecord[];
  refused: Refusal[];
  /** GRIB messages, or 1 for a NetCDF file. */
  envelopes: number;
}

/** An open file of any kind that is read. Runs in the decode worker. */
export interface DataFile {
  path: string;
  scan(): Scan;
  /** Throws where the record cannot be decoded. */
  decode(record: FieldRecord): Float32Array;
  close(): void;
}

/** Grids are one where they agree within a metre. */
export function gridKey({ latitude, longitude }: Grid): string {
  const part = ({ start, step, count }: Grid["latitude"]) =>
    `${start.toFixed(5)}+${step.toFixed(7)}x${count}`;
  return `${part(latitude)} ${part(longitude)}`;
}
