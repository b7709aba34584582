import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
} from "maplibre-gl";
import { ICON_RATIO, mapColours, paintLayers, setImages } from "#components/view-state/map-colours.ts";
import { shipIcon, shipIconNames } from "./ship-icons.ts";
import { type ShipScene, shipShapes } from "./ship-shapes.ts";

const SOURCE = "ship";

/** The map that the ship is drawn on. */
interface ShipMap {
  map: MapLibreMap;
  /** Element with the colour tokens of the theme. */
  element: HTMLElement;
  labelFont: string[];
  /** Id of the map layer below which it is drawn. */
  before: string;
}

interface Drawn {
  ship: ShipScene | undefined;
  theme: string;
}

/** The ship, with its way ahead. */
export function shipMapLayer({ map, element, labelFont, before }: ShipMap) {
  const none = { type: "FeatureCollection" as const, features: [] };
  map.addSource(SOURCE, { type: "geojson", data: none });
  const paint = () => {
    const colours = mapColours(element);
    const icons = shipIconNames.map((name) => [name, shipIcon(name, colours)] as const);
    setImages(map, icons, ICON_RATIO);
    paintLayers(map, layersIn(colours, labelFont), () => before);
  };
  return {
    draw({ ship, theme }: Drawn, last: Drawn | undefined) {
      if (theme !== last?.theme) paint();
      if (ship !== last?.ship)
        void map.getSource<GeoJSONSource>(SOURCE)?.setData(ship ? shipShapes(ship) : none);
    },
  };
}

function layersIn({ ink, halo }: Record<"ink" | "halo", string>, labelFont: string[]): LayerSpecification[] {
  const of = (kind: string): ExpressionSpecification => ["==", ["get", "kind"], kind];
  const way = (id: string, colour: string, width: number): LayerSpecification => ({
    id,
    type: "line",
    source: SOURCE,
    filter: of("way"),
    paint: { "line-color": colour, "line-width": width },
  });
  return [
    way("ship-way-halo", halo, 5),
    way("ship-way", ink, 2),
    {
      id: "ship-mark",
      type: "circle",
      source: SOURCE,
      filter: of("mark"),
      paint: {
        "circle-radius": 3.5,
        "circle-color": halo,
        "circle-stroke-color": ink,
        "circle-stroke-width": 2,
      },
    },
    {
      id: "ship-mark-label",
      type: "symbol",
      source: SOURCE,
      filter: of("mark"),
      layout: {
        "text-field": ["get", "label"],
        "text-font": labelFont,
        "text-size": 12,
        "text-anchor": "left",
        "text-offset": [0.7, 0],
      },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": 1.5 },
    },
    {
      id: "ship",
      type: "symbol",
      source: SOURCE,
      filter: of("ship"),
      layout: {
        "icon-image": ["case", ["get", "moves"], "ship-under-way", "ship-at-anchor"],
        "icon-rotate": ["case", ["get", "moves"], ["get", "course"], 0],
        "icon-rotation-alignment": "map",
        "icon-allow-overlap": true,
        "icon-ignore-placement": true,
      },
      // Before the time of its position nothing is known of it.
      paint: { "icon-opacity": ["case", ["get", "known"], 1, 0.55] },
    },
  ];
}
