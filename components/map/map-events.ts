import type { Device } from "@luma.gl/core";
import type { ViewBox } from "@open-metocean/geo/box";
import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { Map as MapLibreMap, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import type { Place } from "#components/view-state/view-url.ts";
import type { ScreenPoint } from "./map-view.ts";

/** User actions on the map. */
export interface MapEvents {
  onMove(centre: Place, zoom: number): void;
  /** Receives the visible box when the map opens, and after every move and resize. */
  onView(box: ViewBox): void;
  /** @param at Position on the canvas. */
  onSample(latitude: number, longitude: number, at: ScreenPoint): void;
  /**
   * Called when a shape of a pickable layer was clicked. @param place Place of the click; undefined off the
   * globe.
   */
  onPick(picked: Picked, place: Place | undefined): void;
  /** Called after a right click or a long press. @param at Position on the canvas. */
  onMenu(place: Place, at: ScreenPoint): void;
  /** While drawing, clicks act immediately; both clicks of a double click count. */
  isDrawing(): boolean;
  /**
   * Receives the place under the cursor and its position on the canvas; undefined when the cursor leaves the
   * map.
   */
  onHover(place: Place | undefined, at?: ScreenPoint): void;
  /**
   * Receives a key pressed on the map. @returns Whether it was handled; the browser's default is then
   * prevented.
   */
  onKey(event: KeyboardEvent): boolean;
  /** Called when the first field is drawn, or when none is expected. */
  onFirstField(): void;
  /** Called when the tiles of an overlay cannot be read, and when they are read again or removed. */
  onTiles(id: string, answers: boolean): void;
  /** The graphics context was lost and restored, so the map must be closed and opened again. */
  onRestored(): void;
}

/** A shape of a map layer. */
export interface Picked {
  /** Id of the map layer. */
  layer: string;
  /** Property `id` of the shape. */
  id: string;
}

/** Reports user actions by mouse, touch and keyboard. */
export function attachMapEvents(map: MapLibreMap, pickable: readonly string[], events: MapEvents): void {
  const reportView = () => events.onView(viewBoxOf(map));
  reportView();
  map.on("resize", reportView);
  map.on("moveend", () => {
    reportView();
    events.onMove(centreOf(map), map.getZoom());
  });
  const clicks = singleClicks(() => pauseDoubleClick(map));
  for (const other of ["mousedown", "touchstart", "dblclick"] as const) map.on(other, clicks.cancel);
  map.on("click", (event) => {
    const picked = pickedAt(event, pickable);
    const place = placeOf(event);
    const act = () => {
      if (picked) events.onPick(picked, place);
      else if (place) events.onSample(place.latitude, place.longitude, event.point);
    };
    if (!events.isDrawing()) clicks.click(act);
    // The second click of a double click is ignored, because it would add a second waypoint in the same
    // place.
    else if (event.originalEvent.detail < 2) act();
  });
  map.on("contextmenu", (event) => {
    clicks.cancel();
    press.cancel();
    event.preventDefault();
    const place = placeOf(event);
    if (place) events.onMenu(place, event.point);
  });
  const press = longPress(map, (event) => {
    clicks.cancel();
    events.onMenu({ latitude: event.lngLat.lat, longitude: event.lngLat.lng }, event.point);
  });
  const canvas = map.getCanvas();
  map.on("mousemove", (event) => {
    canvas.style.cursor = pickedAt(event, pickable) ? "pointer" : events.isDrawing() ? "crosshair" : "";
    events.onHover(placeOf(event), event.point);
  });
  map.on("mouseout", () => events.onHover(undefined));
  // If keys or buttons move the map, the place under the pointer changes.
  map.on("movestart", ({ originalEvent }) => {
    if (!(originalEvent instanceof MouseEvent)) events.onHover(undefined);
  });
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-describedby", "map-keys");
  canvas.addEventListener("keydown", (event) => {
    if (events.onKey(event)) event.preventDefault();
  });
}

/** A finger that stays still this long opens the menu, ms; some browsers send no event for it. */
const LONG_PRESS_MS = 600;

function longPress(map: MapLibreMap, act: (event: MapTouchEvent) => void): { cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  map.on("touchstart", (event) => {
    cancel();
    // A layer that starts a drag prevents the default, and layers are called after this listener.
    const hold = () => {
      if (!event.defaultPrevented) act(event);
    };
    if (event.originalEvent.touches.length === 1) timer = setTimeout(hold, LONG_PRESS_MS);
  });
  for (const end of ["touchend", "touchcancel", "touchmove", "movestart"] as const) map.on(end, cancel);
  return { cancel };
}

/**
 * Prevents a click that was acted on from counting as the first of a double click; browsers wait longer for
 * the second click than this service does.
 */
function pauseDoubleClick(map: MapLibreMap): void {
  map.doubleClickZoom.disable();
  setTimeout(() => map.doubleClickZoom.enable(), DOUBLE_CLICK_MS);
}

/** Centre of the map, with a longitude in −180..180. */
export function centreOf(map: MapLibreMap): Place {
  const { lat, lng } = map.getCenter();
  return { latitude: lat, longitude: normaliseLongitude(lng) };
}

/** The visible box; if it crosses the antimeridian, its west is below −180 or its east above 180. */
export function viewBoxOf(map: MapLibreMap): ViewBox {
  const bounds = map.getBounds();
  return {
    south: bounds.getSouth(),
    north: bounds.getNorth(),
    west: bounds.getWest(),
    east: bounds.getEast(),
  };
}

/** The shape under the cursor, from the first layer that has one there. */
function pickedAt({ target: map, point }: MapMouseEvent, layers: readonly string[]): Picked | undefined {
  for (const layer of layers) {
    if (!map.getLayer(layer)) continue;
    const [found] = map.queryRenderedFeatures(point, { layers: [layer] });
    if (found) return { layer, id: String(found.properties.id) };
  }
  return undefined;
}

/**
 * Least distance in pixels between a point and the projection of its place at which the point is off the
 * globe.
 */
const OFF_GLOBE = 2;

/** The place under the cursor; undefined outside the globe, where MapLibre returns the nearest limb. */
function placeOf({ target: map, point, lngLat }: MapMouseEvent): Place | undefined {
  const back = map.project(lngLat);
  if (Math.hypot(back.x - point.x, back.y - point.y) > OFF_GLOBE) return undefined;
  return { latitude: lngLat.lat, longitude: lngLat.lng };
}

/** Longest time between the clicks of a double click, ms. */
export const DOUBLE_CLICK_MS = 300;

/** Distinguishes single clicks from the first clicks of double clicks. */
interface SingleClicks {
  /** Handles a click: it acts unless something follows within `DOUBLE_CLICK_MS`. */
  click(act: () => void): void;
  /** Something follows the click: another press, a double click or a second finger. */
  cancel(): void;
}

/** @param onSingle Called before the action of a single click. */
function singleClicks(onSingle: () => void): SingleClicks {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  return {
    click(act) {
      cancel();
      timer = setTimeout(() => {
        onSingle();
        act();
      }, DOUBLE_CLICK_MS);
    },
    cancel,
  };
}

/**
 * Tells deck.gl the size that the map has just given to its canvas. Otherwise deck.gl learns of it from an
 * observer, after the frame that the map draws immediately. If an earlier size has not been drawn yet,
 * deck.gl restores it on the canvas in that frame, and from then on draws in a different place than the map.
 */
export function followCanvas({ canvasContext, props }: Pick<Device, "canvasContext" | "props">): void {
  if (!canvasContext?.htmlCanvas) return;
  const { width, height, clientWidth, clientHeight } = canvasContext.htmlCanvas;
  const oldPixelSize = canvasContext.getDevicePixelSize();
  canvasContext.cssWidth = clientWidth;
  canvasContext.cssHeight = clientHeight;
  canvasContext.setDrawingBufferSize(width, height);
  props.onResize(canvasContext, { oldPixelSize });
}
