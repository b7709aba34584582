/** What point answers can be besides JSON, by `Accept`. */
export const pointMediaTypes = [
  "text/csv",
  "application/x-ndjson",
  "application/vnd.apache.arrow.stream",
  "application/x-netcdf",
] as const;

/** What 2D answers can be besides JSON. */
export const mapMediaTypes = [...pointMediaTypes, "application/vnd.metocean.field+binary"] as const;
