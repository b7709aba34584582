import type { StormEntry, StormPlace } from "#lib/contract/storm-form.ts";
import { splitLine, splitRing } from "#lib/geo/antimeridian.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { coneOutline } from "./cone.ts";
import { dangerArea } from "./danger-area.ts";
import type { DangerMethod } from "./danger-methods.ts";
import { averagingMinutes, describeCone, describeDangerArea, notice, provenance } from "./provenance.ts";
import { ofWire, toWire } from "./wire.ts";

type Position = [longitude: number, latitude: number];

type Geometry =
  | { type: "Point"; coordinates: Position }
  | { type: "LineString"; coordinates: Position[] }
  | { type: "MultiLineString"; coordinates: Position[][] }
  | { type: "Polygon"; coordinates: Position[][] }
  | { type: "MultiPolygon"; coordinates: Position[][][] };

export interface StormFeature {
  type: "Feature";
  id: string;
  properties: Record<string, unknown>;
  geometry: Geometry;
}

export interface StormCollection {
  type: "FeatureCollection";
  features: StormFeature[];
  /** One text per storm. */
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
  const danger = dangerArea(entry, method);
  return [
    ...(danger?.outline
      ? [feature("danger-area", areaOf(danger.outline), { method, rule: describeDangerArea(danger) })]
      : []),
    ...(cone ? [feature("cone", areaOf(cone), { radii: describeCone(entry) })] : []),
    ...lines,
    ...observed.map((one, index) => point("observed-point", one, index)),
    ...ahead.map((one, index) => point("forecast-point", one, index)),
  ];
}

function lineOf(line: readonly Place[]): Geometry | undefined {
  if (line.length < 2) return undefined;
  const parts = splitLine(line).map((part) => part.map(positionOf));
  if (parts.length === 0) return undefined;
  return parts.length === 1
    ? { type: "LineString", coordinates: parts[0]! }
    : { type: "MultiLineString", coordinates: parts };
}

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
