import type { ViewBox } from "@open-metocean/geo/box";
import { boxOfPlaces } from "@open-metocean/geo/box";
import { unwrappedLine } from "@open-metocean/geo/ring";
import { mapColours } from "#components/view-state/map-colours.ts";
import { layersOf, paintLayers } from "#components/view-state/paint-map.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "./map-layer.ts";
import type { SceneRoute } from "./scene.ts";

/** Closest zoom for a whole route, and the padding around it, clear of notices and legend, pixels. */
const MAX_ZOOM = 9;
const PADDING = { top: 90, right: 50, bottom: 110, left: 50 };

/** The points of a task, drawn below the mark of the sampled place. */
export function routeMapLayer({ map, element }: MapHost): MapLayer {
  const setRoute = addGeojson(map, "route");
  const { line, dots } = layersOf("route");
  return {
    draw({ route, theme }, last) {
      if (theme !== last?.theme) {
        const { sample, halo } = mapColours(element);
        const layers = [
          line("route-halo", "line", halo, 5),
          line("route-line", "line", sample, 2),
          dots("route-points", "points", halo, sample, [4, 2]),
        ];
        paintLayers(map, layers, () => endOf("marks"));
      }
      if (route === last?.route) return;
      setRoute(route && routeShapes(route));
      const box = route?.fit && routeBox(route);
      if (!box) return;
      map.fitBounds([box.west, box.south, box.east, box.north], { padding: PADDING, maxZoom: MAX_ZOOM });
    },
  };
}

/**
 * Markers of the points and, for a route, the line that joins them, without a jump across the antimeridian.
 */
export function routeShapes({ points, isRoute }: SceneRoute): GeoJSON.FeatureCollection {
  const coordinates = unwrappedLine(points).map(({ latitude, longitude }) => [longitude, latitude]);
  const feature = (kind: string, geometry: GeoJSON.Geometry) => ({
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

/**
 * The box that contains all points; its east is above 180 if it crosses the antimeridian. undefined if there
 * is no point.
 */
export function routeBox({ points }: SceneRoute): ViewBox | undefined {
  const box = boxOfPlaces(points);
  return box && { ...box, east: box.east < box.west ? box.east + 360 : box.east };
}
