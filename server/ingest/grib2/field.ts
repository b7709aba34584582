import type { Grid } from "#lib/field/grid.ts";
import type { ByteRange } from "#server/archive/store.ts";
import type { Packing } from "./packing.ts";
import type { Ensemble, FieldTime, Surface } from "./product.ts";

/** How the values of a field are ordered in the message, against the order of `Grid`. */
export interface Scan {
  columns: number;
  rows: number;
  /** Rows run from east to west. */
  westward: boolean;
  /** Columns run from south to north. */
  northward: boolean;
  /** Neighbours in the message are neighbours in a column, not in a row. */
  byColumn: boolean;
  /** Every second row (or column) runs the other way. */
  serpentine: boolean;
  /** Column, counted eastward from the message's own western edge, that is the grid's first one. */
  firstColumn: number;
}

/** One field of a GRIB2 file: what it is, where it holds, and where its numbers are. */
export interface Grib2Field {
  /** Number of the message in the file, from 1. */
  message: number;
  /** Number of the field in its message, from 1. */
  part: number;
  /** Where the whole message is in the file, bytes. */
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
  grid: Grid;
  scan: Scan;
  packing: Packing;
  /** Values that are coded: the points of the grid, less those a bitmap leaves out. */
  coded: number;
  /** Octets of the bitmap in the file, one bit a point; undefined where every point has a value. */
  bitmap: ByteRange | undefined;
  /** Octets of the packed values in the file. */
  data: ByteRange;
}
