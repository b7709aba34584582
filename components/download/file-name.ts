import type { FileBody } from "#components/api-client/file-service.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";

const extensions = { grib2: "grb2", netcdf: "nc", csv: "csv" } as const;

/** Longest list of variables in a name. */
const MOST_NAMED = 4;

/** A name that tells what is in a file: `open-metocean_wind-wave_20261123T06Z_48h_N40N60W030E000.grb2`. */
export function fileName({ area, variables, from, to, format = "grib2" }: FileBody): string {
  const start = from.replace(/[-:]/g, "");
  const parts = [
    "open-metocean",
    variables.length > MOST_NAMED ? `${variables.length}variables` : variables.join("-"),
    start.endsWith("0000Z") ? `${start.slice(0, 11)}Z` : `${start.slice(0, 13)}Z`,
    `${Math.round((parseInstant(to) - parseInstant(from)) / HOUR_S)}h`,
    areaName(area),
  ];
  return `${parts.join("_")}.${extensions[format]}`;
}

function areaName(area: FileBody["area"]): string {
  if (area.type === "route") return "passage";
  if (area.type === "storm") return area.id.replace(/\W/g, "");
  const side = (degrees: number, letters: string, digits: number) =>
    `${letters[degrees < 0 && Math.round(degrees) !== 0 ? 1 : 0]}${String(Math.abs(Math.round(degrees))).padStart(digits, "0")}`;
  return [
    ...area.latitude.map((degrees) => side(degrees, "NS", 2)),
    ...area.longitude.map((degrees) => side(degrees, "EW", 3)),
  ].join("");
}
