import { landIndex, type OnLand } from "#components/map/symbols/land-index.ts";
import type { OutlineReply } from "./outline.worker.ts";

export interface Outline {
  onLand: OnLand;
  /** Address of the coast as GeoJSON, in this page. */
  coast: string;
}

let reading: Promise<Outline> | undefined;

/** The outline of the land, read once for all who ask; asked for again when it could not be read. */
export function loadOutline(): Promise<Outline> {
  reading ??= readByWorker().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

function readByWorker(): Promise<Outline> {
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
