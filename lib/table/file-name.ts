import type { VariableName } from "#lib/catalog/variables.ts";
import { formatNames, formatOf } from "#lib/contract/media-types.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";

/** What of a request for a file its name tells. */
interface NamedFile {
  area:
    | { type: "box"; latitude: readonly number[]; longitude: readonly number[] }
    | { type: "storm"; id: string }
    | { type: "route" };
  variables: readonly VariableName[];
  /** `YYYY-MM-DDThh:mm:ssZ`. */
  from: string;
  to: string;
  format?: "grib2" | "netcdf" | "csv";
  /** Metres above the surface. */
  wind_height?: number;
}

/** Longest list of variables in a name. */
const MOST_NAMED = 4;

/**
 * A name that tells what is in a file, of the service and of the pages alike: `open-metocean_wind-wave_20261123T06Z_48h_N40N60W030E000.grb2`.
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
  if (area.type === "storm") return area.id.replace(/\W/g, "");
  const side = (degrees: number, letters: string, digits: number) =>
    `${letters[degrees < 0 && Math.round(degrees) !== 0 ? 1 : 0]}${String(Math.abs(Math.round(degrees))).padStart(digits, "0")}`;
  return [
    ...area.latitude.map((degrees) => side(degrees, "NS", 2)),
    ...area.longitude.map((degrees) => side(degrees, "EW", 3)),
  ].join("");
}
