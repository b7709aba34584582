import { FIT_PADDING, MAX_FIT_ZOOM } from "#components/map/camera-limits.ts";
import { markField } from "#components/map/field-mark.ts";
import type { Picked } from "#components/map/map-events.ts";
import type { Camera, ScreenPoint } from "#components/map/map-view.ts";
import type { MapControls } from "#components/map/open-map.ts";
import type { Scene } from "#components/map/scene.ts";
import { mapColours } from "#components/view-state/map-colours.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import type { Words } from "#lib/words/en.ts";
import { type AddedPicture, type PaintAdded, type PictureData, paintPicture } from "./paint-picture.ts";
import { boxOfCamera, fitted, keptWithin, panned, zoomed } from "./picture-camera.ts";
import { loadLand, loadNames } from "./picture-files.ts";
import { pictureLines } from "./picture-lines.ts";

/** What a picture reports. */
export interface PictureEvents {
  /** The camera changed; the first time when the picture has its size. */
  onCamera(camera: Camera): void;
  /** The camera came to rest somewhere else. */
  onMove(camera: Camera): void;
  onView(box: ViewBox): void;
  /** The first field is drawn, or none is expected. */
  onFirstField(): void;
}

/** A picture of the map, in a canvas of two dimensions. */
export interface OpenPicture<S extends Scene> extends MapControls {
  draw(scene: S): void;
  camera(): Camera;
  /** The shape at a point that can be clicked. */
  pick(at: ScreenPoint): Picked | undefined;
  pan(right: number, down: number): void;
  zoomAt(zoom: number, at: ScreenPoint): void;
  /** The camera rests: the address may name it. */
  rest(): void;
  close(): void;
}

/** How long after the last step of a wheel or a key the camera rests, ms. */
const REST_MS = 250;

/**
 * Opens a picture in a canvas. `data-idle` of the canvas is "true" while nothing is being loaded or drawn.
 */
export function openPicture<S extends Scene>(
  canvas: HTMLCanvasElement,
  start: Pick<Camera, "centre" | "zoom">,
  paintAdded: PaintAdded<S>,
  events: PictureEvents,
  words: Words,
): OpenPicture<S> {
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  let camera: Camera = { width: 0, height: 0, ...start };
  let scene: S | undefined;
  let added: AddedPicture | undefined;
  let frame = 0;
  let loading = 0;
  let hasField = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let endMoves = (): unknown => undefined;
  const data: PictureData = {};
  const drawn: (() => void)[] = [];
  const lines = pictureLines(words, () => redraw());

  const paint = () => {
    frame = 0;
    if (!pen || !scene || camera.width === 0) return;
    const contoured = lines.of(scene, camera.zoom);
    data.lines = contoured;
    const ratio = canvas.width / camera.width;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    added = paintPicture(pen, camera, scene, data, mapColours(canvas), words, paintAdded);
    if (!hasField && (scene.field || !scene.awaited)) {
      hasField = true;
      if (scene.field) markField(events.onFirstField);
      else events.onFirstField();
    }
    if (loading > 0 || !contoured) return;
    canvas.setAttribute("data-idle", "true");
    for (const resolve of drawn.splice(0)) resolve();
  };
  const redraw = () => {
    canvas.setAttribute("data-idle", "false");
    frame ||= requestAnimationFrame(paint);
  };
  const load = async (file: Promise<void>) => {
    loading++;
    // Without a file the picture is drawn with what there is.
    await file.catch(reportError);
    loading--;
    redraw();
  };
  const move = (next: Camera) => {
    camera = next;
    events.onCamera(camera);
    redraw();
  };
  const rest = () => {
    clearTimeout(resting);
    resting = undefined;
    events.onView(boxOfCamera(camera));
    events.onMove(camera);
  };
  const restLater = () => {
    clearTimeout(resting);
    resting = setTimeout(rest, REST_MS);
  };
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    move(keptWithin({ ...camera, width, height }));
    // What is on the screen stays there, until the next frame.
    cancelAnimationFrame(frame);
    paint();
    events.onView(boxOfCamera(camera));
  };
  const size = new ResizeObserver(resize);
  size.observe(canvas);
  // A text is drawn in the letters of the device until those of the page have come.
  document.fonts.addEventListener("loadingdone", redraw);
  void load(loadLand().then((land) => void Object.assign(data, { land })));
  void load(loadNames().then((names) => void Object.assign(data, { names })));

  return {
    draw(next) {
      if (next.compared?.divider !== scene?.compared?.divider) {
        endMoves();
        endMoves = next.compared?.divider.onMove(redraw) ?? (() => undefined);
      }
      scene = next;
      redraw();
    },
    camera: () => camera,
    pick: ({ x, y }) => added?.pick(x, y),
    pan(right, down) {
      move(panned(camera, right, down));
      restLater();
    },
    zoomAt(zoom, at) {
      move(zoomed(camera, zoom, at));
      restLater();
    },
    rest,
    goTo(centre, zoom = camera.zoom, aside = 0) {
      move(panned(keptWithin({ ...camera, centre, zoom }), aside * camera.width, 0));
      rest();
    },
    fit(box, maxZoom = MAX_FIT_ZOOM, aside = 0) {
      move(panned(fitted(camera, box, FIT_PADDING, maxZoom), aside * camera.width, 0));
      rest();
    },
    centre: () => camera.centre,
    copyTo(copy) {
      paint();
      copy.width = canvas.width;
      copy.height = canvas.height;
      copy.getContext("2d")?.drawImage(canvas, 0, 0);
    },
    drawn: () =>
      new Promise((resolve) => {
        if (canvas.dataset.idle === "true") resolve();
        else drawn.push(resolve);
      }),
    focus: () => canvas.focus({ preventScroll: true }),
    close() {
      if (resting !== undefined) rest();
      cancelAnimationFrame(frame);
      size.disconnect();
      endMoves();
      document.fonts.removeEventListener("loadingdone", redraw);
      lines.close();
    },
  };
}
