import type { ForecastPoint, Quadrants, StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { formatInstant } from "#lib/time.ts";
import { thresholdsOf } from "./arrival-window.ts";
import { coneOutline } from "./cone.ts";
import { dangerArea } from "./danger-area.ts";
import type { DangerMethod } from "./danger-methods.ts";
import { provenance } from "./file-provenance.ts";
import { averagingMinutes } from "./provenance.ts";
import { tenths, toWire } from "./wire.ts";

export const csvParts = ["track", "cone", "danger"] as const;

export type CsvPart = (typeof csvParts)[number];

/**
 * A part of a storm as CSV (RFC 4180): the points of the track, the outline of the cone or the circles of the danger area.
 * Comment lines with `#` give the provenance. Missing values are empty.
 */
export function stormCsv(entry: StormEntry, part: CsvPart, method: DangerMethod = "classic"): string {
  const danger = part === "danger" ? dangerArea(entry, method) : undefined;
  const rows =
    part === "track"
      ? trackRows(entry)
      : part === "cone"
        ? outlineRows(coneOutline(entry))
        : [
            ["fhr", "time", "lat", "lon", "radius_km", "wind_km", "error_km", "wind_estimated"],
            ...(danger?.circles ?? []).map((circle) => [
              circle.fhr,
              formatInstant(circle.time),
              ...position(circle),
              tenths(circle.km),
              tenths(circle.windKm),
              tenths(circle.errorKm),
              circle.estimated,
            ]),
          ];
  const about = provenance(entry, danger).map((line) => `# ${line}`);
  return [...about, ...rows.map((row) => row.map(cell).join(",")), ""].join("\r\n");
}

type Cell = string | number | boolean | null | undefined;

const quadrants = ["ne", "se", "sw", "nw"] as const;

function trackRows(entry: StormEntry): Cell[][] {
  const thresholds = thresholdsOf(entry);
  const minutes = averagingMinutes[entry.provider];
  const radiiOf = (point: TrackPoint) =>
    thresholds.flatMap((threshold) => {
      const radii = (point.wind_radii_km as Record<string, Quadrants | null> | null)?.[`${threshold}kn`];
      return quadrants.map((quadrant) => radii?.[quadrant]);
    });
  const row = (kind: string, point: TrackPoint, { fhr, cone_radius_km }: Partial<ForecastPoint>): Cell[] => [
    kind,
    formatInstant(point.time),
    fhr,
    point.lat,
    point.lon,
    point.vmax_kt,
    minutes,
    point.mslp_hpa,
    point.type,
    point.category,
    point.heading_deg,
    point.speed_kmh,
    ...radiiOf(point),
    cone_radius_km,
  ];
  const head = "kind,time,fhr,lat,lon,vmax_kt,wind_average_min,mslp_hpa,type,category,heading_deg,speed_kmh";
  const radii = thresholds.flatMap((threshold) => quadrants.map((one) => `r${threshold}_${one}_km`));
  return [
    [...head.split(","), ...radii, "cone_radius_km"],
    ...entry.tracks.observed.map((point) => row("observed", point, {})),
    ...(entry.tracks.forecast?.points ?? []).map((point) => row("forecast", point, point)),
  ];
}

function outlineRows(outline: readonly Place[] | null): Cell[][] {
  return [["vertex", "lat", "lon"], ...(outline ?? []).map((place, index) => [index, ...position(place)])];
}

function position(place: Place): [number, number] {
  const { lat, lon } = toWire(place);
  return [lat, lon];
}

function cell(value: Cell): string {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
