// Generated from the contract by scripts/client-types.ts. Do not edit.

export type PointMediaType = "text/csv" | "application/x-ndjson" | "application/vnd.apache.arrow.stream" | "application/x-netcdf" | "application/geo+json";

export type MapMediaType = "text/csv" | "application/x-ndjson" | "application/vnd.apache.arrow.stream" | "application/x-netcdf" | "application/vnd.metocean.field+binary" | "application/x-grib2" | "application/x-grib2-complex";

export type PassageMediaType = "text/csv" | "application/x-netcdf" | "application/geo+json" | "application/gpx+xml";
