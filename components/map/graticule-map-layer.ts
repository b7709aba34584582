import type { FeatureCollection, Point } from "geojson";
import type { Map as MapLibreMap } from "maplibre-gl";
import { mapColours } from "#components/view-state/map-colours.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { graticule, graticuleStep, lineName, multiples } from "./graticule.ts";
import { labelFont } from "./label-style.ts";
import { viewBoxOf } from "./map-events.ts";
import { addGeojson, endOf, type MapHost, type MapLayer, showLayers } from "./map-layer.ts";

/** Meridians and parallels, as close as the zoom allows, labelled at the left and upper edge. */
export function graticuleMapLayer({ map, element }: MapHost): MapLayer {
  const setLines = addGeojson(map, "graticule");
  const setNames = addGeojson(map, "graticule-names");
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
  const update = () => {
    const step = graticuleStep(map.getZoom());
    const box = viewBoxOf(map);
    setLines(graticule(step, box));
    setNames(lineNames(map, step, box));
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
        const { graticule: line, "sea-name": text, halo } = mapColours(element);
        map.setPaintProperty("graticule-lines", "line-color", line);
        map.setPaintProperty("graticule-names", "text-color", text);
        map.setPaintProperty("graticule-names", "text-halo-color", halo);
      }
    },
    // A map whose graphics context was lost is resized once more, when it has no sources any more.
    close() {
      map.off("moveend", update);
      map.off("resize", update);
    },
  };
}

/** Distance of the labels from the left edge, from the upper edge (which controls cover), and height of a row, pixels. */
const [LEFT, TOP, LINE] = [6, 34, 22];

/** On the flat map labels are placed along its edges; on the globe, whose edges are sky, along its middle lines. */
function lineNames(map: MapLibreMap, step: number, box: ViewBox): FeatureCollection<Point> {
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
  // In the corner the labels of meridians and parallels would overlap.
  const highest = flat ? map.unproject([LEFT, TOP + LINE]).lat : box.north;
  const [south, north] = [Math.max(-85, box.south), Math.min(85, highest)];
  const east = Math.min(box.east, box.west + 360 - step);
  return {
    type: "FeatureCollection",
    features: [
      ...multiples(step, south, north).map((degrees) => name(degrees, "latitude")),
      ...multiples(step, box.west, east).map((degrees) => name(degrees, "longitude")),
    ],
  };
}
