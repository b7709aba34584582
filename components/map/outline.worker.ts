import { landEdges } from "#components/map/symbols/land-index.ts";
import { coastOf } from "./basemap.ts";
import { fetchLand, type LandScale } from "./fetch-land.ts";

/** Reads the outline of the land off the main thread; the message is its scale. */
export type OutlineReply =
  | {
      /** Argument of `landIndex`. */
      edges: Float64Array[];
      /** The coast as GeoJSON. */
      coast: Blob;
    }
  | { failed: string };

self.addEventListener("message", ({ data }: MessageEvent<LandScale>) => {
  outline(data).then(
    (answer) => self.postMessage(answer, { transfer: answer.edges.map(({ buffer }) => buffer) }),
    (error: Error) => self.postMessage({ failed: error.message } satisfies OutlineReply),
  );
});

async function outline(scale: LandScale) {
  const land = await fetchLand(scale);
  return { edges: landEdges(land), coast: new Blob([JSON.stringify(coastOf(land))]) } satisfies OutlineReply;
}
