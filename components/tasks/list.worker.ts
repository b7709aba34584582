import { buffersOf, type ListRequest, readLists } from "./file-list.ts";

/** Reads one file off the main thread; the page ends the worker when it has its reply. */
self.addEventListener("message", async ({ data }: MessageEvent<ListRequest>) => {
  const reply = await readLists(data);
  self.postMessage(reply, { transfer: buffersOf(reply) });
});
