/** Formats of both kinds of answers besides JSON, by `Accept`. */
const tableMediaTypes = [
  "text/csv",
  "application/x-ndjson",
  "application/vnd.apache.arrow.stream",
  "application/x-netcdf",
] as const;

/** Formats of point answers besides JSON. */
export const pointMediaTypes = [...tableMediaTypes, "application/geo+json"] as const;

/** Formats of 2D answers besides JSON. GeoJSON is only for points: it is no use for a grid. */
export const mapMediaTypes = [...tableMediaTypes, "application/vnd.metocean.field+binary"] as const;

/** Formats of passages besides JSON. */
export const passageMediaTypes = [
  "text/csv",
  "application/x-netcdf",
  "application/geo+json",
  "application/gpx+xml",
] as const;
