import { isobarsMapLayer, waveHeightsMapLayer } from "#components/map/isolines/isolines-map-layer.ts";
import { particlesMapLayer } from "#components/map/particles/particles-map-layer.ts";
import { symbolsMapLayer } from "#components/map/symbols/symbols-map-layer.ts";
import { stormsMapLayer } from "#components/storms/storms-map-layer.ts";
import { basemapMapLayer } from "./basemap-map-layer.ts";
import { fieldMapLayer } from "./field-map-layer.ts";
import { graticuleMapLayer } from "./graticule-map-layer.ts";
import type { OpenMapLayer } from "./map-layer.ts";
import { marksMapLayer } from "./marks-map-layer.ts";
import { namesMapLayer } from "./names-map-layer.ts";
import { reliefMapLayer } from "./relief-map-layer.ts";

/** What the map draws. The order does not matter: each says how high it lies. */
export const initialLayers: readonly OpenMapLayer[] = [basemapMapLayer, reliefMapLayer, fieldMapLayer];

/** What it draws after the first field, so that nothing of theirs takes time from it. */
export const deferredLayers: readonly OpenMapLayer[] = [
  isobarsMapLayer,
  waveHeightsMapLayer,
  symbolsMapLayer,
  particlesMapLayer,
  stormsMapLayer,
  marksMapLayer,
  graticuleMapLayer,
  namesMapLayer,
];
