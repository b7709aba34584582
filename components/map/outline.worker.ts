import { landEdges } from "#components/map/symbols/land-index.ts";
import { coastOf } from "./basemap.ts";
import { fetchLand } from "./fetch-land.ts";

/** Reads the outline of the land beside the page. Any message begins it. */

/** From the worker. */
export type OutlineReply =
  | {
      /** As `landIndex` wants them. */
      edges: Float64Array[];
      /** The coast as GeoJSON. */
      coast: Blob;
    }
  | { failed: string };

self.addEventListener("message", () => {
  outline().then(
    (answer) => self.postMessage(answer, { transfer: answer.edges.map(({ buffer }) => buffer) }),
    (error: Error) => self.postMessage({ failed: error.message } satisfies OutlineReply),
  );
});

async function outline() {
  const land = await fetchLand();
  return { edges: landEdges(land), coast: new Blob([JSON.stringify(coastOf(land))]) } satisfies OutlineReply;
}
