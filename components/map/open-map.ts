import { Layer } from "@deck.gl/core";
import { MapLibreOverlay } from "@deck.gl/maplibre";
import type { ViewBox } from "@open-metocean/geo/box";
import {
  AttributionControl,
  Map as MapLibreMap,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import type { Place } from "#components/view-state/view-url.ts";
import type { Words } from "#lib/messages/words.ts";
import { deferredLayers, initialLayers } from "./layers.ts";
import { attachMapEvents, centreOf, followCanvas, type MapEvents } from "./map-events.ts";
import { type AddedLayers, deckGroups, endOf, layerOrder, type MapHost, type MapLayer } from "./map-layer.ts";
import { isProbed } from "./probe.ts";
import type { Projection, Scene } from "./scene.ts";
import { tilesOf } from "./tile-source.ts";

// The bundler cannot see from which file MapLibre starts its worker, and copies the file only if it is named
// here.
setWorkerUrl(new URL("maplibre-gl/dist/maplibre-gl-worker.mjs", import.meta.url).href);

/** Distance between a place and the panel that it is moved away from, pixels; the buttons of the zoom are between them. */
const CLEAR_PX = 72;

/**
 * Padding around a box that is shown as a whole, clear of notices and legend, pixels, and the closest zoom
 * for it.
 */
const FIT_PADDING = { top: 70, right: 70, bottom: 120, left: 70 };
const MAX_FIT_ZOOM = 6;

/** Widths of the panels over the edges of the map, pixels. */
export interface Covered {
  right: number;
  bottom: number;
}

export interface OpenMap<S extends Scene = Scene> {
  draw(scene: S): void;
  /** @param aside Offset of the place to the right of the middle, in map widths. */
  goTo(place: Place, zoom?: number, aside?: number): void;
  /**
   * Shows a whole box; if it crosses the antimeridian its east is above 180 or its west below −180. @param
   * aside As in `goTo`.
   */
  fit(box: ViewBox, maxZoom?: number, aside?: number, covered?: Covered): void;
  /**
   * Moves the map so that a place is not covered by a panel at the right or bottom, if there is space for it.
   */
  uncover(place: Place, over: DOMRect): void;
  /** Moves a place that is out of sight into the middle of the uncovered part. */
  reveal(place: Place, covered: Covered): void;
  /** Number of times that the user has moved the map. */
  userMoves(): number;
  centre(): Place;
  /** Draws the map immediately into a canvas, which takes the map's size; used for printing. */
  copyTo(canvas: HTMLCanvasElement): void;
  /** Resolves when the last scene is drawn. */
  drawn(): Promise<void>;
  /** Gives the keyboard focus to the map. */
  focus(): void;
  close(): void;
}

/** The commands that a page may give to an open map. */
export type MapControls = Omit<OpenMap, "draw" | "close">;

/** Initial camera. */
export interface Camera {
  centre: Place;
  zoom: number;
  /** Projection of the first scene; on the globe the centre may be closer to a pole than in Mercator. */
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
  /** Start of the frame in which the map was last drawn, milliseconds since the page opened. */
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
    // deck.gl picks up the layers in the next frame and repaints the map if they changed. A map frame after
    // that one is certain to contain them; if there is none, it is requested.
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
    onTiles: events.onTiles,
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
  // A file that could not be read triggers no frame; without a repaint the map would never become idle.
  map.on("error", ({ error, ...event }) => {
    // Another service's tiles are no fault of this page; their layer states that they are missing.
    if (tilesOf((event as { sourceId?: string }).sourceId) === undefined) reportError(error);
    map.triggerRepaint();
  });

  busy();
  map.once("style.load", () => {
    // The overlay adds layers to the style only while no source is loading, so it must come before the map
    // layers.
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
  // MapLibre drops its style immediately and deck.gl never recovers, so another map must be opened.
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
      // On the far side of the globe the same point shows another place.
      const isFront = Math.abs(map.unproject([x, y]).lat - latitude) < 1;
      if (x > 0 && x < width && y > 0 && y < height && isFront) return;
      map.easeTo({ center: place, offset: [-right / 2, -bottom / 2] });
    },
    userMoves: () => userMoves,
    centre: () => centreOf(map),
    copyTo(canvas) {
      // The drawing buffer is lost after the frame, so the map is drawn and copied at once.
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

/** Least part of the map, in pixels, that a shape is fitted into; below a sheet that leaves less it has the whole map. */
const LEAST_ROOM_PX = 120;

/** Padding around a shape that is shown as a whole; smaller on a small map. */
function paddingOf({ clientWidth, clientHeight }: HTMLElement, covered: Covered) {
  const edges = FIT_PADDING;
  const right = clientWidth - covered.right < LEAST_ROOM_PX ? 0 : covered.right;
  const bottom = clientHeight - covered.bottom < LEAST_ROOM_PX ? 0 : covered.bottom;
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

/** Reserves the position of a group's deck.gl layers in the style, whether or not there are any. */
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
    // Lines, symbols and text are anti-aliased by their shaders; multisampling would only improve the rim of
    // the globe.
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
  const credit = `<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">${words.attribution}</a>`;
  map.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
  // Credit and scale stand beside the buttons: at the top they would cover the labels of the meridians.
  map.addControl(new AttributionControl({ compact: false, customAttribution: credit }), "bottom-right");
  map.addControl(new ScaleControl({ unit: "nautical" }), "bottom-right");
  return map;
}
