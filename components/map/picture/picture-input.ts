import type { Picked } from "#components/map/map-events.ts";
import type { ScreenPoint } from "#components/map/map-view.ts";
import type { Scene } from "#components/map/scene.ts";
import { singleClicks } from "#components/map/single-click.ts";
import type { Place } from "#components/view-state/view-url.ts";
import type { OpenPicture } from "./open-picture.ts";
import { viewOf } from "./picture-camera.ts";

/** What is done on a picture by mouse, touch and keyboard. */
export interface PictureInput {
  onSample(latitude: number, longitude: number, at: ScreenPoint): void;
  onPick(picked: Picked, place: Place | undefined): void;
  onHover(place: Place | undefined, at?: ScreenPoint): void;
  /** @returns Whether the key was handled. */
  onKey(event: KeyboardEvent): boolean;
  /** Clicks act at once. */
  isDrawing(): boolean;
  /** A press has ended. */
  onRelease(): void;
}

/** A press that moves further is a drag, pixels; how far an arrow key moves; wheel pixels that double the scale. */
const [DRAG, KEY_PAN, WHEEL_ZOOM] = [4, 100, 450];

/** Attaches the gestures of the map to a picture of it. @returns Whether something presses it, and what ends it. */
export function attachPictureInput<S extends Scene>(
  canvas: HTMLCanvasElement,
  picture: OpenPicture<S>,
  input: PictureInput,
): { isPressed(): boolean; close(): void } {
  const pressed = new Map<number, ScreenPoint>();
  let begun: ScreenPoint | undefined;
  let isDrag = false;
  const clicks = singleClicks(() => undefined);
  const pointOf = ({ clientX, clientY }: MouseEvent): ScreenPoint => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const placeAt = ({ x, y }: ScreenPoint): Place | undefined => viewOf(picture.camera()).unproject(x, y);

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    clicks.cancel();
    const at = pointOf(event);
    canvas.setPointerCapture(event.pointerId);
    pressed.set(event.pointerId, at);
    if (pressed.size === 1) [begun, isDrag] = [at, false];
    else isDrag = true;
  };
  const onMove = (event: PointerEvent) => {
    const at = pointOf(event);
    const last = pressed.get(event.pointerId);
    if (!last) {
      if (event.pointerType === "touch") return;
      canvas.style.cursor = picture.pick(at) ? "pointer" : input.isDrawing() ? "crosshair" : "";
      input.onHover(placeAt(at), at);
      return;
    }
    isDrag ||= begun !== undefined && Math.hypot(at.x - begun.x, at.y - begun.y) > DRAG;
    if (!isDrag) return;
    const other = [...pressed].find(([id]) => id !== event.pointerId)?.[1];
    pressed.set(event.pointerId, at);
    if (!other) return picture.pan(at.x - last.x, at.y - last.y);
    const spread = (one: ScreenPoint) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
    picture.pan((at.x - last.x) / 2, (at.y - last.y) / 2);
    const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
    picture.zoomAt(picture.camera().zoom + Math.log2(spread(at) / spread(last)), middle);
  };
  const onUp = (event: PointerEvent) => {
    if (!pressed.delete(event.pointerId) || pressed.size > 0) return;
    if (isDrag) picture.rest();
    input.onRelease();
  };
  const onClick = (event: MouseEvent) => {
    if (isDrag) return;
    const at = pointOf(event);
    const place = placeAt(at);
    const picked = picture.pick(at);
    const act = () => {
      if (picked) input.onPick(picked, place);
      else if (place) input.onSample(place.latitude, place.longitude, at);
    };
    if (!input.isDrawing()) clicks.click(act);
    else if (event.detail < 2) act();
  };
  const onDouble = (event: MouseEvent) => {
    clicks.cancel();
    picture.zoomAt(picture.camera().zoom + (event.shiftKey ? -1 : 1), pointOf(event));
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 * event.deltaY : event.deltaY;
    picture.zoomAt(picture.camera().zoom - pixels / WHEEL_ZOOM, pointOf(event));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (input.onKey(event) || moveByKey(event, picture)) event.preventDefault();
  };
  const onLeave = () => input.onHover(undefined);
  const listeners = {
    pointerdown: onDown,
    pointermove: onMove,
    pointerup: onUp,
    pointercancel: onUp,
    pointerleave: onLeave,
    click: onClick,
    dblclick: onDouble,
    wheel: onWheel,
    keydown: onKeyDown,
  };
  for (const [type, listener] of Object.entries(listeners))
    canvas.addEventListener(type, listener as EventListener, { passive: false });
  return {
    isPressed: () => pressed.size > 0,
    close() {
      for (const [type, listener] of Object.entries(listeners))
        canvas.removeEventListener(type, listener as EventListener);
    },
  };
}

/** The keys of MapLibre's own. */
function moveByKey<S extends Scene>(
  { key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  picture: OpenPicture<S>,
): boolean {
  if (altKey || ctrlKey || metaKey) return false;
  const { width, height, zoom } = picture.camera();
  const middle = { x: width / 2, y: height / 2 };
  const pans: Record<string, [right: number, down: number]> = {
    ArrowLeft: [KEY_PAN, 0],
    ArrowRight: [-KEY_PAN, 0],
    ArrowUp: [0, KEY_PAN],
    ArrowDown: [0, -KEY_PAN],
  };
  const pan = pans[key];
  const by = { "+": 1, "=": 1, "-": -1, _: -1 }[key];
  if (pan && !shiftKey) picture.pan(...pan);
  else if (by) picture.zoomAt(Math.round(zoom) + by, middle);
  else return false;
  return true;
}
