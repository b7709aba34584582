import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { fakeCaches } from "#test/fake-caches.ts";
import { serviceWorkerEnd } from "./service-worker-end.ts";

it("OFFLINE_PAGES=off takes back what browsers kept: pages of every build, and the worker; not the replies of a key", async () => {
  const caches = fakeCaches();
  for (const name of ["metocean-shell-1", "metocean-shell-2", "metocean-replies-a"]) await caches.open(name);
  const listeners = new Map<string, (event: unknown) => void>();
  const done: string[] = [];
  const self = {
    addEventListener: (type: string, listener: (event: unknown) => void) =>
      void listeners.set(type, listener),
    skipWaiting: () => done.push("at once"),
    registration: { unregister: () => done.push("unregistered") },
  };
  runInNewContext(serviceWorkerEnd, { self, caches });
  listeners.get("install")?.({});
  await new Promise<void>((end) =>
    listeners.get("activate")?.({ waitUntil: (work: Promise<void>) => void work.then(() => end()) }),
  );
  expect(done).toEqual(["at once", "unregistered"]);
  expect(await caches.keys()).toEqual(["metocean-replies-a"]);
});
