import { landIndex, type OnLand } from "#components/map/symbols/land-index.ts";
import type { MapHost } from "./map-layer.ts";
import type { OutlineReply } from "./outline.worker.ts";

export interface Outline {
  onLand: OnLand;
  /** Object URL of the coast as GeoJSON. */
  coast: string;
}

let loading: Promise<Outline> | undefined;

/** The outline of the land, loaded once for all callers; a failed load is tried again by the next caller. */
export function loadOutline(): Promise<Outline> {
  loading ??= loadInWorker().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/**
 * The land test for a map layer: undefined until the outline is loaded, which the first call starts. After a failure the
 * next call tries again.
 *
 * @param onLoad Called when the test is known.
 */
export function landTest({ waitFor }: MapHost, onLoad: () => void): () => OnLand | undefined {
  let onLand: OnLand | undefined;
  let requested = false;
  return () => {
    if (!onLand && !requested) {
      requested = true;
      const load = loadOutline().then(
        (outline) => {
          onLand = outline.onLand;
          onLoad();
        },
        () => {
          requested = false;
        },
      );
      waitFor(load);
    }
    return onLand;
  };
}

function loadInWorker(): Promise<Outline> {
  const worker = new Worker(new URL("./outline.worker.ts", import.meta.url), { type: "module" });
  return new Promise<Outline>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<OutlineReply>) => {
      if ("failed" in data) reject(new Error(data.failed));
      else resolve({ onLand: landIndex(data.edges), coast: URL.createObjectURL(data.coast) });
    });
    worker.addEventListener("error", () => reject(new Error("The outline of the land could not be read.")));
    worker.postMessage(undefined);
  }).finally(() => worker.terminate());
}
