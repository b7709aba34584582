import { Layer } from "@deck.gl/core";
import { MapLibreOverlay } from "@deck.gl/maplibre";
import { Map as MapLibreMap, NavigationControl, ScaleControl, setWorkerUrl } from "maplibre-gl";
import type { Place } from "#components/view-state/view-url.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import type { Words } from "#lib/messages/words.ts";
import { deferredLayers, initialLayers } from "./layers.ts";
import { attachMapEvents, centreOf, followCanvas, type MapEvents } from "./map-events.ts";
import { type AddedLayers, deckGroups, endOf, layerOrder, type MapHost, type MapLayer } from "./map-layer.ts";
import { isProbed } from "./probe.ts";
import type { Projection, Scene } from "./scene.ts";

// The bundler cannot see which file MapLibre starts its worker from, and copies it only where it is named.
setWorkerUrl(new URL("maplibre-gl/dist/maplibre-gl-worker.mjs", import.meta.url).href);

/** Between a place and what it is moved clear of, pixels. */
const CLEAR_PX = 48;

/** Pixels around a box that is shown whole, clear of notices and legend; and how close the map goes. */
const FIT_PADDING = { top: 70, right: 70, bottom: 120, left: 70 };
const MAX_FIT_ZOOM = 6;

/** What lies over the edges of the map, pixels. */
export interface Covered {
  right: number;
  bottom: number;
}

/** Handle of an open map. */
export interface OpenMap<S extends Scene = Scene> {
  draw(scene: S): void;
  /** @param aside How far right of the middle the place is to be, in widths of the map. */
  goTo(place: Place, zoom?: number, aside?: number): void;
  /** Shows a box whole; one across the antimeridian has its east above 180 or its west below −180. @param aside As of `goTo`. */
  fit(box: ViewBox, maxZoom?: number, aside?: number, covered?: Covered): void;
  /** Moves a place out from under what lies over the right or the bottom of the map, where that leaves room for it. */
  uncover(place: Place, over: DOMRect): void;
  /** Moves a place that is out of sight into the middle of what nothing covers. */
  reveal(place: Place, covered: Covered): void;
  /** How often the user has moved the map. */
  userMoves(): number;
  centre(): Place;
  /** Draws the map at once into a canvas, which gets the map's size: for paper. */
  copyTo(canvas: HTMLCanvasElement): void;
  /** Resolves when the last scene is drawn. */
  drawn(): Promise<void>;
  /** Gives the map the keyboard. */
  focus(): void;
  close(): void;
}

/** The commands that a page gives to an open map. */
export type MapControls = Omit<OpenMap, "draw" | "close">;

/** Initial camera. */
export interface Camera {
  centre: Place;
  zoom: number;
  /** Of the first scene: on the globe the centre may be closer to a pole than on Mercator. */
  projection: Projection;
}

/**
 * Opens a map in an element, north up, drawn by the layers of components/map/layers.ts.
 *
 * `data-idle` of the element is "true" while nothing is being loaded or drawn.
 */
export function openMap<S extends Scene>(
  element: HTMLElement,
  camera: Camera,
  added: AddedLayers<S>,
  events: MapEvents,
  words: Words,
): OpenMap<S> {
  const probe = isProbed();
  const map = newMap(element, camera, probe, words);
  const deckLoaded = Promise.withResolvers<void>();
  const overlay = new MapLibreOverlay({
    interleaved: true,
    layers: [],
    onDeviceInitialized: (device) => void map.on("resize", () => followCanvas(device)),
    onLoad: deckLoaded.resolve,
  });
  map.addControl(overlay);
  attachMapEvents(map, added.pickable, events);

  let open: MapLayer<S>[] | undefined;
  let scene: S | undefined;
  let drawn: S | undefined;
  let pending = 0;
  /** Start of the frame in which the map was drawn last, milliseconds of the page. */
  let rendered = 0;
  let isIdle = false;
  const settled: (() => void)[] = [];
  const busy = () => element.setAttribute("data-idle", "false");
  const settle = () => {
    if (!isIdle || pending > 0 || map.isMoving() || !open || !map.isStyleLoaded()) return;
    element.setAttribute("data-idle", "true");
    for (const resolve of settled.splice(0)) resolve();
  };
  const show = () => {
    if (!open || !scene) return;
    busy();
    const layers = open.flatMap((layer) => (scene && layer.layers?.(scene)) ?? []);
    overlay.setProps({ layers: [...placeholders(), ...layers] });
    pending++;
    // deck.gl picks the layers up in the next frame and repaints the map if they changed. A frame of the map after that one
    // is certain to have them; where there is none, it is requested.
    requestAnimationFrame((pickedUp) =>
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (rendered > pickedUp) {
            pending--;
            settle();
            return;
          }
          map.once("render", () => {
            pending--;
          });
          map.triggerRepaint();
        }),
      ),
    );
  };
  const draw = () => {
    if (!open || !scene || scene === drawn) return;
    const last = drawn;
    drawn = scene;
    if (scene.projection !== (last ?? camera).projection) map.setProjection({ type: scene.projection });
    for (const layer of open) layer.draw?.(scene, last);
    show();
  };
  const firstField = Promise.withResolvers<void>();
  const host: MapHost = {
    map,
    element,
    words,
    probe,
    firstField: firstField.promise,
    onFirstField: firstField.resolve,
    redraw: show,
    waitFor(work) {
      pending++;
      busy();
      const end = () => {
        pending--;
        map.triggerRepaint();
      };
      work.then(end, (error: unknown) => {
        reportError(error);
        end();
      });
    },
  };
  host.waitFor(deckLoaded.promise.then(() => show()));
  // A file that could not be read requests no frame: without a repaint the map would never become idle.
  map.on("error", ({ error }) => {
    reportError(error);
    map.triggerRepaint();
  });

  busy();
  map.once("style.load", () => {
    // The overlay adds layers to the style only while no source is loading, hence before the map layers add theirs.
    overlay.setProps({ layers: placeholders() });
    open = initialLayers.map((openLayer) => openLayer(host));
    draw();
    host.waitFor(firstField.promise.then(openDeferred));
  });
  const openDeferred = () => {
    events.onFirstField();
    if (!open) return;
    for (const openLayer of [...deferredLayers, ...added.layers]) {
      const layer = openLayer(host);
      open.push(layer);
      if (drawn) layer.draw?.(drawn, undefined);
    }
    show();
  };
  const closeLayers = () => {
    for (const layer of open ?? []) layer.close?.();
    open = undefined;
  };
  // MapLibre drops its style at once and deck.gl never recovers: another map must be opened.
  map.on("webglcontextlost", closeLayers);
  map.on("webglcontextrestored", () => events.onRestored());
  map.on("render", () => {
    rendered = Number(document.timeline.currentTime);
    isIdle = false;
  });
  map.on("idle", () => {
    isIdle = true;
    if (!scene?.awaited) firstField.resolve();
    settle();
  });
  map.on("dataloading", busy);
  map.on("movestart", busy);
  let userMoves = 0;
  map.on("movestart", ({ originalEvent }) => {
    if (originalEvent) userMoves++;
  });

  const offsetOf = (aside: number): [number, number] => [aside * element.clientWidth, 0];

  return {
    draw(next) {
      scene = next;
      draw();
    },
    goTo: ({ latitude, longitude }, to = map.getZoom(), aside = 0) =>
      void map.easeTo({ center: [longitude, latitude], zoom: to, offset: offsetOf(aside) }),
    fit: (
      { south, north, west, east },
      maxZoom = MAX_FIT_ZOOM,
      aside = 0,
      covered = { right: 0, bottom: 0 },
    ) =>
      void map.fitBounds([west, south, east, north], {
        padding: paddingOf(element, covered),
        maxZoom,
        offset: offsetOf(aside),
      }),
    uncover({ latitude, longitude }, over) {
      const move = () => {
        const area = map.getCanvas().getBoundingClientRect();
        const { x, y } = map.project([longitude, latitude]);
        const isBeside = over.left > area.left + CLEAR_PX;
        const [width, height] = [over.left - area.left, over.top - area.top];
        const by: [number, number] = isBeside
          ? [Math.max(0, x + CLEAR_PX - width), 0]
          : [0, Math.max(0, y + CLEAR_PX - height)];
        const hasRoom = (isBeside ? width : height) > 2 * CLEAR_PX;
        if (hasRoom && (by[0] > 0 || by[1] > 0) && x < area.width && y < area.height) map.panBy(by);
      };
      if (map.isMoving()) map.once("moveend", move);
      else move();
    },
    reveal({ latitude, longitude }, { right, bottom }) {
      const near = centreOf(map).longitude;
      const place: [number, number] = [longitude + 360 * Math.round((near - longitude) / 360), latitude];
      const { x, y } = map.project(place);
      const [width, height] = [element.clientWidth - right, element.clientHeight - bottom];
      // Of the far side of a globe another place is seen there.
      const isFront = Math.abs(map.unproject([x, y]).lat - latitude) < 1;
      if (x > 0 && x < width && y > 0 && y < height && isFront) return;
      map.easeTo({ center: place, offset: [-right / 2, -bottom / 2] });
    },
    userMoves: () => userMoves,
    centre: () => centreOf(map),
    copyTo(canvas) {
      // The drawing buffer is gone after the frame.
      map.redraw();
      const drawing = map.getCanvas();
      canvas.width = drawing.width;
      canvas.height = drawing.height;
      canvas.getContext("2d")?.drawImage(drawing, 0, 0);
    },
    drawn: () =>
      new Promise((resolve) => {
        settled.push(resolve);
        settle();
      }),
    focus: () => map.getCanvas().focus({ preventScroll: true }),
    close() {
      closeLayers();
      map.remove();
    },
  };
}

/** Room around what is shown whole: less where there is little. */
function paddingOf({ clientWidth, clientHeight }: HTMLElement, { right, bottom }: Covered) {
  const edges = FIT_PADDING;
  const share = (length: number, most: number) => Math.max(0, Math.min(1, length / 3 / most));
  const across = share(clientWidth - right, edges.left + edges.right);
  const down = share(clientHeight - bottom, edges.top + edges.bottom);
  return {
    top: down * edges.top,
    left: across * edges.left,
    right: right + across * edges.right,
    bottom: bottom + down * edges.bottom,
  };
}

/** Reserves the position of a group's deck.gl layers in the style, whether there are any or not. */
class PlaceholderLayer extends Layer {
  static override layerName = "PlaceholderLayer";
  override initializeState(): void {}
}

const placeholders = (): Layer[] =>
  deckGroups.map((group) => {
    const options = { id: `place-of-${group}`, beforeId: endOf(group), visible: false };
    return new PlaceholderLayer(options);
  });

function newMap(
  element: HTMLElement,
  { centre, zoom, projection }: Camera,
  probe: boolean,
  { catalog, map: words }: Words,
): MapLibreMap {
  const map = new MapLibreMap({
    container: element,
    style: {
      version: 8,
      projection: { type: projection },
      sources: {},
      layers: layerOrder.map((group) => ({
        id: endOf(group),
        type: "background",
        layout: { visibility: "none" },
      })),
    },
    center: [centre.longitude, centre.latitude],
    zoom,
    minZoom: 0.5,
    maxZoom: 12,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: 0,
    // Lines, symbols and text are anti-aliased by themselves; multisampling would serve the rim of the globe alone.
    canvasContextAttributes: { antialias: false, preserveDrawingBuffer: probe },
    locale: {
      "Map.Title": words.title,
      "NavigationControl.ZoomIn": words.zoomIn,
      "NavigationControl.ZoomOut": words.zoomOut,
      "ScaleControl.NauticalMiles": catalog.nauticalMile,
    },
  });
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
  map.addControl(new ScaleControl({ unit: "nautical" }), "top-right");
  return map;
}
