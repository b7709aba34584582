import type { Map as MapLibreMap, MapMouseEvent } from "maplibre-gl";
import { STORM_LAYER } from "#components/storms/storms-map-layer.ts";
import type { Place } from "#components/view-state/view-url.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";

/** What a person does on the map. */
export interface MapEvents {
  onMove(centre: Place, zoom: number): void;
  /** What is in view: when the map opens, and after every move and change of its size. */
  onView(box: ViewBox): void;
  onSample(latitude: number, longitude: number): void;
  /** A storm's symbol was picked. @param id Of the storm. */
  onStorm(id: string): void;
  /** The place under the cursor; undefined when it leaves the map. */
  onHover(place: Place | undefined): void;
  /** A key pressed on the map; true where it was for us, so that nobody else acts on it. */
  onKey(event: KeyboardEvent): boolean;
  /** The first field is drawn, or none is awaited. */
  onFirstField(): void;
  /** The graphics card was lost, and is back: the map has to be closed and opened again. */
  onRestored(): void;
}

/** Tells of what is done by mouse, touch and keyboard. */
export function attachMapEvents(map: MapLibreMap, events: MapEvents): void {
  const tellView = () => events.onView(viewBox(map));
  tellView();
  map.on("resize", tellView);
  map.on("moveend", () => {
    tellView();
    events.onMove(centreOf(map), map.getZoom());
  });
  map.on("click", (event) => {
    const storm = stormAt(event);
    if (storm !== undefined) return events.onStorm(storm);
    const place = placeOf(event);
    if (place) events.onSample(place.latitude, place.longitude);
  });
  const canvas = map.getCanvas();
  map.on("mousemove", (event) => {
    canvas.style.cursor = stormAt(event) === undefined ? "" : "pointer";
    events.onHover(placeOf(event));
  });
  map.on("mouseout", () => events.onHover(undefined));
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-describedby", "map-keys");
  canvas.addEventListener("keydown", (event) => {
    if (events.onKey(event)) event.preventDefault();
  });
}

/** The middle of the map, its longitude in −180..180. */
export function centreOf(map: MapLibreMap): Place {
  const { lat, lng } = map.getCenter();
  return { latitude: lat, longitude: normaliseLongitude(lng) };
}

function viewBox(map: MapLibreMap): ViewBox {
  const bounds = map.getBounds();
  return {
    south: bounds.getSouth(),
    north: bounds.getNorth(),
    west: bounds.getWest(),
    east: bounds.getEast(),
  };
}

/** The storm whose symbol lies under the cursor. */
function stormAt({ target: map, point }: MapMouseEvent): string | undefined {
  if (!map.getLayer(STORM_LAYER)) return undefined;
  const [found] = map.queryRenderedFeatures(point, { layers: [STORM_LAYER] });
  return found && String(found.properties.id);
}

/** Pixels between a point and its own place, beyond which the point is beside the globe. */
const BESIDE = 2;

/** The place under the cursor; undefined in the space round the globe, where MapLibre names the nearest limb. */
function placeOf({ target: map, point, lngLat }: MapMouseEvent): Place | undefined {
  const back = map.project(lngLat);
  if (Math.hypot(back.x - point.x, back.y - point.y) > BESIDE) return undefined;
  return { latitude: lngLat.lat, longitude: lngLat.lng };
}
