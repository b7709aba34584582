import { splitLine } from "@open-metocean/geo/antimeridian";
import type { Place } from "@open-metocean/geo/sphere";
import { strToU8, zipSync } from "fflate";
import type { Plan } from "#lib/contract/passage.ts";
import { escapeMarkup, PASSAGE_NAMESPACE } from "#lib/markup.ts";
import { legOf } from "#lib/passage/route.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";

type Route = Plan["route"];

export interface LegNumbers {
  /** Course at its start, degrees, TO; undefined for a leg of length 0. */
  course: number | undefined;
  miles: number;
}

/** The legs of a route; the first one leads from the first waypoint to the second. */
export function legNumbers(route: Route): LegNumbers[] {
  return route.slice(1).map((to, index) => {
    const leg = legOf(route[index]!, to, to.leg);
    return { course: leg.miles > 0 ? leg.course(0) : undefined, miles: leg.miles };
  });
}

/** The file formats in which a route can be saved. */
export const routeFiles = {
  gpx: { title: "GPX", extension: "gpx", type: "application/gpx+xml", write: gpxOf },
  rtz: { title: "RTZ 1.2", extension: "rtz", type: "application/xml", write: (plan) => rtzOf(plan, "1.2") },
  rtz10: { title: "RTZ 1.0", extension: "rtz", type: "application/xml", write: (plan) => rtzOf(plan, "1.0") },
  rtzp: { title: "RTZP", extension: "rtzp", type: "application/zip", write: rtzpOf },
  geojson: { title: "GeoJSON", extension: "geojson", type: "application/geo+json", write: geojsonOf },
  csv: { title: "CSV", extension: "csv", type: "text/csv", write: csvOf },
} as const satisfies Record<
  string,
  { write(plan: Plan): BlobPart } & Record<"title" | "extension" | "type", string>
>;

/** Name of a file without characters that a file system may refuse. */
export function fileName(name: string, extension: string): string {
  return `${stemOf(name)}.${extension}`;
}

function stemOf(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} ._-]+/gu, "-")
    .replace(/^[ .-]+|[ .-]+$/g, "");
  return plain || "route";
}

/**
 * Writes GPX 1.1 with one route. GPX has no kinds of legs, so programs connect the points in their own way.
 * Gates are extensions of their points, which other programs ignore.
 */
function gpxOf({ name, route }: Plan): string {
  const points = route.map(({ latitude, longitude, name, gate }) => {
    const named = name ? `<name>${escapeMarkup(name)}</name>` : "";
    const gated = gate ? `<extensions><met:gate ${attributesOf(gate)}/></extensions>` : "";
    return `<rtept lat="${latitude}" lon="${longitude}">${named}${gated}</rtept>`;
  });
  const withGates = route.some(({ gate }) => gate) ? ` xmlns:met="${PASSAGE_NAMESPACE}"` : "";
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<gpx version="1.1" creator="${SERVICE_NAME}" xmlns="http://www.topografix.com/GPX/1/1"${withGates}>`,
    `<rte>${name ? `<name>${escapeMarkup(name)}</name>` : ""}`,
    ...points,
    "</rte>",
    "</gpx>",
    "",
  ].join("\n");
}

const attributesOf = (gate: object) =>
  Object.entries(gate)
    // A property that was reset to undefined is left out.
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${escapeMarkup(String(value))}"`)
    .join(" ");

/**
 * Writes RTZ (IEC 61174): the route with its kinds of legs, and a schedule with the departure and a constant
 * speed. The name in the file must equal the file name.
 */
function rtzOf({ name, route, departure, vessel }: Plan, version: "1.0" | "1.2"): string {
  const revision = version === "1.0" ? "" : ' revision="0"';
  // Version 1.0 has this misspelling.
  const element = version === "1.0" ? "sheduleElement" : "scheduleElement";
  const waypoints = route.map(({ latitude, longitude, leg, name }, index) => {
    const named = name ? ` name="${escapeMarkup(name)}"` : "";
    const reached = index > 0 ? `<leg geometryType="${leg === "rhumb" ? "Loxodrome" : "Orthodrome"}"/>` : "";
    return `<waypoint id="${index + 1}"${revision}${named}><position lat="${latitude}" lon="${longitude}"/>${reached}</waypoint>`;
  });
  const speed = vessel?.kind === "fixed" && vessel.speed_kt ? ` speed="${vessel.speed_kt}"` : "";
  const elements = route.flatMap((_, index) => {
    const planned = index === 0 ? departure && ` etd="${departure}"` : speed;
    return planned ? [`<${element} waypointId="${index + 1}"${planned}/>`] : [];
  });
  const schedule = `<schedules><schedule id="1"><manual>${elements.join("")}</manual></schedule></schedules>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<route xmlns="http://www.cirm.org/RTZ/${version.replace(".", "/")}" version="${version}">`,
    `<routeInfo routeName="${escapeMarkup(stemOf(name))}"/>`,
    "<waypoints>",
    ...waypoints,
    "</waypoints>",
    ...(elements.length > 0 ? [schedule] : []),
    "</route>",
    "",
  ].join("\n");
}

function rtzpOf(plan: Plan): Uint8Array<ArrayBuffer> {
  return zipSync({ [fileName(plan.name, "rtz")]: strToU8(rtzOf(plan, "1.2")) });
}

/**
 * Writes GeoJSON (RFC 7946): the line through the waypoints, cut at 180°, with names and kinds of legs as
 * properties.
 */
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

/** Removes the digits that cutting the line adds. */
function coordinates({ latitude, longitude }: Place): [longitude: number, latitude: number] {
  return [Math.round(longitude * 1e5) / 1e5, Math.round(latitude * 1e5) / 1e5];
}

/** Writes one row per waypoint; course and length are those of the leg that ends there. */
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

/**
 * Quotes a cell (RFC 4180). A text that a spreadsheet would take for a formula is prefixed with an
 * apostrophe.
 */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
