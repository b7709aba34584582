import { coastMapLayer } from "#components/map/coast/coast-map-layer.ts";
import { isolinesMapLayer } from "#components/map/isolines/isolines-map-layer.ts";
import { particlesMapLayer } from "#components/map/particles/particles-map-layer.ts";
import { symbolsMapLayer } from "#components/map/symbols/symbols-map-layer.ts";
import { linedVariables } from "#components/view-state/overlays.ts";
import { basemapMapLayer } from "./basemap-map-layer.ts";
import { fieldMapLayer } from "./field-map-layer.ts";
import { graticuleMapLayer } from "./graticule-map-layer.ts";
import { lazyMapLayer } from "./lazy-map-layer.ts";
import type { OpenMapLayer } from "./map-layer.ts";
import { marksMapLayer } from "./marks-map-layer.ts";
import { namesMapLayer } from "./names-map-layer.ts";
import { reliefMapLayer } from "./relief-map-layer.ts";
import { routeMapLayer } from "./route-map-layer.ts";

/** Drawn from the start. The order does not matter: each names its place in `layerOrder`. */
export const initialLayers: readonly OpenMapLayer[] = [basemapMapLayer, reliefMapLayer, fieldMapLayer];

/** Opened after the first field, so that they do not delay it. */
export const deferredLayers: readonly OpenMapLayer[] = [
  coastMapLayer,
  ...linedVariables.map(
    (lined): OpenMapLayer =>
      (host) =>
        isolinesMapLayer(host, lined),
  ),
  symbolsMapLayer,
  particlesMapLayer,
  routeMapLayer,
  // Most views have no plan.
  lazyMapLayer(
    () => import("./plan-map-layer.ts").then((file) => file.planMapLayer),
    ({ plan }) => plan !== undefined,
  ),
  lazyMapLayer(
    () => import("./area-map-layer.ts").then((file) => file.areaMapLayer),
    ({ area }) => area !== undefined,
  ),
  marksMapLayer,
  graticuleMapLayer,
  namesMapLayer,
];
