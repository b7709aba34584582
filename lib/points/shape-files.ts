import { readDecimal } from "#lib/decimal.ts";
import { PointListError, usableLists } from "./list-problem.ts";
import { type GpxList, parseXml, soundPoints, type Text, textOf } from "./route-files.ts";
import { lengthKm } from "./schedule.ts";

type Position = readonly [longitude: number, latitude: number];

/** A line or a point of a file of maps. */
interface Shape {
  kind: "line" | "point";
  /** Empty where the file gives none. */
  name: string;
  /** NaN where the file has no number. */
  positions: readonly Position[];
}

/** Folders within folders, and collections within collections, that are looked into. */
const MAX_DEPTH = 20;

/** Longest name of a point, characters. */
const MAX_NAME = 100;

interface Geometry {
  Point?: { coordinates?: Text }[];
  LineString?: { coordinates?: Text }[];
  /** Of the extension `gx`. */
  Track?: { coord?: Text[] }[];
  MultiGeometry?: Geometry[];
  MultiTrack?: Geometry[];
}

interface Container {
  Document?: Container[];
  Folder?: Container[];
  Placemark?: (Geometry & { name?: Text })[];
}

/**
 * Lines and points of a KML file with their names: each line is a route, all points together are waypoints. Polygons, links
 * to other files and styles are not read.
 *
 * @throws PointListError for a file that is not KML, has a document type, or no position.
 */
export function readKml(text: string): GpxList[] {
  const repeated = "Document Folder Placemark Point LineString Track coord MultiGeometry MultiTrack";
  const { kml } = parseXml<{ kml?: Container }>(text, repeated, { unsound: { code: "unsoundKml" } });
  const shapes: Shape[] = [];
  const read = (container: Container | undefined, depth: number) => {
    if (typeof container !== "object" || depth > MAX_DEPTH) return;
    for (const placemark of container.Placemark ?? []) {
      if (typeof placemark === "object") shapes.push(...kmlShapes(placemark, textOf(placemark.name), 0));
    }
    for (const inner of [...(container.Document ?? []), ...(container.Folder ?? [])]) read(inner, depth + 1);
  };
  read(kml, 0);
  return shapesToLists(shapes);
}

function kmlShapes(geometry: Geometry, name: string, depth: number): Shape[] {
  if (typeof geometry !== "object" || depth > MAX_DEPTH) return [];
  const { Point = [], LineString = [], Track = [], MultiGeometry = [], MultiTrack = [] } = geometry;
  return [
    ...Point.map(({ coordinates }): Shape => {
      const [position = [Number.NaN, Number.NaN]] = tuples(textOf(coordinates));
      return { kind: "point", name, positions: [position] };
    }),
    ...[
      ...LineString.map(({ coordinates }) => tuples(textOf(coordinates))),
      ...Track.map(({ coord = [] }) => coord.map((one) => numbers(textOf(one), /\s+/))),
    ].map((positions): Shape => ({ kind: "line", name, positions })),
    ...[...MultiGeometry, ...MultiTrack].flatMap((inner) => kmlShapes(inner, name, depth + 1)),
  ];
}

/** `-5.1,48.5,0 -5.2,48.6,0`: longitude first, the height is left out. */
function tuples(text: string): Position[] {
  // Some programs put a space behind the comma.
  const packed = text.replace(/\s*,\s*/g, ",").trim();
  return packed === "" ? [] : packed.split(/\s+/).map((tuple) => numbers(tuple, ","));
}

function numbers(tuple: string, separator: string | RegExp): Position {
  const [longitude = "", latitude = ""] = tuple.split(separator);
  return [readDecimal(longitude), readDecimal(latitude)];
}

/**
 * Lines and points of GeoJSON (RFC 7946) with their names: each line is a route, all points together are waypoints. The parts
 * of a line that was cut at 180° are one route. Polygons are not read.
 *
 * @throws PointListError for a text that is no GeoJSON, or without a position.
 */
export function readGeojson(text: string): GpxList[] {
  let shapes: Shape[] | undefined;
  try {
    shapes = geojsonShapes(JSON.parse(text), "", 0);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!shapes) throw new PointListError([{ code: "unsoundGeojson" }]);
  return shapesToLists(shapes);
}

/** @returns undefined for an object that is no GeoJSON. */
function geojsonShapes(value: unknown, name: string, depth: number): Shape[] | undefined {
  if (!isObject(value) || depth > MAX_DEPTH) return undefined;
  const { type, coordinates } = value;
  const all = (members: unknown): Shape[] | undefined =>
    Array.isArray(members) ? members.flatMap((one) => geojsonShapes(one, name, depth + 1) ?? []) : undefined;
  switch (type) {
    case "FeatureCollection":
      return all(value.features);
    case "GeometryCollection":
      return all(value.geometries);
    case "Feature":
      return value.geometry === null
        ? []
        : geojsonShapes(value.geometry, titleOf(value.properties), depth + 1);
    case "Point":
      return [{ kind: "point", name, positions: [position(coordinates)] }];
    case "MultiPoint":
      return list(coordinates).map((one) => ({ kind: "point", name, positions: [position(one)] }));
    case "LineString":
      return [{ kind: "line", name, positions: list(coordinates).map(position) }];
    case "MultiLineString":
      return [
        { kind: "line", name, positions: joined(list(coordinates).map((part) => list(part).map(position))) },
      ];
    case "Polygon":
    case "MultiPolygon":
      return [];
    default:
      return undefined;
  }
}

/** Parts as one line; where two of them meet, also across 180°, the place of the cut is left out. */
function joined(parts: readonly Position[][]): Position[] {
  const line: Position[] = [];
  for (const part of parts) {
    const [end, start] = [line.at(-1), part[0]];
    const isCut = end && start && end[1] === start[1] && (end[0] - start[0]) % 360 === 0;
    if (isCut) line.pop();
    line.push(...(isCut ? part.slice(1) : part));
  }
  return line;
}

function position(value: unknown): Position {
  const [longitude, latitude] = list(value);
  const number = (one: unknown) => (typeof one === "number" ? one : Number.NaN);
  return [number(longitude), number(latitude)];
}

function titleOf(properties: unknown): string {
  if (!isObject(properties)) return "";
  const name = properties.name ?? properties.Name ?? properties.title;
  return typeof name === "string" ? name.trim() : "";
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Lines as routes, and all points together as waypoints. Lines of fewer than two points are left out.
 *
 * @throws PointListError where no line and no point has a position.
 */
function shapesToLists(shapes: readonly Shape[]): GpxList[] {
  const lines = shapes.filter(({ kind, positions }) => kind === "line" && positions.length > 1);
  const routes = lines.map(({ name, positions }, index): GpxList => {
    const { points, unread } = soundPoints(positions, ([longitude, latitude]) => ({ latitude, longitude }), {
      kind: "route",
      name,
      number: index + 1,
    });
    return { kind: "route", name, points, km: lengthKm(points), timesLeftOut: false, unread };
  });
  const { points, unread } = soundPoints(
    shapes.filter(({ kind, positions }) => kind === "point" && positions.length > 0),
    ({ name, positions }) => {
      const [longitude, latitude] = positions[0]!;
      return { latitude, longitude, name: name.slice(0, MAX_NAME) || undefined };
    },
    { kind: "waypoints", name: "", number: 1 },
  );
  return usableLists<GpxList>([
    ...routes,
    { kind: "waypoints", name: "", points, km: 0, timesLeftOut: false, unread },
  ]);
}
