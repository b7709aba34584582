import type * as MapLibre from "maplibre-gl";

/** MapLibre as `scripts/map-library.mjs` builds it: what the map uses of it. */
type MapLibrary = Pick<
  typeof MapLibre,
  "Map" | "NavigationControl" | "ScaleControl" | "GPUInitializationError"
>;

let library: MapLibrary | undefined;
let loading: Promise<MapLibrary> | undefined;
let failures = 0;

/**
 * Loads MapLibre, once. It is a file of its own, outside the bundles of the page, because MapLibre's worker runs the same
 * one: the second time it comes from the browser's cache.
 */
export function loadMapLibrary(): Promise<MapLibrary> {
  loading ??= importLibrary().catch((error: unknown) => {
    loading = undefined;
    failures++;
    throw error;
  });
  return loading;
}

/** MapLibre; it must have been loaded. */
export function mapLibrary(): MapLibrary {
  if (!library) throw new Error("The map's library has not been loaded.");
  return library;
}

async function importLibrary(): Promise<MapLibrary> {
  const { href } = new URL("./generated/maplibre.mjs", import.meta.url);
  // Browsers remember that a module did not come, by its whole address.
  const address = failures === 0 ? href : `${href}#${failures}`;
  library = (await import(/* turbopackIgnore: true */ /* webpackIgnore: true */ address)) as MapLibrary;
  return library;
}
