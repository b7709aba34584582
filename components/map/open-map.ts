import { Layer } from "@deck.gl/core";
import { MapLibreOverlay } from "@deck.gl/maplibre";
import { Map as MapLibreMap, NavigationControl, ScaleControl, setWorkerUrl } from "maplibre-gl";
import type { Place } from "#components/view-state/view-url.ts";
import { initialLayers, deferredLayers } from "./layers.ts";
import { centreOf, attachMapEvents, type MapEvents } from "./map-events.ts";
import { deckLayerOrder, layerOrder, type MapHost, type MapLayer, endOf } from "./map-layer.ts";
import { isProbed } from "./probe.ts";
import type { Projection, Scene } from "./scene.ts";

setWorkerUrl(new URL("maplibre-gl/dist/maplibre-gl-worker.mjs", import.meta.url).href);

/** A map that is open. */
export interface OpenMap {
  draw(scene: Scene): void;
  goTo(place: Place, zoom?: number): void;
  centre(): Place;
  close(): void;
}

/** Where a map looks when it opens. */
export interface Camera {
  centre: Place;
  zoom: number;
  /** As of the first scene: on the globe the centre may lie nearer to a pole than on Mercator. */
  projection: Projection;
}

/**
 * Opens a map in an element, north up, drawn by the parts of components/map/layers.ts.
 *
 * `data-idle` of the element is "true" while nothing is being loaded or drawn.
 */
export function openMap(element: HTMLElement, camera: Camera, events: MapEvents): OpenMap {
  const probe = isProbed();
  const map = newMap(element, camera, probe);
  const deckLoaded = Promise.withResolvers<void>();
  const overlay = new MapLibreOverlay({ interleaved: true, layers: [], onLoad: deckLoaded.resolve });
  map.addControl(overlay);
  attachMapEvents(map, events);

  let open: MapLayer[] | undefined;
  let scene: Scene | undefined;
  let drawn: Scene | undefined;
  let waiting = 0;
  const busy = () => element.setAttribute("data-idle", "false");
  const show = () => {
    if (!open || !scene) return;
    busy();
    const layers = open.flatMap((part) => (scene && part.layers?.(scene)) ?? []);
    overlay.setProps({ layers: [...places(), ...layers] });
    waiting++;
    // deck.gl takes the layers over in the next frame, and has the map drawn: one drawn before that would be for nothing.
    // The frame after it is the first that is sure to have them.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        map.once("render", () => {
          waiting--;
        });
        map.triggerRepaint();
      }),
    );
  };
  const draw = () => {
    if (!open || !scene || scene === drawn) return;
    const last = drawn;
    drawn = scene;
    if (scene.projection !== (last ?? camera).projection) map.setProjection({ type: scene.projection });
    for (const part of open) part.draw?.(scene, last);
    show();
  };
  const firstField = Promise.withResolvers<void>();
  const host: MapHost = {
    map,
    element,
    probe,
    firstField: firstField.promise,
    onFirstField: firstField.resolve,
    redraw: show,
    waitFor(work) {
      waiting++;
      busy();
      const end = () => {
        waiting--;
        map.triggerRepaint();
      };
      work.then(end, (error: unknown) => {
        reportError(error);
        end();
      });
    },
  };
  host.waitFor(deckLoaded.promise.then(() => show()));
  // A file that could not be read asks for no frame, and what waits for rest would wait for ever.
  map.on("error", ({ error }) => {
    reportError(error);
    map.triggerRepaint();
  });

  busy();
  map.once("style.load", () => {
    // The overlay puts layers into the style only while no source is loading: before the parts add theirs.
    overlay.setProps({ layers: places() });
    open = initialLayers.map((part) => part(host));
    draw();
    host.waitFor(firstField.promise.then(openLater));
  });
  const openLater = () => {
    events.onFirstField();
    if (!open) return;
    for (const openPart of deferredLayers) {
      const part = openPart(host);
      open.push(part);
      if (drawn) part.draw?.(drawn, undefined);
    }
    show();
  };
  const closeParts = () => {
    for (const part of open ?? []) part.close?.();
    open = undefined;
  };
  // MapLibre gives up its style at once; deck.gl never recovers, so that the map has to be opened anew.
  map.on("webglcontextlost", closeParts);
  map.on("webglcontextrestored", () => events.onRestored());
  map.on("idle", () => {
    if (!scene?.awaited) firstField.resolve();
    if (waiting === 0 && open && map.isStyleLoaded()) element.setAttribute("data-idle", "true");
  });
  map.on("dataloading", busy);
  map.on("movestart", busy);

  return {
    draw(next) {
      scene = next;
      draw();
    },
    goTo: ({ latitude, longitude }, to = map.getZoom()) =>
      void map.easeTo({ center: [longitude, latitude], zoom: to }),
    centre: () => centreOf(map),
    close() {
      closeParts();
      map.remove();
    },
  };
}

/** Keeps the place of a height's deck.gl layers in the style, whether there are any or not. */
class PlaceLayer extends Layer {
  static override layerName = "PlaceLayer";
  override initializeState(): void {}
}

const places = (): Layer[] =>
  deckLayerOrder.map((height) => {
    const options = { id: `place-of-${height}`, beforeId: endOf(height), visible: false };
    return new PlaceLayer(options);
  });

function newMap(element: HTMLElement, { centre, zoom, projection }: Camera, probe: boolean): MapLibreMap {
  const map = new MapLibreMap({
    container: element,
    style: {
      version: 8,
      projection: { type: projection },
      sources: {},
      layers: layerOrder.map((height) => ({
        id: endOf(height),
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
    // Lines, symbols and text have soft edges of their own; four samples a pixel would serve the rim of the globe alone.
    canvasContextAttributes: { antialias: false, preserveDrawingBuffer: probe },
    locale: { "Map.Title": "Weather map" },
  });
  map.keyboard.disableRotation();
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "bottom-right");
  map.addControl(new ScaleControl({ unit: "nautical" }), "top-right");
  return map;
}
