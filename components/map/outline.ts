import { landIndex, type OnLand } from "#components/map/symbols/land-index.ts";
import type { LandScale } from "./fetch-land.ts";
import type { MapHost } from "./map-layer.ts";
import type { OutlineReply } from "./outline.worker.ts";
import { COARSE_ZOOM } from "./view-plan.ts";

export interface Outline {
  onLand: OnLand;
  /** Object URL of the coast as GeoJSON. */
  coast: string;
}

const loading = new Map<LandScale, Promise<Outline>>();

/** Loads the outline of the land once for all callers; a failed load is repeated by the next caller. */
export function loadOutline(scale: LandScale = "50m"): Promise<Outline> {
  const known = loading.get(scale);
  if (known) return known;
  const load = loadInWorker(scale).catch((error: unknown) => {
    loading.delete(scale);
    throw error;
  });
  loading.set(scale, load);
  return load;
}

/** Scale of the land outline that suits a zoom. */
export const landScale = (zoom: number): LandScale => (zoom > COARSE_ZOOM ? "50m" : "110m");

/**
 * The land test for a map layer, from the finest outline that a zoom has required so far. It is undefined
 * until an outline is loaded, which the first call starts. After a failure the next call tries again.
 *
 * @param onLoad Called when the test becomes available.
 */
export function landTest({ map, waitFor }: MapHost, onLoad: () => void): () => OnLand | undefined {
  const loaded: Partial<Record<LandScale, OnLand>> = {};
  const requested = new Set<LandScale>();
  const request = (scale: LandScale) => {
    requested.add(scale);
    const load = loadOutline(scale).then(
      ({ onLand }) => {
        loaded[scale] = onLand;
        onLoad();
      },
      () => void requested.delete(scale),
    );
    waitFor(load);
  };
  return () => {
    const scale = requested.has("50m") ? "50m" : landScale(map.getZoom());
    if (!requested.has(scale)) request(scale);
    return loaded["50m"] ?? loaded["110m"];
  };
}

function loadInWorker(scale: LandScale): Promise<Outline> {
  const worker = new Worker(new URL("./outline.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Outline>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<OutlineReply>) => {
      if ("failed" in data) reject(new Error(data.failed));
      else resolve({ onLand: landIndex(data.edges), coast: URL.createObjectURL(data.coast) });
    });
    worker.addEventListener("error", () => reject(new Error("The outline of the land could not be read.")));
    worker.postMessage(scale);
  }).finally(() => worker.terminate());
}
