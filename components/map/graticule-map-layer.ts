import type { FeatureCollection, Point } from "geojson";
import type { GeoJSONSource, LngLatBounds, Map as MapLibreMap } from "maplibre-gl";
import { basemapColours } from "./basemap.ts";
import { graticule, graticuleStep, lineName, multiples } from "./graticule.ts";
import { type MapHost, type MapLayer, showLayers, endOf } from "./map-layer.ts";
import { labelFont } from "./names-map-layer.ts";

const empty: FeatureCollection = { type: "FeatureCollection", features: [] };

/** Meridians and parallels as close as the zoom allows, with their names at the left and upper edge. */
export function graticuleMapLayer({ map, element }: MapHost): MapLayer {
  map.addSource("graticule", { type: "geojson", data: empty });
  map.addSource("graticule-names", { type: "geojson", data: empty });
  map.addLayer(
    { id: "graticule-lines", type: "line", source: "graticule", paint: { "line-width": 0.5 } },
    endOf("graticule"),
  );
  map.addLayer(
    {
      id: "graticule-names",
      type: "symbol",
      source: "graticule-names",
      layout: {
        "text-field": ["get", "name"],
        "text-font": labelFont,
        "text-size": 11,
        "text-anchor": ["get", "anchor"],
        "text-offset": ["get", "offset"],
        "text-allow-overlap": true,
      },
      paint: { "text-halo-width": 1.5 },
    },
    endOf("graticule"),
  );
  const set = (name: string, data: GeoJSON.GeoJSON) => (map.getSource(name) as GeoJSONSource).setData(data);
  const update = () => {
    const step = graticuleStep(map.getZoom());
    const bounds = map.getBounds();
    const box = {
      south: bounds.getSouth(),
      north: bounds.getNorth(),
      west: bounds.getWest(),
      east: bounds.getEast(),
    };
    set("graticule", graticule(step, box));
    set("graticule-names", lineNames(map, step, bounds));
  };
  map.on("moveend", update);
  map.on("resize", update);
  update();
  return {
    draw(scene, last) {
      if (scene.projection !== last?.projection) update();
      if (scene.overlays !== last?.overlays) {
        showLayers(map, ["graticule-lines", "graticule-names"], scene.overlays.includes("graticule"));
      }
      if (scene.theme !== last?.theme) {
        const { graticule: line, seaName: text, halo } = basemapColours(element);
        map.setPaintProperty("graticule-lines", "line-color", line);
        map.setPaintProperty("graticule-names", "text-color", text);
        map.setPaintProperty("graticule-names", "text-halo-color", halo);
      }
    },
    // A map whose graphics card was lost is resized once more, without the sources of this part.
    close() {
      map.off("moveend", update);
      map.off("resize", update);
    },
  };
}

/** Room for what lies over the upper edge of the map, and for a line of names below it, pixels. */
const [LEFT, TOP, LINE] = [6, 34, 22];

/** On the flat map names stand along its edges; on the globe, whose edges are sky, along its middle lines. */
function lineNames(map: MapLibreMap, step: number, bounds: LngLatBounds): FeatureCollection<Point> {
  const flat = map.getProjection()?.type !== "globe";
  const edge = flat ? map.unproject([LEFT, TOP]) : map.getCenter();
  const name = (degrees: number, axis: "latitude" | "longitude") => ({
    type: "Feature" as const,
    properties: {
      name: lineName(degrees, axis),
      anchor: axis === "latitude" ? "left" : "top",
      offset: axis === "latitude" ? [0.2, 0] : [0, 0.2],
    },
    geometry: {
      type: "Point" as const,
      coordinates: axis === "latitude" ? [edge.lng, degrees] : [degrees, edge.lat],
    },
  });
  // In the corner the names of meridians and parallels would lie on each other.
  const highest = flat ? map.unproject([LEFT, TOP + LINE]).lat : bounds.getNorth();
  const [south, north] = [Math.max(-85, bounds.getSouth()), Math.min(85, highest)];
  const turn = Math.min(bounds.getEast(), bounds.getWest() + 360 - step);
  return {
    type: "FeatureCollection",
    features: [
      ...multiples(step, south, north).map((degrees) => name(degrees, "latitude")),
      ...multiples(step, bounds.getWest(), turn).map((degrees) => name(degrees, "longitude")),
    ],
  };
}
