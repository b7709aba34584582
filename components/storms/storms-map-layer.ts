import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
} from "maplibre-gl";
import { ICON_RATIO, type StormColours, stormIcon, stormIconNames } from "./storm-icons.ts";
import { type ShapeKind, type StormScene, stormShapes } from "./storm-shapes.ts";

/** Layer of the storm symbols; their property `id` is that of the storm. */
export const STORM_LAYER = "storm-centre";

const SOURCE = "storms";

/** The map that storms are drawn on. */
interface StormMap {
  map: MapLibreMap;
  /** Element with the colour tokens of the theme. */
  element: HTMLElement;
  labelFont: string[];
  /** Ids of the map layers below which areas and lines, and symbols and labels are drawn. */
  areasBefore: string;
  labelsBefore: string;
}

interface Drawn {
  storms: StormScene | undefined;
  theme: string;
}

/** Tracks, cones, winds and symbols of storms. */
export function stormsMapLayer({ map, element, labelFont, areasBefore, labelsBefore }: StormMap) {
  map.addSource(SOURCE, { type: "geojson", data: { type: "FeatureCollection", features: [] } });
  const painted = new Set<string>();

  const paint = () => {
    const colours = coloursOf(element);
    for (const name of stormIconNames) {
      const image = stormIcon(name, colours);
      if (map.hasImage(name)) map.updateImage(name, image);
      else map.addImage(name, image, { pixelRatio: ICON_RATIO });
    }
    for (const layer of layersIn(colours, labelFont)) {
      if (!painted.has(layer.id)) map.addLayer(layer, layer.type === "symbol" ? labelsBefore : areasBefore);
      painted.add(layer.id);
      for (const [property, value] of Object.entries(layer.paint ?? {}))
        map.setPaintProperty(layer.id, property as "line-color", value);
    }
  };

  return {
    draw({ storms, theme }: Drawn, last: Drawn | undefined) {
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

/** One value for the selected storm, another for the others. */
const bySelection = (selected: number, other: number): ExpressionSpecification => [
  "case",
  ["get", "selected"],
  selected,
  other,
];

function layersIn({ storm, ink, halo }: StormColours, labelFont: string[]): LayerSpecification[] {
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
      paint: { "fill-color": storm, "fill-opacity": bySelection(0.18, 0.1) },
    },
    {
      id: "storm-cone-line",
      type: "line",
      ...of("cone"),
      paint: { "line-color": storm, "line-width": bySelection(2, 1) },
    },
    {
      id: "storm-radii",
      type: "fill",
      ...of("radii"),
      paint: { "fill-color": storm, "fill-opacity": bySelection(0.16, 0.1) },
    },
    {
      id: "storm-radii-halo",
      type: "line",
      ...of("radii"),
      paint: { "line-color": halo, "line-width": bySelection(3, 0) },
    },
    {
      id: "storm-radii-line",
      type: "line",
      ...of("radii"),
      paint: { "line-color": storm, "line-width": bySelection(1.25, 0.75) },
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
      paint: { "line-color": storm, "line-width": bySelection(2.5, 1.75) },
    },
    {
      id: "storm-forecast",
      type: "line",
      ...of("forecast"),
      paint: { "line-color": storm, "line-width": bySelection(2.5, 1.75), "line-dasharray": [2, 2] },
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
