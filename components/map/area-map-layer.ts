import type { ViewBox } from "@open-metocean/geo/box";
import { boxBetween, boxOfCorners } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import type { LayerSpecification, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { layersOf, paintLayers } from "#components/view-state/paint-map.ts";
import { addGeojson, endOf, type MapHost, type MapLayer } from "./map-layer.ts";
import type { Projection, SceneArea } from "./scene.ts";

const CORNERS = "area-corners-hit";

/** Distance in pixels from which a press counts as a drag instead of a click. */
const DRAG_PIXELS = 4;

type Press = MapMouseEvent | MapTouchEvent;

/** The area of a download, drawn by dragging with mouse or finger, and changed at its corners. */
export function areaMapLayer({ map, element }: MapHost): MapLayer {
  const setArea = addGeojson(map, "area");
  const reach = matchMedia("(pointer: coarse)").matches ? 24 : 14;
  let area: SceneArea | undefined;
  let projection: Projection = "mercator";
  let drag: { anchor: Place; from: { x: number; y: number }; box: ViewBox | undefined } | undefined;

  const show = () => setArea(area && areaShapes(drag?.box ? { ...area, box: drag.box } : area));
  const begin = (event: Press, anchor: Place) => {
    // The map does not move while an area is drawn.
    event.preventDefault();
    drag = { anchor, from: event.point, box: undefined };
  };
  const isOther = ({ originalEvent }: Press) =>
    "touches" in originalEvent ? originalEvent.touches.length > 1 : originalEvent.button !== 0;
  const press = (event: Press) => {
    if (isOther(event)) return cancel();
    if (!area || drag) return;
    const { features = [] } = event as Press & { features?: GeoJSON.Feature[] };
    const { box, onBox } = area;
    if (area.isDrawing) begin(event, placeOf(event));
    else if (onBox && box && features.length > 0) {
      const { north, west } = (features[0]?.properties ?? {}) as { north?: boolean; west?: boolean };
      // The corner opposite to the pressed one stays in place.
      begin(event, { latitude: north ? box.south : box.north, longitude: west ? box.east : box.west });
    }
  };
  const move = (event: Press) => {
    if (!drag) return;
    const { x, y } = event.point;
    if (!drag.box && Math.hypot(x - drag.from.x, y - drag.from.y) < DRAG_PIXELS) return;
    const place = placeOf(event);
    // The globe has one copy of each place; on the flat map the area is as wide as it is drawn.
    drag.box = projection === "globe" ? boxBetween(drag.anchor, place) : boxOfCorners(drag.anchor, place);
    show();
  };
  const drop = () => {
    const box = drag?.box;
    drag = undefined;
    if (box && box.north > box.south && box.east > box.west) area?.onBox?.(box);
    else if (box) show();
  };
  const cancel = () => {
    drag = undefined;
    show();
  };
  let isListening = false;
  const listen = () => {
    isListening = true;
    for (const kind of ["mousedown", "touchstart"] as const) {
      map.on(kind, CORNERS, press);
      map.on(kind, press);
    }
    map.on("mousemove", move);
    map.on("touchmove", move);
    map.on("touchend", drop);
    map.on("touchcancel", cancel);
    // The button may be released outside the map.
    window.addEventListener("mouseup", drop);
  };

  return {
    draw({ area: next, theme, projection: drawnOn }, last) {
      projection = drawnOn;
      if (theme !== last?.theme) {
        paintLayers(map, layersIn(mapColours(element), reach), () => endOf("marks"));
        if (!isListening) listen();
      }
      if (next === last?.area) return;
      area = next;
      show();
    },
    close: () => window.removeEventListener("mouseup", drop),
  };
}

function placeOf({ lngLat }: Press): Place {
  return { latitude: lngLat.lat, longitude: lngLat.lng };
}

function layersIn({ halo, sample }: MapColours, reach: number): LayerSpecification[] {
  const { fill, line, dots, reached } = layersOf("area");
  return [
    fill("area-fill", "box", sample, 0.08),
    line("area-halo", "box", halo, 5, { join: "miter" }),
    line("area-line", "box", sample, 2, { join: "miter" }),
    dots("area-corners", "corner", halo, sample, [6, 2]),
    reached(CORNERS, "corner", reach),
  ];
}

/** Longest side of a shape, degrees; on the globe a longer side would not follow its parallel. */
const SIDE_DEGREES = 5;

/** The box of an area, its corners if they can be dragged, and the first of two clicked corners. */
function areaShapes({ box, corner, isDrawing, onBox }: SceneArea): GeoJSON.FeatureCollection {
  const features: GeoJSON.Feature[] = [];
  const point = (longitude: number, latitude: number, properties: GeoJSON.GeoJsonProperties) =>
    features.push({
      type: "Feature",
      properties: { kind: "corner", ...properties },
      geometry: { type: "Point", coordinates: [longitude, latitude] },
    });
  if (box) {
    const { south, north, west, east } = box;
    const ring = [
      ...side([west, south], [east, south]),
      ...side([east, south], [east, north]),
      ...side([east, north], [west, north]),
      ...side([west, north], [west, south]),
      [west, south],
    ];
    features.push({
      type: "Feature",
      properties: { kind: "box" },
      geometry: { type: "Polygon", coordinates: [ring] },
    });
    if (onBox && !isDrawing)
      for (const isNorth of [false, true])
        for (const isWest of [false, true])
          point(isWest ? west : east, isNorth ? north : south, { north: isNorth, west: isWest });
  }
  if (corner) point(corner.longitude, corner.latitude, {});
  return { type: "FeatureCollection", features };
}

/** Points from one end towards the other, which is not included. */
function side([x1, y1]: [number, number], [x2, y2]: [number, number]): GeoJSON.Position[] {
  const parts = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / SIDE_DEGREES));
  return Array.from({ length: parts }, (_, part) => [
    x1 + ((x2 - x1) * part) / parts,
    y1 + ((y2 - y1) * part) / parts,
  ]);
}
