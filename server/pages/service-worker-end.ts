/** Path of the service worker (public/sw.js). */
export const SERVICE_WORKER = "/sw.js";

/**
 * Takes the place of the service worker that a browser has, when that asks for a newer one: it deletes the pages that were
 * kept, and itself.
 */
export const serviceWorkerEnd = `\
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith("metocean-shell-")))
      .then((kept) => Promise.all(kept.map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;
