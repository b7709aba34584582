// Generated from the contract by scripts/client-types.ts. Do not edit.
import type { Variable } from "./points.ts";

export interface FileRequest {
  /** Nodes farther from a storm's track or a route than asked for are missing. */
  area: {
    type: "box";
    /** [min_latitude, max_latitude]. */
    latitude: [number, number];
    /** [min_longitude, max_longitude]; a minimum greater than the maximum crosses the antimeridian. */
    longitude: [number, number];
  } | {
    type: "storm";
    provider: "jtwc" | "jma";
    /** As in GET /storms; at most 40 characters. */
    id: string;
    /** Around the forecast track, nautical miles; default 300. */
    radius_nm?: number;
  } | {
    type: "route";
    /** Joined by rhumb lines; at most 500. */
    waypoints: {
      /** Degrees north; -90..90. */
      latitude: number;
      /** Degrees east, in the −180..180 convention; -180..180. */
      longitude: number;
    }[];
    /** On either side, nautical miles; default 60. */
    half_width_nm?: number;
  };
  variables: Variable[];
  /** First instant. */
  from: string;
  /** Last instant, at most 31 days later. */
  to: string;
  /** Only instants at whole multiples since midnight UTC; without it all native steps of the variables. */
  step_hours?: 1 | 2 | 3 | 4 | 6 | 8 | 12 | 24;
  /** Only every so many rows and columns of the grid; 1..40; default 1. */
  stride?: number;
  /** Metres above the surface; 10..100; default 10. */
  wind_height?: number;
  /** Default "grib2". */
  format?: "grib2" | "netcdf" | "csv";
  /** Of GRIB2: simple for navigation programs; complex is smaller, and is read by eccodes, cdo, xarray and OpenCPN; default "simple". */
  packing?: "simple" | "complex";
  /** Answers only how large the file will be; default false. */
  estimate?: boolean;
  /** True makes a task of it, whose result is at /task/{task_id}; default false. */
  async?: boolean;
  /** At most 200 characters. */
  task_name?: string;
  /** One mail to the owner of the key when the task ends; default false. */
  receive_mail?: boolean;
}

export interface FileEstimate {
  estimate: {
    /** Default "grib2". */
    format: "grib2" | "netcdf" | "csv";
    /** About; before compression of the transfer. */
    bytes: number;
    /** Steps × rows × columns × fields, against the limits of GET /limits. */
    values: number;
    steps: number;
    rows: number;
    columns: number;
    fields: number;
    /** Can be answered at once. */
    at_once: boolean;
    /** Can be answered by a task. */
    as_task: boolean;
    /** First and last row. */
    latitude: [number, number];
    /** First and last column, west to east. */
    longitude: [number, number];
    /** Distance of rows and of columns, degrees. */
    resolution: [number, number];
    from: string;
    to: string;
  };
}
