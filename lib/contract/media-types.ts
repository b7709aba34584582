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
export const mapMediaTypes = [
  ...tableMediaTypes,
  "application/vnd.metocean.field+binary",
  "application/x-grib2",
  "application/x-grib2-complex",
] as const;

/** Formats of passages besides JSON. */
export const passageMediaTypes = [
  "text/csv",
  "application/x-netcdf",
  "application/geo+json",
  "application/gpx+xml",
] as const;

interface FormatName {
  name: string;
  /** Of its files, without the dot. */
  extension: string;
  /** It can be read as it is. */
  text?: boolean;
}

/** What people call a format, and how its files end. */
export const mediaTypeNames: Readonly<Record<string, FormatName>> = {
  "application/json": { name: "JSON", extension: "json", text: true },
  "text/csv": { name: "CSV", extension: "csv", text: true },
  "application/x-ndjson": { name: "JSON lines", extension: "ndjson", text: true },
  "application/geo+json": { name: "GeoJSON", extension: "geojson", text: true },
  "application/prs.coverage+json": { name: "CoverageJSON", extension: "covjson", text: true },
  "application/x-netcdf": { name: "NetCDF", extension: "nc" },
  "application/netcdf": { name: "NetCDF", extension: "nc" },
  "application/x-grib2": { name: "GRIB2", extension: "grb2" },
  "application/x-grib2-complex": { name: "GRIB2, complex packing", extension: "grb2" },
  "application/vnd.apache.arrow.stream": { name: "Apache Arrow stream", extension: "arrows" },
  "application/vnd.metocean.field+binary": { name: "frames, binary", extension: "bin" },
  "application/gpx+xml": { name: "GPX", extension: "gpx", text: true },
  "text/calendar": { name: "iCalendar", extension: "ics", text: true },
  "text/plain": { name: "plain words", extension: "txt", text: true },
  "text/event-stream": { name: "server-sent events", extension: "txt", text: true },
};

/** What `?f=` calls a format, for clients that can set a query but no header. */
export const formatNames = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  netcdf: "application/x-netcdf",
  geojson: "application/geo+json",
  gpx: "application/gpx+xml",
  frames: "application/vnd.metocean.field+binary",
  grib2: "application/x-grib2",
  "grib2-complex": "application/x-grib2-complex",
} as const;

/** The same of any media type. */
export function formatOf(type: string): FormatName {
  const known = mediaTypeNames[type];
  if (known) return known;
  if (/[+/]json$/.test(type)) return { name: "JSON", extension: "json", text: true };
  return type.startsWith("text/")
    ? { name: type, extension: "txt", text: true }
    : { name: type, extension: "bin" };
}
