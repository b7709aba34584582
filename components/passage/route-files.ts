import type { Plan } from "#lib/contract/plan.ts";
import { splitLine } from "#lib/geo/antimeridian.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { escapeMarkup } from "#lib/markup.ts";
import { legOf } from "#lib/passage/route.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";

type Route = Plan["route"];

/** A leg as a person reads it. */
export interface LegNumbers {
  /** At its start, degrees, TO; undefined for a leg of no length. */
  course: number | undefined;
  miles: number;
}

/** The legs of a route, the first one from the first waypoint to the second. */
export function legNumbers(route: Route): LegNumbers[] {
  return route.slice(1).map((to, index) => {
    const leg = legOf(route[index]!, to, to.leg);
    return { course: leg.miles > 0 ? leg.course(0) : undefined, miles: leg.miles };
  });
}

/** The forms in which a route is saved as a file. */
export const routeFiles = {
  gpx: { type: "application/gpx+xml", write: gpxOf },
  geojson: { type: "application/geo+json", write: geojsonOf },
  csv: { type: "text/csv", write: csvOf },
} as const;

export type RouteFile = keyof typeof routeFiles;

/** Name of a file without what a file system may refuse. */
export function fileName(name: string, extension: RouteFile): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} ._-]+/gu, "-")
    .replace(/^[ .-]+|[ .-]+$/g, "");
  return `${plain || "route"}.${extension}`;
}

/** GPX 1.1: one route. Programs join its points as they do: GPX has no kinds of legs. */
function gpxOf({ name, route }: Plan): string {
  const points = route.map(({ latitude, longitude, name }) => {
    const named = name ? `<name>${escapeMarkup(name)}</name>` : "";
    return `<rtept lat="${latitude}" lon="${longitude}">${named}</rtept>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<gpx version="1.1" creator="${SERVICE_NAME}" xmlns="http://www.topografix.com/GPX/1/1">`,
    `<rte>${name ? `<name>${escapeMarkup(name)}</name>` : ""}`,
    ...points,
    "</rte>",
    "</gpx>",
    "",
  ].join("\n");
}

/** RFC 7946: the line through the waypoints, cut at 180°, with names and kinds of legs in its properties. */
function geojsonOf({ name, route }: Plan): string {
  const parts = splitLine(route).map((part) => part.map(coordinates));
  const [only] = parts;
  const geometry =
    route.length < 2
      ? { type: "MultiPoint", coordinates: route.map(coordinates) }
      : parts.length === 1
        ? { type: "LineString", coordinates: only }
        : { type: "MultiLineString", coordinates: parts };
  const properties = {
    name,
    waypoints: route.map((waypoint) => waypoint.name ?? null),
    legs: route.slice(1).map(({ leg }) => leg),
  };
  return `${JSON.stringify({ type: "FeatureCollection", features: [{ type: "Feature", properties, geometry }] })}\n`;
}

/** Without the digits that cutting the line adds. */
function coordinates({ latitude, longitude }: Place): [longitude: number, latitude: number] {
  return [Math.round(longitude * 1e5) / 1e5, Math.round(latitude * 1e5) / 1e5];
}

/** A row a waypoint; course and length are those of the leg that ends there. */
function csvOf({ route }: Plan): string {
  const legs = legNumbers(route);
  let total = 0;
  const rows = route.map(({ name = "", latitude, longitude, leg }, index) => {
    const before = legs[index - 1];
    total += before?.miles ?? 0;
    const numbers = before
      ? [leg, before.course?.toFixed(1) ?? "", before.miles.toFixed(2), total.toFixed(2)]
      : ["", "", "", total.toFixed(2)];
    return [quoted(name), latitude, longitude, ...numbers].join(",");
  });
  return ["name,latitude,longitude,leg,course_deg,distance_nm,total_nm", ...rows, ""].join("\r\n");
}

/** RFC 4180. A text that a sheet would take for a formula begins with an apostrophe. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
