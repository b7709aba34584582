import type { VariableName } from "#lib/catalog/variables.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";

/** Formats of answers by their names in `?f=`, for clients that can set a query but not a header. */
export const formatNames = {
  json: "application/json",
  csv: "text/csv",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
  netcdf: "application/x-netcdf",
  geojson: "application/geo+json",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  gpx: "application/gpx+xml",
  frames: "application/vnd.metocean.field+binary",
  grib2: "application/x-grib2",
  "grib2-complex": "application/x-grib2-complex",
} as const;

const { csv, ndjson, arrow, netcdf, geojson, xlsx, gpx, frames, grib2 } = formatNames;

export const tableMediaTypes = [csv, ndjson, arrow, netcdf] as const;

/** Formats of point answers besides JSON. */
export const pointMediaTypes = [...tableMediaTypes, geojson, xlsx] as const;

/** Formats of 2D answers besides JSON. GeoJSON is for points only; it cannot describe a grid. */
export const mapMediaTypes = [...tableMediaTypes, frames, grib2, formatNames["grib2-complex"]] as const;

/** Formats of 2D answers that have no place for the names of several models. */
export const oneModelMediaTypes: readonly string[] = [frames, grib2, formatNames["grib2-complex"]];

/** Formats of passages besides JSON. */
export const passageMediaTypes = [csv, netcdf, geojson, gpx] as const;

/** Formats of workability besides JSON. */
export const workabilityMediaTypes = [csv] as const;

interface FormatName {
  name: string;
  /** File extension without the dot. */
  extension: string;
  /** The format is plain text that people can read. */
  text?: boolean;
}

/** Display name and file extension of each format. */
export const mediaTypeNames: Readonly<Record<string, FormatName>> = {
  "application/json": { name: "JSON", extension: "json", text: true },
  "text/csv": { name: "CSV", extension: "csv", text: true },
  "application/x-ndjson": { name: "JSON lines", extension: "ndjson", text: true },
  "application/geo+json": { name: "GeoJSON", extension: "geojson", text: true },
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": { name: "XLSX", extension: "xlsx" },
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

/** Display name and file extension of any media type, known or not. */
export function formatOf(type: string): FormatName {
  const known = mediaTypeNames[type];
  if (known) return known;
  if (/[+/]json$/.test(type)) return { name: "JSON", extension: "json", text: true };
  return type.startsWith("text/")
    ? { name: type, extension: "txt", text: true }
    : { name: type, extension: "bin" };
}

/** The part of a file request that appears in the file's name. */
interface NamedFile {
  area:
    | { type: "box"; latitude: readonly number[]; longitude: readonly number[] }
    | { type: "storm"; id: string }
    | { type: "route" }
    | { type: "points"; points: readonly { latitude: number; longitude: number }[] };
  variables: readonly VariableName[];
  /** `YYYY-MM-DDThh:mm:ssZ`. */
  from: string;
  to: string;
  format?: "grib2" | "netcdf" | "csv" | "xlsx" | "json";
  /** Height of the wind, metres above the surface. */
  wind_height?: number;
}

/** Most variables that a name lists; beyond that it states their number. */
const MOST_NAMED = 4;

/**
 * Name of a file that describes its content, used by the service and the pages:
 * `open-metocean_wind-wave_20261123T06Z_48h_N40N60W030E000.grb2`.
 */
export function fileName({
  area,
  variables,
  from,
  to,
  format = "grib2",
  wind_height: height = 10,
}: NamedFile): string {
  const wind = height === 10 ? "wind" : `wind${height}m`;
  const names = variables.map((name) => (name === "wind" ? wind : name));
  const start = from.replace(/[-:]/g, "");
  const parts = [
    "open-metocean",
    names.length > MOST_NAMED
      ? [`${names.length}variables`, ...names.filter((name) => name === wind && height !== 10)].join("-")
      : names.join("-"),
    start.endsWith("0000Z") ? `${start.slice(0, 11)}Z` : `${start.slice(0, 13)}Z`,
    `${Math.round((parseInstant(to) - parseInstant(from)) / HOUR_S)}h`,
    areaName(area),
  ];
  return `${parts.join("_")}.${formatOf(formatNames[format]).extension}`;
}

function areaName(area: NamedFile["area"]): string {
  if (area.type === "route") return "passage";
  if (area.type === "points" && area.points.length > 1) return `${area.points.length}points`;
  if (area.type === "storm") return area.id.replace(/\W/g, "");
  const side = (degrees: number, letters: string, digits: number) =>
    `${letters[degrees < 0 && Math.round(degrees) !== 0 ? 1 : 0]}${String(Math.abs(Math.round(degrees))).padStart(digits, "0")}`;
  if (area.type === "points")
    return area.points
      .map(({ latitude, longitude }) => side(latitude, "NS", 2) + side(longitude, "EW", 3))
      .join("");
  return [
    ...area.latitude.map((degrees) => side(degrees, "NS", 2)),
    ...area.longitude.map((degrees) => side(degrees, "EW", 3)),
  ].join("");
}
