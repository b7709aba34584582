import { splitLine, splitRing } from "@open-metocean/geo/antimeridian";
import type { Place } from "@open-metocean/geo/sphere";
import { coneOutline } from "@open-metocean/storms/cone";
import { type DangerArea, dangerArea } from "@open-metocean/storms/danger";
import type { DangerMethod } from "@open-metocean/storms/providers";
import type {
  ForecastPoint,
  FormationAlert,
  Quadrants,
  StormEntry,
  StormOutlook,
  StormPlace,
  TrackPoint,
} from "@open-metocean/storms/schema";
import { ofWire, tenths, toWire } from "@open-metocean/storms/wire";
import { escapeMarkup } from "#lib/markup.ts";
import { stormCard } from "#lib/messages/generated/en/stormCard.ts";
import { en } from "#lib/messages/generated/en.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { formatInstant } from "#lib/time.ts";
import { thresholdsOf } from "./approach.ts";
import { averagingMinutes, describeCone, describeDangerArea, notice } from "./provenance.ts";

const csvParts = ["track", "cone", "danger"] as const;

type CsvPart = (typeof csvParts)[number];

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

interface StormFeature {
  type: "Feature";
  id: string;
  properties: Record<string, unknown>;
  geometry: Geometry;
}

interface StormCollection {
  type: "FeatureCollection";
  features: StormFeature[];
  /** One text per storm that its user has to know. */
  provenance: string[];
}

/**
 * Storms as GeoJSON (RFC 7946: cut at 180°, rings counter-clockwise): tracks, their points, cones and danger areas.
 * `kind` distinguishes the features; each has provider, averaging period and the notice that it is not for navigation.
 */
export function stormsGeojson(
  entries: readonly StormEntry[],
  method: DangerMethod = "classic",
): StormCollection {
  return {
    type: "FeatureCollection",
    provenance: entries.map((entry) => provenance(entry, dangerArea(entry, method)).join(". ")),
    features: entries.flatMap((entry) => featuresOf(entry, method)),
  };
}

function featuresOf(entry: StormEntry, method: DangerMethod): StormFeature[] {
  const { observed, forecast } = entry.tracks;
  const common = {
    storm: entry.id,
    name: entry.name,
    provider: entry.provider,
    wind_average_minutes: averagingMinutes[entry.provider],
    notice,
  };
  const feature = (kind: string, geometry: Geometry, more: Record<string, unknown> = {}): StormFeature => ({
    type: "Feature",
    id: `${entry.provider}-${entry.id}-${kind}`,
    properties: { kind, ...common, ...more },
    geometry,
  });
  const point = (kind: string, { lat, lon, ...properties }: StormPlace, index: number) =>
    feature(`${kind}-${index}`, { type: "Point", coordinates: [lon, lat] }, { ...properties, kind });
  const ahead = forecast?.points ?? [];
  const lines = (
    [
      ["observed-track", observed],
      ["forecast-track", ahead],
    ] as const
  ).flatMap(([kind, points]) => {
    const geometry = lineOf(points.map(ofWire));
    return geometry ? [feature(kind, geometry)] : [];
  });
  const cone = coneOutline(entry);
  const alert = entry.formation_alert;
  const danger = dangerArea(entry, method);
  return [
    ...(danger?.outline
      ? [
          feature("danger-area", areaOf(danger.outline), {
            method,
            rule: describeDangerArea(danger, english),
          }),
        ]
      : []),
    ...(cone ? [feature("cone", areaOf(cone), { radii: describeCone(entry, english) })] : []),
    ...(alert
      ? [feature("formation-alert", areaOf(alert.corridor.map(ofWire)), alertProperties(alert))]
      : []),
    ...lines,
    ...observed.map((one, index) => point("observed-point", one, index)),
    ...ahead.map((one, index) => point("forecast-point", one, index)),
  ];
}

function alertProperties({ issued_at, valid_until, likelihood, half_width_km, text }: FormationAlert) {
  return { issued_at, valid_until, likelihood, half_width_km, text };
}

/**
 * A storm as GPX 1.1 for plotters: the points of its forecast as waypoints; observed and forecast track, cone and danger
 * area as tracks, cut at 180°, where plotters would otherwise draw a line around the globe.
 */
export function stormGpx(entry: StormEntry, method: DangerMethod = "classic"): string {
  const danger = dangerArea(entry, method);
  const about = provenance(entry, danger);
  const ahead = entry.tracks.forecast?.points ?? [];
  const name = entry.name ?? entry.id;
  const tracks: [string, readonly Place[] | null | undefined][] = [
    [`${name} observed`, entry.tracks.observed.map(ofWire)],
    [`${name} forecast`, ahead.map(ofWire)],
    [`${name} cone`, coneOutline(entry)],
    [`${name} danger area`, danger?.outline],
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<gpx version="1.1" creator="${SERVICE_NAME}" xmlns="http://www.topografix.com/GPX/1/1">`,
    `<metadata><name>${escapeMarkup(about[0]!)}</name><desc>${escapeMarkup(about.slice(1).join(". "))}</desc>` +
      `<time>${formatInstant(entry.generated_at)}</time></metadata>`,
    ...ahead.map((point) => waypoint(point, name, averagingMinutes[entry.provider])),
    ...tracks.flatMap(([title, line]) => (line && line.length > 1 ? [track(title, line)] : [])),
    "</gpx>",
    "",
  ].join("\n");
}

function waypoint(point: ForecastPoint, name: string, minutes: number): string {
  const description = [describeWind(point, minutes), `${point.fhr} h ahead`].join(", ");
  return (
    `<wpt ${attributesOf(ofWire(point))}><time>${formatInstant(point.time)}</time>` +
    `<name>${escapeMarkup(`${name} +${point.fhr} h`)}</name><desc>${escapeMarkup(description)}</desc></wpt>`
  );
}

function describeWind({ vmax_kt, mslp_hpa }: TrackPoint, minutes: number): string {
  const wind = vmax_kt === null ? "wind not given" : `${vmax_kt} kt (${minutes}-minute mean)`;
  return mslp_hpa === null ? wind : `${wind}, ${mslp_hpa} hPa`;
}

function track(title: string, line: readonly Place[]): string {
  const segments = splitLine(line).map(
    (part) => `<trkseg>${part.map((place) => `<trkpt ${attributesOf(place)}/>`).join("")}</trkseg>`,
  );
  return `<trk><name>${escapeMarkup(title)}</name>${segments.join("")}</trk>`;
}

function attributesOf(place: Place): string {
  const { lat, lon } = toWire(place);
  return `lat="${lat}" lon="${lon}"`;
}

/** An area of interest as GeoJSON, without a geometry if neither a polygon nor a place is published. */
interface AreaFeature {
  type: "Feature";
  id: string;
  properties: Record<string, unknown>;
  geometry: Geometry | null;
}

/** Areas of interest as GeoJSON (RFC 7946), each as its polygon, or else its place. */
export function outlooksGeojson(outlooks: readonly StormOutlook[]): {
  type: "FeatureCollection";
  features: AreaFeature[];
} {
  const features = outlooks.flatMap(({ product, agency, issued_at, valid_until, areas }) =>
    areas.map(({ id, polygon, place, winds_kt, ...properties }): AreaFeature => {
      const point: Geometry | null = place ? { type: "Point", coordinates: [place.lon, place.lat] } : null;
      return {
        type: "Feature",
        id: `${agency}-${id}`,
        properties: {
          kind: "area-of-interest",
          product,
          agency,
          issued_at,
          valid_until,
          ...properties,
          winds_min_kt: winds_kt?.min ?? null,
          winds_max_kt: winds_kt?.max ?? null,
          notice,
        },
        geometry: polygon ? areaOf(polygon.map(ofWire)) : point,
      };
    }),
  );
  return { type: "FeatureCollection", features };
}

/** Files and API answers are always in English. */
export const english = { ...en, stormCard };

const agencies = {
  jtwc: "Joint Typhoon Warning Center and National Hurricane Center",
  jma: "Japan Meteorological Agency",
} as const;

/** Facts that the user of an exported file must know, in English; the first line names the storm. */
function provenance(entry: StormEntry, danger?: DangerArea): string[] {
  const { provider, cone, tracks } = entry;
  const minutes = averagingMinutes[provider];
  return [
    `${entry.name ?? "Unnamed"} (${entry.id})`,
    `Provider: ${provider} (${agencies[provider]})`,
    `Winds: ${minutes}-minute means`,
    ...(tracks.forecast ? [`Forecast of ${formatInstant(tracks.forecast.issued_at)}`] : []),
    ...(cone ? [`Cone: ${describeCone(entry, english)}`] : []),
    ...(danger ? [`Danger area: ${describeDangerArea(danger, english)}`] : []),
    `Made ${formatInstant(entry.generated_at)}`,
    notice,
  ];
}

type Position = [longitude: number, latitude: number];

/** A geometry of RFC 7946, cut at 180°. */
type Geometry =
  | { type: "Point"; coordinates: Position }
  | { type: "LineString"; coordinates: Position[] }
  | { type: "MultiLineString"; coordinates: Position[][] }
  | { type: "Polygon"; coordinates: Position[][] }
  | { type: "MultiPolygon"; coordinates: Position[][][] };

/** @returns undefined for fewer than two places. */
function lineOf(line: readonly Place[]): Geometry | undefined {
  if (line.length < 2) return undefined;
  const parts = splitLine(line).map((part) => part.map(positionOf));
  if (parts.length === 0) return undefined;
  return parts.length === 1
    ? { type: "LineString", coordinates: parts[0]! }
    : { type: "MultiLineString", coordinates: parts };
}

/** @param ring Closed, counter-clockwise. */
function areaOf(ring: readonly Place[]): Geometry {
  const parts = splitRing(ring).map((part) => [part.map(positionOf)]);
  return parts.length === 1
    ? { type: "Polygon", coordinates: parts[0]! }
    : { type: "MultiPolygon", coordinates: parts };
}

function positionOf(place: Place): Position {
  const { lat, lon } = toWire(place);
  return [lon, lat];
}
