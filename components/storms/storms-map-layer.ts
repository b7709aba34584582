import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
} from "maplibre-gl";
import {
  ICON_RATIO,
  type MapColours,
  mapColours,
  paintLayers,
  setImages,
} from "#components/view-state/map-colours.ts";
import { areaLayers, areaPatterns, hatching, PATTERN_RATIO } from "./area-layers.ts";
import { filmLayer, filmLayers } from "./film-layers.ts";
import { PEER_SOURCE, peerLayers, peerShapes } from "./peer-shapes.ts";
import { type StormColours, stormIcon, stormIconNames } from "./storm-icons.ts";
import { type ShapeKind, STORM_LAYER, type StormScene, stormShapes } from "./storm-shapes.ts";

/** Name of the image that hatches danger areas. */
const PATTERN = "danger";

/** The hatching of danger areas: amber with a casing, so that it is seen on every colour of a field. */
function dangerPattern({ danger, halo }: MapColours): [name: string, image: ImageData] {
  return [PATTERN, hatching(danger, 16, -1, { width: 1.3, casing: halo })];
}

/** Layers of the danger area, the lowest first: hatching, edge with a casing, label along the edge. */
function dangerLayers(
  source: string,
  { danger, halo, ink }: MapColours,
  labelFont: string[],
): LayerSpecification[] {
  const filter: ExpressionSpecification = ["==", ["get", "kind"], "danger"];
  const line = (id: string, colour: string, width: number): LayerSpecification => ({
    id,
    type: "line",
    source,
    filter,
    layout: { "line-join": "round" },
    paint: { "line-color": colour, "line-width": width },
  });
  return [
    {
      id: "storm-danger",
      type: "fill",
      source,
      filter,
      paint: { "fill-pattern": PATTERN, "fill-opacity": 0.8 },
    },
    line("storm-danger-halo", halo, 6),
    line("storm-danger-line", danger, 3),
    {
      id: "storm-danger-label",
      type: "symbol",
      source,
      filter,
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 420,
        "text-field": ["get", "label"],
        "text-font": labelFont,
        "text-size": 12,
        "text-max-angle": 30,
        "text-padding": 4,
      },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": 2 },
    },
  ];
}

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

/** Areas where storms may form, and tracks, cones, winds and symbols of storms. */
export function stormsMapLayer({ map, element, labelFont, areasBefore, labelsBefore }: StormMap) {
  const none = { type: "FeatureCollection" as const, features: [] };
  map.addSource(SOURCE, { type: "geojson", data: none });
  map.addSource(PEER_SOURCE, { type: "geojson", data: none });
  const setData = (source: string, data: GeoJSON.FeatureCollection) =>
    void map.getSource<GeoJSONSource>(source)?.setData(data);
  const film = filmLayer(map, (data) => setData(SOURCE, data));

  const paint = () => {
    const colours = mapColours(element);
    const icons = stormIconNames.map((name) => [name, stormIcon(name, colours)] as const);
    setImages(map, icons, ICON_RATIO);
    setImages(map, [...areaPatterns(colours), dangerPattern(colours)], PATTERN_RATIO);
    const layers = [
      ...areaLayers(SOURCE, colours),
      ...filmLayers(colours),
      ...peerLayers(colours, labelFont),
      ...dangerLayers(SOURCE, colours, labelFont),
      ...layersIn(colours, labelFont),
    ];
    paintLayers(map, layers, ({ type }) => (type === "symbol" ? labelsBefore : areasBefore));
  };

  return {
    draw({ storms, theme }: Drawn, last: Drawn | undefined) {
      if (theme !== last?.theme) paint();
      if (storms === last?.storms) return;
      // While a film runs it draws the storm, past the scene.
      if (storms?.film !== last?.storms?.film) film.draw(storms?.film);
      if (!storms?.film) setData(SOURCE, storms ? stormShapes(storms) : none);
      if (storms?.peer !== last?.storms?.peer)
        setData(PEER_SOURCE, {
          ...none,
          features: storms?.peer ? peerShapes(storms.peer, storms.words) : [],
        });
    },
    close: film.close,
  };
}

/** One value for the selected storm, another for the others. */
const bySelection = (selected: number, other: number): ExpressionSpecification => [
  "case",
  ["get", "selected"],
  selected,
  other,
];

function layersIn({ storm, ink, halo }: StormColours, labelFont: string[]): LayerSpecification[] {
  type Value = number | ExpressionSpecification;
  const of = (kind: ShapeKind): ExpressionSpecification => ["==", ["get", "kind"], kind];
  const estimated: ExpressionSpecification = ["get", "estimated"];
  const fill = (id: string, kind: ShapeKind, colour: string, opacity: Value): LayerSpecification => ({
    id,
    type: "fill",
    source: SOURCE,
    filter: of(kind),
    paint: { "fill-color": colour, "fill-opacity": opacity },
  });
  const line = (
    id: string,
    filter: ExpressionSpecification,
    colour: string,
    width: Value,
    dashes?: number[],
  ): LayerSpecification => ({
    id,
    type: "line",
    source: SOURCE,
    filter,
    paint: { "line-color": colour, "line-width": width, ...(dashes && { "line-dasharray": dashes }) },
  });
  return [
    fill("storm-cone", "cone", storm, bySelection(0.18, 0.1)),
    line("storm-cone-line", of("cone"), storm, bySelection(2, 1)),
    fill("storm-radii", "radii", storm, bySelection(0.16, 0.1)),
    line("storm-radii-halo", of("radii"), halo, bySelection(3, 0)),
    line("storm-radii-line", of("radii"), storm, bySelection(1.25, 0.75)),
    line("storm-seas-line", of("seas"), storm, 1.25, [1, 3]),
    line("storm-box", ["all", of("box"), ["!", estimated]], ink, 1.5),
    line("storm-box-estimated", ["all", of("box"), estimated], ink, 1.5, [2, 2]),
    line("storm-halo", ["in", ["get", "kind"], ["literal", ["observed", "forecast"]]], halo, 5),
    line("storm-observed", of("observed"), storm, bySelection(2.5, 1.75)),
    line("storm-forecast", of("forecast"), storm, bySelection(2.5, 1.75), [2, 2]),
    {
      id: "storm-dot",
      type: "circle",
      source: SOURCE,
      filter: of("dot"),
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
      source: SOURCE,
      filter: of("dot"),
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
      source: SOURCE,
      filter: of("centre"),
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
