import type { GpxList } from "./gpx.ts";
import { PointListError } from "./list-problem.ts";
import { type Shape, shapesToLists } from "./shapes.ts";

type Json = Record<string, unknown>;

/** Collections within collections that are looked into. */
const MAX_DEPTH = 20;

/**
 * Lines and points of GeoJSON (RFC 7946) with their names: each line is a route, all points together are waypoints. The parts
 * of a line that was cut at 180° are one route. Polygons are not read.
 *
 * @throws PointListError for a text that is no GeoJSON, or without a position.
 */
export function readGeojson(text: string): GpxList[] {
  const shapes = shapesOf(parsed(text), "", 0);
  if (!shapes) throw new PointListError([{ code: "unsoundGeojson" }]);
  return shapesToLists(shapes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PointListError([{ code: "unsoundGeojson" }]);
  }
}

/** @returns undefined for an object that is no GeoJSON. */
function shapesOf(value: unknown, name: string, depth: number): Shape[] | undefined {
  if (!isObject(value) || depth > MAX_DEPTH) return undefined;
  const { type, coordinates } = value;
  const all = (list: unknown, named = name): Shape[] | undefined =>
    Array.isArray(list) ? list.flatMap((one) => shapesOf(one, named, depth + 1) ?? []) : undefined;
  switch (type) {
    case "FeatureCollection":
      return all(value.features);
    case "GeometryCollection":
      return all(value.geometries);
    case "Feature":
      return value.geometry === null ? [] : shapesOf(value.geometry, nameOf(value.properties), depth + 1);
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

type Position = readonly [longitude: number, latitude: number];

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

function nameOf(properties: unknown): string {
  if (!isObject(properties)) return "";
  const name = properties.name ?? properties.Name ?? properties.title;
  return typeof name === "string" ? name.trim() : "";
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
