import { type ListRequest, readLists } from "./file-list.ts";

/** Reads one file off the main thread; the page terminates the worker when it has the reply. */
self.addEventListener("message", async ({ data }: MessageEvent<ListRequest>) => {
  self.postMessage(await readLists(data));
});
