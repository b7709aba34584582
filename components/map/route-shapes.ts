import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { boxOfPlaces } from "#lib/geo/box.ts";
import { unwrappedLine } from "#lib/geo/unwrap.ts";
import type { SceneRoute } from "./scene.ts";

/** Property `kind` of a shape. */
export type RouteShape = "line" | "points";

/** Markers of the points, and the line that joins those of a route, across the antimeridian without a jump. */
export function routeShapes({ points, isRoute }: SceneRoute): GeoJSON.FeatureCollection {
  const coordinates = unwrappedLine(points).map(({ latitude, longitude }) => [longitude, latitude]);
  const feature = (kind: RouteShape, geometry: GeoJSON.Geometry) => ({
    type: "Feature" as const,
    properties: { kind },
    geometry,
  });
  return {
    type: "FeatureCollection",
    features: [
      ...(isRoute ? [feature("line", { type: "LineString", coordinates })] : []),
      feature("points", { type: "MultiPoint", coordinates }),
    ],
  };
}

/** The box that all points are in; its east is above 180 where it crosses the antimeridian. undefined for no point. */
export function routeBox({ points }: SceneRoute): ViewBox | undefined {
  const box = boxOfPlaces(points);
  return box && { ...box, east: box.east < box.west ? box.east + 360 : box.east };
}
