import type { IncomingMessage, ServerResponse } from "node:http";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeCaches } from "#test/fake-caches.ts";
import { answerWhenOpen, type Pages, serviceWorkerEnd } from "./next-pages.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([3000, 5000])(
  "a page that is requested while the pages open is answered within 4 s, if only with a sentence: %d ms",
  async (ms) => {
    const answer = vi.fn(async () => undefined);
    const end = vi.fn();
    const head = { writeHead: vi.fn(() => ({ end })), setHeader: vi.fn() };
    const opening = new Promise<Pages>((resolve) => {
      setTimeout(() => resolve({ answer, close: async () => undefined }), ms);
    });
    const answered = answerWhenOpen(opening, {} as IncomingMessage, head as unknown as ServerResponse);
    await vi.advanceTimersByTimeAsync(Math.min(ms, 4000));
    await answered;
    const isLate = ms > 4000;
    expect(answer).toHaveBeenCalledTimes(isLate ? 0 : 1);
    if (!isLate) return expect(vi.getTimerCount()).toBe(0);
    expect(head.writeHead).toHaveBeenCalledWith(503, expect.objectContaining({ "retry-after": "2" }));
    expect(end).toHaveBeenCalledWith("The service has just started. Please load the page again.\n");
    expect(head.setHeader).toHaveBeenCalledWith("x-content-type-options", "nosniff");
  },
);

it("OFFLINE_PAGES=off deletes stored pages of every build and the service worker, but not the replies of a key", async () => {
  const caches = fakeCaches();
  for (const name of ["metocean-shell-1", "metocean-shell-2", "metocean-replies-a"]) await caches.open(name);
  const listeners: Record<string, (event: object) => void> = {};
  const done: string[] = [];
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) => {
      listeners[type] = listener;
    },
    skipWaiting: () => done.push("at once"),
    registration: { unregister: () => done.push("unregistered") },
  };
  runInNewContext(serviceWorkerEnd, { self, caches });
  listeners.install!({});
  await new Promise<void>((end) =>
    listeners.activate!({ waitUntil: (work: Promise<void>) => void work.then(() => end()) }),
  );
  expect([done, await caches.keys()]).toEqual([["at once", "unregistered"], ["metocean-replies-a"]]);
});
