import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from "maplibre-gl";
import type { Zone } from "#components/view-state/civil.ts";
import { formatClock } from "#components/view-state/format-time.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import { ICON_RATIO, layersOf, paintLayers, setImages } from "#components/view-state/paint-map.ts";
import { type Fix, reckoned, wayAhead } from "#lib/geo/rhumb.ts";
import { unwrappedLine } from "#lib/geo/ring.ts";
import { shipIcon, shipIconNames } from "./ship-icons.ts";

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
  const { line, dots, labels } = layersOf(SOURCE);
  return [
    line("ship-way-halo", "way", halo, 5),
    line("ship-way", "way", ink, 2),
    dots("ship-mark", "mark", halo, ink, [3.5, 2]),
    labels("ship-mark-label", "mark", { ink, halo }, 1.5, {
      "text-font": labelFont,
      "text-anchor": "left",
      "text-offset": [0.7, 0],
    }),
    {
      id: "ship",
      type: "symbol",
      source: SOURCE,
      filter: ["==", ["get", "kind"], "ship"],
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

/** What the map draws of the ship. */
export interface ShipScene {
  fix: Fix;
  /** Unix seconds. */
  time: number;
  /** Clock of the labels. */
  zone: Zone;
}

/**
 * The ship at the time shown, its way of the next 24 hours and a mark at each sixth. Longitudes continue beyond 180.
 *
 * `kind` of a feature is `ship`, `way` or `mark`. `course`: degrees clockwise from north. `known`: the time is not before
 * that of the position.
 */
export function shipShapes({ fix, time, zone }: ShipScene): GeoJSON.FeatureCollection {
  const { way, marks } = wayAhead(fix, time);
  const line = unwrappedLine(way);
  const coordinates = line.map(({ longitude, latitude }) => [longitude, latitude]);
  const { latitude, longitude } = reckoned(fix, time);
  const known = time >= fix.time;
  const features: GeoJSON.Feature[] = [
    {
      type: "Feature",
      geometry: { type: "Point", coordinates: coordinates[0] ?? [longitude, latitude] },
      properties: { kind: "ship", moves: fix.speed > 0, course: fix.course, known },
    },
    ...marks.map(
      ({ hours, time: at }): GeoJSON.Feature => ({
        type: "Feature",
        geometry: { type: "Point", coordinates: coordinates[hours]! },
        properties: { kind: "mark", label: formatClock(at, zone) },
      }),
    ),
  ];
  if (coordinates.length > 1) {
    features.unshift({
      type: "Feature",
      geometry: { type: "LineString", coordinates },
      properties: { kind: "way" },
    });
  }
  return { type: "FeatureCollection", features };
}
