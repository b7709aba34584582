import type { Grid } from "#lib/field/grid.ts";
import type { ByteRange } from "#server/archive/store.ts";
import type { Packing } from "./packing.ts";
import type { Ensemble, FieldTime, Surface } from "./product.ts";

/** Order of the values of a field in the message, relative to that of `Grid`. */
export interface Scan {
  columns: number;
  rows: number;
  /** Rows run from east to west. */
  westward: boolean;
  /** Columns run from south to north. */
  northward: boolean;
  /** Values are stored column by column, not row by row. */
  byColumn: boolean;
  /** Every second row (or column) runs in the opposite direction. */
  serpentine: boolean;
  /** First column of the grid, counted eastward from the western edge of the message. */
  firstColumn: number;
}

/** One field of a GRIB2 file: its meaning, its grid, and where its values are in the file. */
export interface Grib2Field {
  /** Number of the message in the file, from 1. */
  message: number;
  /** Number of the field in its message, from 1. */
  part: number;
  /** Range of the whole message in the file, bytes. */
  offset: number;
  length: number;
  /** WMO code table 0.0. */
  discipline: number;
  /** WMO code table 4.1. */
  category: number;
  /** WMO code table 4.2. */
  parameter: number;
  /** Originating centre, WMO common code table C-11. */
  centre: number;
  level: Surface;
  /** The other bound of a layer. */
  level2: Surface | undefined;
  /** Start of the forecast, Unix seconds. */
  referenceTime: number;
  time: FieldTime;
  ensemble: Ensemble | undefined;
  /** Of any but a regular grid, the regular one that it is interpolated to. */
  grid: Grid;
  /** Where a grid that is not regular is described, and whether components of vectors are along its columns and rows. */
  projected: { section: ByteRange; isGridRelative: boolean } | undefined;
  scan: Scan;
  packing: Packing;
  /** Number of coded values: the points of the grid, minus those masked by the bitmap. */
  coded: number;
  /** Range of the bitmap in the file, one bit per point; undefined if every point has a value. */
  bitmap: ByteRange | undefined;
  /** Range of the packed values in the file. */
  data: ByteRange;
}
