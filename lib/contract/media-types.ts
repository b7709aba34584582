/** What both kinds of answers can be besides JSON, by `Accept`. */
const tableMediaTypes = [
  "text/csv",
  "application/x-ndjson",
  "application/vnd.apache.arrow.stream",
  "application/x-netcdf",
] as const;

/** What point answers can be besides JSON. */
export const pointMediaTypes = [...tableMediaTypes, "application/geo+json"] as const;

/** What 2D answers can be besides JSON: GeoJSON is for points, a grid in it would be of no use. */
export const mapMediaTypes = [...tableMediaTypes, "application/vnd.metocean.field+binary"] as const;
