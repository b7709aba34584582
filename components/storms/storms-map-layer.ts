import type { ExpressionSpecification, GeoJSONSource, LayerSpecification } from "maplibre-gl";
import { type MapHost, type MapLayer, endOf } from "#components/map/map-layer.ts";
import { labelFont } from "#components/map/names-map-layer.ts";
import { ICON_RATIO, type StormColours, stormIcon, stormIconNames } from "./storm-icons.ts";
import { type ShapeKind, stormShapes } from "./storm-shapes.ts";

/** Layer whose symbols can be picked: a click on one opens its storm. */
export const STORM_LAYER = "storm-centre";

const SOURCE = "storms";

/** Tracks, cones, winds and symbols of storms. */
export function stormsMapLayer({ map, element }: MapHost): MapLayer {
  map.addSource(SOURCE, { type: "geojson", data: { type: "FeatureCollection", features: [] } });
  const painted = new Set<string>();

  const paint = () => {
    const colours = coloursOf(element);
    for (const name of stormIconNames) {
      const image = stormIcon(name, colours);
      if (map.hasImage(name)) map.updateImage(name, image);
      else map.addImage(name, image, { pixelRatio: ICON_RATIO });
    }
    for (const layer of layersIn(colours)) {
      // What is read lies above the names of places, and is placed before them.
      if (!painted.has(layer.id))
        map.addLayer(layer, endOf(layer.type === "symbol" ? "storm-names" : "storms"));
      painted.add(layer.id);
      for (const [property, value] of Object.entries(layer.paint ?? {}))
        map.setPaintProperty(layer.id, property as "line-color", value);
    }
  };

  return {
    draw({ storms, theme }, last) {
      if (theme !== last?.theme) paint();
      if (storms === last?.storms) return;
      const data = storms ? stormShapes(storms) : { type: "FeatureCollection" as const, features: [] };
      (map.getSource(SOURCE) as GeoJSONSource).setData(data);
    },
  };
}

function coloursOf(element: Element): StormColours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--map-${name}`).trim();
  return { storm: token("storm"), ink: token("ink"), halo: token("halo") };
}

/** Strong for the selected storm, quiet for the others. */
const chosen = (strong: number, quiet: number): ExpressionSpecification => [
  "case",
  ["get", "selected"],
  strong,
  quiet,
];

function layersIn({ storm, ink, halo }: StormColours): LayerSpecification[] {
  const of = (kind: ShapeKind) => ({
    source: SOURCE,
    filter: ["==", ["get", "kind"], kind] as ExpressionSpecification,
  });
  const estimated: ExpressionSpecification = ["get", "estimated"];
  return [
    { id: "storm-danger", type: "fill", ...of("danger"), paint: { "fill-color": ink, "fill-opacity": 0.1 } },
    {
      id: "storm-danger-line",
      type: "line",
      ...of("danger"),
      paint: { "line-color": ink, "line-width": 1.5, "line-dasharray": [6, 3] },
    },
    {
      id: "storm-cone",
      type: "fill",
      ...of("cone"),
      paint: { "fill-color": storm, "fill-opacity": chosen(0.18, 0.1) },
    },
    {
      id: "storm-cone-line",
      type: "line",
      ...of("cone"),
      paint: { "line-color": storm, "line-width": chosen(2, 1) },
    },
    {
      id: "storm-radii",
      type: "fill",
      ...of("radii"),
      paint: { "fill-color": storm, "fill-opacity": chosen(0.16, 0.1) },
    },
    {
      id: "storm-radii-halo",
      type: "line",
      ...of("radii"),
      paint: { "line-color": halo, "line-width": chosen(3, 0) },
    },
    {
      id: "storm-radii-line",
      type: "line",
      ...of("radii"),
      paint: { "line-color": storm, "line-width": chosen(1.25, 0.75) },
    },
    {
      id: "storm-box",
      type: "line",
      source: SOURCE,
      filter: ["all", ["==", ["get", "kind"], "box"], ["!", estimated]],
      paint: { "line-color": ink, "line-width": 1.5 },
    },
    {
      id: "storm-box-estimated",
      type: "line",
      source: SOURCE,
      filter: ["all", ["==", ["get", "kind"], "box"], estimated],
      paint: { "line-color": ink, "line-width": 1.5, "line-dasharray": [2, 2] },
    },
    {
      id: "storm-halo",
      type: "line",
      source: SOURCE,
      filter: ["in", ["get", "kind"], ["literal", ["observed", "forecast"]]],
      paint: { "line-color": halo, "line-width": 5 },
    },
    {
      id: "storm-observed",
      type: "line",
      ...of("observed"),
      paint: { "line-color": storm, "line-width": chosen(2.5, 1.75) },
    },
    {
      id: "storm-forecast",
      type: "line",
      ...of("forecast"),
      paint: { "line-color": storm, "line-width": chosen(2.5, 1.75), "line-dasharray": [2, 2] },
    },
    {
      id: "storm-dot",
      type: "circle",
      ...of("dot"),
      paint: {
        "circle-radius": 4,
        "circle-color": halo,
        "circle-stroke-color": storm,
        "circle-stroke-width": 2,
      },
    },
    {
      id: "storm-dot-label",
      type: "symbol",
      ...of("dot"),
      layout: {
        "text-field": ["get", "label"],
        "text-font": labelFont,
        "text-size": 12,
        "text-anchor": "left",
        "text-offset": [0.8, 0],
      },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": 1.5 },
    },
    {
      id: STORM_LAYER,
      type: "symbol",
      ...of("centre"),
      layout: {
        "icon-image": ["get", "icon"],
        "icon-allow-overlap": true,
        "text-field": ["get", "label"],
        "text-font": labelFont,
        "text-size": 13,
        "text-anchor": "top",
        "text-offset": [0, 1.2],
        "text-optional": true,
      },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": 1.75 },
    },
  ];
}
