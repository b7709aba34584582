import { type ImportRequest, importRoutes } from "./route-import.ts";

/** Reads one file off the main thread; the page terminates the worker when it has the reply. */
self.addEventListener("message", async ({ data }: MessageEvent<ImportRequest>) => {
  self.postMessage(await importRoutes(data));
});
