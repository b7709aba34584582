import { normaliseLongitude } from "@open-metocean/geo/grid";
import { AHEAD_H, type Fix, reckoned, wayAhead } from "@open-metocean/geo/rhumb";
import { unwrappedLine } from "@open-metocean/geo/ring";
import { type Place, RADIANS } from "@open-metocean/geo/sphere";
import type {
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
  MapMouseEvent,
  MapTouchEvent,
} from "maplibre-gl";
import type { Zone } from "#components/view-state/civil.ts";
import { formatClock, formatDay, formatWeekdayClock } from "#components/view-state/format-time.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import { ICON_RATIO, layersOf, paintLayers, setImages } from "#components/view-state/paint-map.ts";
import { shipIcon, shipIconNames } from "./ship-icons.ts";

const SOURCE = "ship";

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

/**
 * The ship with its way ahead. Where another course and speed can be tried, the end of the way can be dragged
 * with mouse or finger.
 */
export function shipMapLayer({ map, element, labelFont, before }: ShipMap) {
  const none = { type: "FeatureCollection" as const, features: [] };
  map.addSource(SOURCE, { type: "geojson", data: none });
  const paint = () => {
    const colours = mapColours(element);
    const icons = shipIconNames.map((name) => [name, shipIcon(name, colours)] as const);
    setImages(map, icons, ICON_RATIO);
    paintLayers(map, layersIn(colours, labelFont), () => before);
  };
  let shown: ShipScene | undefined;
  let dragged: Place | undefined;
  let isHeld = false;
  const press = (event: MapMouseEvent | MapTouchEvent) => {
    const { originalEvent } = event;
    const isOther =
      "touches" in originalEvent ? originalEvent.touches.length > 1 : originalEvent.button !== 0;
    if (!shown?.onTry || isOther) return;
    // The map does not move during the drag.
    event.preventDefault();
    isHeld = true;
  };
  const drag = ({ lngLat }: MapMouseEvent | MapTouchEvent) => {
    if (!isHeld) return;
    // Storms are computed for each position, so once per frame suffices.
    if (!dragged)
      requestAnimationFrame(() => {
        if (dragged && shown) shown.onTry?.(dragged, Math.max(shown.time, shown.fix.time) + AHEAD_H * 3600);
        dragged = undefined;
      });
    dragged = { latitude: lngLat.lat, longitude: normaliseLongitude(lngLat.lng) };
  };
  const drop = () => {
    isHeld = false;
  };
  map.on("mousedown", HANDLE, press);
  map.on("touchstart", HANDLE, press);
  map.on("mousemove", drag);
  map.on("touchmove", drag);
  for (const end of ["touchend", "touchcancel"] as const) map.on(end, drop);
  // The button may be released outside the map.
  window.addEventListener("mouseup", drop);
  return {
    draw({ ship, theme }: Drawn, last: Drawn | undefined) {
      if (theme !== last?.theme) paint();
      if (ship === last?.ship) return;
      shown = ship;
      void map.getSource<GeoJSONSource>(SOURCE)?.setData(ship ? shipShapes(ship) : none);
    },
    close: () => window.removeEventListener("mouseup", drop),
  };
}

/** Id of the layer for hits at the end of the way. */
const HANDLE = "ship-handle-hit";

function layersIn({ ink, halo }: Record<"ink" | "halo", string>, labelFont: string[]): LayerSpecification[] {
  const { line, dots, labels, reached } = layersOf(SOURCE);
  return [
    line("ship-former", "former", ink, 1.5, { dashes: [2, 2] }),
    line("ship-way-halo", "way", halo, 5),
    line("ship-way", "way", ink, 2),
    dots("ship-mark", "mark", halo, ink, [3.5, 2]),
    labels("ship-mark-label", "mark", { ink, halo }, 1.5, {
      "text-font": labelFont,
      "text-anchor": ["get", "anchor"],
      "text-radial-offset": 0.7,
    }),
    dots("ship-handle", "handle", halo, ink, [7, 3]),
    reached(HANDLE, "handle", 22),
    {
      id: "ship",
      type: "symbol",
      source: SOURCE,
      filter: ["==", ["get", "kind"], "ship"],
      layout: {
        "icon-image": ["case", ["get", "moves"], "ship-under-way", "ship-at-anchor"],
        "icon-rotate": ["case", ["get", "moves"], ["get", "course"], 0],
        "icon-rotation-alignment": "map",
        // The symbol is always drawn, and labels give way to it.
        "icon-allow-overlap": true,
      },
      // Before the time of its position the ship's place is unknown, so it is drawn faintly.
      paint: { "icon-opacity": ["case", ["get", "known"], 1, 0.55] },
    },
  ];
}

/** The ship as the map draws it. */
export interface ShipScene {
  fix: Fix;
  /** Unix seconds. */
  time: number;
  /** Time zone of the labels. */
  zone: Zone;
  /** The way without the tried course and speed. */
  former?: Fix | undefined;
  /**
   * Called when the end of the way was dragged; undefined if it cannot be. @param at Time of the end, Unix
   * seconds.
   */
  onTry?: ((to: Place, at: number) => void) | undefined;
}

/**
 * The ship at the displayed time, its way of the next 24 hours and a mark at every sixth hour, on a later day with
 * its weekday. Longitudes continue beyond 180.
 *
 * `kind` of a feature is `ship`, `way` or `mark`. `course` is in degrees clockwise from north. `known` tells
 * whether the time is not before that of the position.
 */
export function shipShapes({ fix, time, zone, former, onTry }: ShipScene): GeoJSON.FeatureCollection {
  const { way, marks } = wayAhead(fix, time);
  const coordinates = coordinatesOf(way);
  const { latitude, longitude } = reckoned(fix, time);
  const known = time >= fix.time;
  // The label lies beside the way, never on it.
  const anchor = Math.abs(Math.sin(fix.course * RADIANS)) > Math.SQRT1_2 ? "bottom" : "left";
  const features: GeoJSON.Feature[] = [
    {
      type: "Feature",
      geometry: { type: "Point", coordinates: coordinates[0] ?? [longitude, latitude] },
      properties: { kind: "ship", moves: fix.speed > 0, course: fix.course, known },
    },
    ...marks.map(({ hours, time: at }): GeoJSON.Feature => {
      // The map leaves out labels that have no room, so each mark of a later day names its day.
      const isLater = formatDay(at, zone) !== formatDay(time, zone);
      const label = isLater ? formatWeekdayClock(at, zone) : formatClock(at, zone);
      return {
        type: "Feature",
        geometry: { type: "Point", coordinates: coordinates[hours]! },
        properties: { kind: "mark", label, anchor },
      };
    }),
  ];
  const lineOf = (kind: string, places: number[][]) => {
    if (places.length > 1)
      features.unshift({
        type: "Feature",
        geometry: { type: "LineString", coordinates: places },
        properties: { kind },
      });
  };
  lineOf("way", coordinates);
  if (former) lineOf("former", coordinatesOf(wayAhead(former, time).way));
  if (onTry) {
    const end = coordinates.at(-1) ?? [longitude, latitude];
    features.push({
      type: "Feature",
      geometry: { type: "Point", coordinates: end },
      properties: { kind: "handle" },
    });
  }
  return { type: "FeatureCollection", features };
}

function coordinatesOf(places: readonly Place[]): number[][] {
  return unwrappedLine(places).map(({ longitude, latitude }) => [longitude, latitude]);
}
