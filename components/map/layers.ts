import { isolinesMapLayer } from "#components/map/isolines/isolines-map-layer.ts";
import { particlesOffer } from "#components/map/particles/unasked-particles.ts";
import { symbolsMapLayer } from "#components/map/symbols/symbols-map-layer.ts";
import { linedVariables } from "#components/view-state/overlays.ts";
import { basemapMapLayer } from "./basemap-map-layer.ts";
import { fieldMapLayer } from "./field-map-layer.ts";
import { graticuleMapLayer } from "./graticule-map-layer.ts";
import type { MapLayer, OpenMapLayer } from "./map-layer.ts";
import { marksMapLayer } from "./marks-map-layer.ts";
import { namesMapLayer } from "./names-map-layer.ts";
import { reliefMapLayer } from "./relief-map-layer.ts";
import { routeMapLayer } from "./route-map-layer.ts";
import type { Scene } from "./scene.ts";

/**
 * Layers that are open from the start. Their order does not matter, because each names its place in
 * `layerOrder`.
 */
export const initialLayers: readonly OpenMapLayer[] = [basemapMapLayer, reliefMapLayer, fieldMapLayer];

/** Layers that open after the first field, so that they do not delay it. */
export const deferredLayers: readonly OpenMapLayer[] = [
  ...linedVariables.map(
    (lined): OpenMapLayer =>
      (host) =>
        isolinesMapLayer(host, lined),
  ),
  symbolsMapLayer,
  particlesOffer,
  lazyMapLayer(
    () => import("./particles/particles-map-layer.ts").then((file) => file.particlesMapLayer),
    ({ symbols }) => symbols.some(({ kind }) => kind === "particles"),
  ),
  routeMapLayer,
  // These load on demand because most views have no plan.
  lazyMapLayer(
    () => import("./plan-map-layer.ts").then((file) => file.planMapLayer),
    ({ plan }) => plan !== undefined,
  ),
  lazyMapLayer(
    () => import("./area-map-layer.ts").then((file) => file.areaMapLayer),
    ({ area }) => area !== undefined,
  ),
  lazyMapLayer(
    () => import("./tiles-map-layer.ts").then((file) => file.tilesMapLayer),
    ({ tiles }) => tiles.length > 0,
  ),
  marksMapLayer,
  graticuleMapLayer,
  namesMapLayer,
];

/**
 * A map layer whose file is loaded with the first scene that needs it. It must not have deck.gl layers. If
 * loading fails, the next scene tries again.
 */
export function lazyMapLayer<S extends Scene = Scene>(
  load: () => Promise<OpenMapLayer<S>>,
  isNeeded: (scene: S) => boolean,
): OpenMapLayer<S> {
  return (host) => {
    let layer: MapLayer<S> | undefined;
    let latest: S | undefined;
    let isAsked = false;
    let isClosed = false;
    const open = async () => {
      try {
        const openLayer = await load();
        if (isClosed) return;
        layer = openLayer(host);
        if (latest) layer.draw?.(latest, undefined);
      } finally {
        isAsked = layer !== undefined;
      }
    };
    return {
      draw(scene, last) {
        latest = scene;
        if (layer) layer.draw?.(scene, last);
        else if (!isAsked && isNeeded(scene)) {
          isAsked = true;
          host.waitFor(open());
        }
      },
      close() {
        isClosed = true;
        layer?.close?.();
      },
    };
  };
}
