import type { Device } from "@luma.gl/core";
import type { Map as MapLibreMap, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import type { Place } from "#components/view-state/view-url.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import type { ScreenPoint } from "./map-view.ts";

/** User actions on the map. */
export interface MapEvents {
  onMove(centre: Place, zoom: number): void;
  /** The visible box: when the map opens, and after every move and resize. */
  onView(box: ViewBox): void;
  /** @param at Where on the canvas. */
  onSample(latitude: number, longitude: number, at: ScreenPoint): void;
  /** A shape of a pickable layer was clicked. @param place Of the click; undefined off the globe. */
  onPick(picked: Picked, place: Place | undefined): void;
  /** A right click, or a long press. @param at Where on the canvas. */
  onMenu(place: Place, at: ScreenPoint): void;
  /** Clicks act at once: the first of two is one too. */
  isDrawing(): boolean;
  /** The place under the cursor, and where on the canvas that is; undefined when it leaves the map. */
  onHover(place: Place | undefined, at?: ScreenPoint): void;
  /** A key pressed on the map. @returns Whether it was handled; the browser's default is then prevented. */
  onKey(event: KeyboardEvent): boolean;
  /** The first field is drawn, or none is expected. */
  onFirstField(): void;
  /** The graphics context was lost and restored: the map must be closed and opened again. */
  onRestored(): void;
}

/** A shape of a map layer. */
export interface Picked {
  /** Id of the map layer. */
  layer: string;
  /** Property `id` of the shape. */
  id: string;
}

/** Reports what is done by mouse, touch and keyboard. */
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
    // Nobody puts two waypoints in one place by a double click.
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
  // A map that moves by keys or buttons has another place under the pointer.
  map.on("movestart", ({ originalEvent }) => {
    if (!(originalEvent instanceof MouseEvent)) events.onHover(undefined);
  });
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-describedby", "map-keys");
  canvas.addEventListener("keydown", (event) => {
    if (events.onKey(event)) event.preventDefault();
  });
}

/** A finger that lies still this long opens the menu, ms; not every browser says so by itself. */
const LONG_PRESS_MS = 600;

function longPress(map: MapLibreMap, act: (event: MapTouchEvent) => void): { cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  map.on("touchstart", (event) => {
    cancel();
    // What a layer takes to drag it says so after this: layers listen later.
    const hold = () => {
      if (!event.defaultPrevented) act(event);
    };
    if (event.originalEvent.touches.length === 1) timer = setTimeout(hold, LONG_PRESS_MS);
  });
  for (const end of ["touchend", "touchcancel", "touchmove", "movestart"] as const) map.on(end, cancel);
  return { cancel };
}

/** A click that was acted on is not the first of a double click: browsers wait longer for the second than we do. */
function pauseDoubleClick(map: MapLibreMap): void {
  map.doubleClickZoom.disable();
  setTimeout(() => map.doubleClickZoom.enable(), DOUBLE_CLICK_MS);
}

/** Centre of the map, longitude in −180..180. */
export function centreOf(map: MapLibreMap): Place {
  const { lat, lng } = map.getCenter();
  return { latitude: lat, longitude: normaliseLongitude(lng) };
}

/** The visible box; across the antimeridian its west is below −180 or its east above 180. */
export function viewBoxOf(map: MapLibreMap): ViewBox {
  const bounds = map.getBounds();
  return {
    south: bounds.getSouth(),
    north: bounds.getNorth(),
    west: bounds.getWest(),
    east: bounds.getEast(),
  };
}

/** The shape under the cursor, of the first layer that has one there. */
function pickedAt({ target: map, point }: MapMouseEvent, layers: readonly string[]): Picked | undefined {
  for (const layer of layers) {
    if (!map.getLayer(layer)) continue;
    const [found] = map.queryRenderedFeatures(point, { layers: [layer] });
    if (found) return { layer, id: String(found.properties.id) };
  }
  return undefined;
}

/** Distance in pixels between a point and the projection of its place from which on the point is off the globe. */
const OFF_GLOBE = 2;

/** The place under the cursor; undefined in the space around the globe, where MapLibre returns the nearest limb. */
function placeOf({ target: map, point, lngLat }: MapMouseEvent): Place | undefined {
  const back = map.project(lngLat);
  if (Math.hypot(back.x - point.x, back.y - point.y) > OFF_GLOBE) return undefined;
  return { latitude: lngLat.lat, longitude: lngLat.lng };
}

/** Longest time between the clicks of a double click, ms. */
export const DOUBLE_CLICK_MS = 300;

/** Tells single clicks from the first ones of double clicks. */
interface SingleClicks {
  /** A click: acts unless something follows within `DOUBLE_CLICK_MS`. */
  click(act: () => void): void;
  /** Something follows: another press, a double click, a second finger. */
  cancel(): void;
}

/** @param onSingle Called before the action of a click that stayed alone. */
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
 * Tells deck.gl the size that the map has just given to its canvas. By itself deck.gl learns of it from an observer, after
 * the frame that the map draws at once. Where an earlier size has not been drawn yet, deck.gl gives it back to the canvas
 * in that frame, and from then on draws elsewhere than the map.
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
