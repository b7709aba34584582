import type { ViewBox } from "@open-metocean/geo/box";
import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { Feature, FeatureCollection, MultiLineString, Point, Position } from "geojson";
import type { LayerSpecification, Map as MapLibreMap } from "maplibre-gl";
import { mapColours } from "#components/view-state/map-colours.ts";
import { paintLayers } from "#components/view-state/paint-map.ts";
import { labelFont } from "./basemap.ts";
import { viewBoxOf } from "./map-events.ts";
import { addGeojson, endOf, type MapHost, type MapLayer, showLayers } from "./map-layer.ts";

/** Meridians and parallels, as close as the zoom allows, labelled at the left and upper edge. */
export function graticuleMapLayer({ map, element }: MapHost): MapLayer {
  const setLines = addGeojson(map, "graticule");
  const setNames = addGeojson(map, "graticule-names");
  const paint = () => {
    const { graticule: colour, "sea-name": name, halo } = mapColours(element);
    const layers: LayerSpecification[] = [
      {
        id: "graticule-lines",
        type: "line",
        source: "graticule",
        paint: { "line-color": colour, "line-width": 0.5 },
      },
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
        paint: { "text-color": name, "text-halo-color": halo, "text-halo-width": 1.5 },
      },
    ];
    paintLayers(map, layers, () => endOf("graticule"));
  };
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
      if (scene.theme !== last?.theme) paint();
      if (scene.projection !== last?.projection) update();
      if (scene.overlays !== last?.overlays) {
        showLayers(map, ["graticule-lines", "graticule-names"], scene.overlays.includes("graticule"));
      }
    },
    // The map is resized once more after its graphics context was lost, when its sources no longer exist.
    close() {
      map.off("moveend", update);
      map.off("resize", update);
    },
  };
}

/**
 * Distance of the labels from the left edge and from the upper edge (which controls cover), and height of a
 * row, pixels.
 */
const [LEFT, TOP, LINE] = [6, 34, 22];

/** On the flat map labels lie along the edges; on the globe, whose edges are sky, along the middle lines. */
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
  // In the corner, labels of meridians and parallels would overlap.
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

/** Intervals of a chart's graticule, degrees, down to ten minutes. */
const steps = [30, 20, 10, 5, 2, 1, 0.5, 1 / 6];

/** Minimum distance between two lines, pixels. */
const MIN_GAP = 110;

/** Interval of the graticule at a zoom of the map, degrees. */
export function graticuleStep(zoom: number): number {
  const degreesOfPixel = 360 / (512 * 2 ** zoom);
  return steps.findLast((step) => step / degreesOfPixel >= MIN_GAP) ?? 30;
}

/**
 * Intervals of at least this many degrees are drawn over the whole globe, finer ones only around the view.
 */
const WHOLE_GLOBE = 5;

/** Latitude up to which the graticule is drawn, degrees. */
const MAX_LATITUDE = 85;

/** Meridians and parallels every `step` degrees. @param box The view, to which fine steps are limited. */
export function graticule(step: number, box?: ViewBox): Feature<MultiLineString> {
  const whole = step >= WHOLE_GLOBE || !box;
  const south = whole ? -MAX_LATITUDE : Math.max(-MAX_LATITUDE, box.south - step);
  const north = whole ? MAX_LATITUDE : Math.min(MAX_LATITUDE, box.north + step);
  const [west, east] = whole ? [-180, 180 - step / 2] : [box.west - step, box.east + step];
  const coordinates: Position[][] = [];
  for (const longitude of multiples(step, west, east)) {
    coordinates.push([
      [longitude, south],
      [longitude, north],
    ]);
  }
  for (const latitude of multiples(step, Math.max(south, -90 + step), Math.min(north, 90 - step))) {
    // A parallel has several legs, because on the globe MapLibre subdivides each of them along the parallel.
    const legs = whole ? [-180, -90, 0, 90, 180] : [west, (west + east) / 2, east];
    coordinates.push(legs.map((longitude) => [longitude, latitude]));
  }
  return { type: "Feature", properties: {}, geometry: { type: "MultiLineString", coordinates } };
}

/** Multiples of a step from `low` to `high`. */
export function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1);
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(9)));
}

/** Label of a line: `48°N`, `5°30′W`, `180°`. */
export function lineName(degrees: number, axis: "latitude" | "longitude"): string {
  const turned = axis === "longitude" ? normaliseLongitude(degrees) : degrees;
  const minutes = Math.round(Math.abs(turned) * 60);
  const rest = minutes % 60 ? `${String(minutes % 60).padStart(2, "0")}′` : "";
  const side = axis === "latitude" ? (turned < 0 ? "S" : "N") : turned < 0 ? "W" : "E";
  const plain = minutes === 0 || minutes === 180 * 60;
  return `${Math.floor(minutes / 60)}°${rest}${plain ? "" : side}`;
}
