import { splitLine, splitRing } from "#lib/geo/antimeridian.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { toWire } from "./wire.ts";

type Position = [longitude: number, latitude: number];

/** A geometry of RFC 7946: cut at 180°. */
export type Geometry =
  | { type: "Point"; coordinates: Position }
  | { type: "LineString"; coordinates: Position[] }
  | { type: "MultiLineString"; coordinates: Position[][] }
  | { type: "Polygon"; coordinates: Position[][] }
  | { type: "MultiPolygon"; coordinates: Position[][][] };

/** @returns undefined for fewer than two places. */
export function lineOf(line: readonly Place[]): Geometry | undefined {
  if (line.length < 2) return undefined;
  const parts = splitLine(line).map((part) => part.map(positionOf));
  if (parts.length === 0) return undefined;
  return parts.length === 1
    ? { type: "LineString", coordinates: parts[0]! }
    : { type: "MultiLineString", coordinates: parts };
}

/** @param ring Closed, counter-clockwise. */
export function areaOf(ring: readonly Place[]): Geometry {
  const parts = splitRing(ring).map((part) => [part.map(positionOf)]);
  return parts.length === 1
    ? { type: "Polygon", coordinates: parts[0]! }
    : { type: "MultiPolygon", coordinates: parts };
}

function positionOf(place: Place): Position {
  const { lat, lon } = toWire(place);
  return [lon, lat];
}
