// Keeps the pages and their files for when there is no network. Replies of the API are not its business: no request that
// carries a key, and no path that is signed, goes through it (components/api-client/saved-replies.ts keeps those).
//
// `scripts/served-files.mjs` fills in the build and its files. A new build's worker waits until the pages of the old one are
// closed, so that no page loses a script that it may still load; until then pages come from the network first, and files
// are found by names that contain their content.

const BUILD = "%BUILD%";
/** Files of the build, by URL path. */
const FILES = new Set([]);
/** The archive of the map's land, which is read in parts; its name contains its content. */
const ARCHIVE = /^\/basemap\/land-[0-9a-f]+\.pmtiles$/;
/** Paths of the pages. */
const PAGES = new Set(["/", "/tasks", "/inbox", "/status", "/docs"]);
/** Words of the page that stands for one that is not kept, by language. */
const OFFLINE = {};

const CACHE = `metocean-shell-${BUILD}`;
/** A page whose server has accepted the request and does not answer comes from the cache after this long. */
const PATIENCE_MS = 8000;

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOthers().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "keep used")
    event.waitUntil(Promise.all([keepPageOf(event.source), keep("only-if-cached")]));
  if (event.data === "keep all") event.waitUntil(keep("force-cache"));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate")
    event.respondWith((PAGES.has(pathname) ? page(event, pathname) : fetch(request)).catch(offlinePage));
  else if (FILES.has(pathname)) event.respondWith(file(event, pathname));
  else if (ARCHIVE.test(pathname) && request.headers.has("range"))
    event.respondWith(part(event, `${pathname}?${request.headers.get("range")}`));
});

/** From the network, which knows the newest build; else as it was read last. */
async function page(event, pathname) {
  const cache = await caches.open(CACHE);
  const sent = fetch(event.request).then((reply) => {
    if (reply.ok && reply.headers.get("content-type")?.startsWith("text/html"))
      event.waitUntil(cache.put(pathname, reply.clone()));
    return reply;
  });
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  const reply = await Promise.race([sent.catch(() => undefined), late]);
  // A service that has just started, or is busy, has no page yet.
  if (reply && reply.status !== 503) return reply;
  return (await cache.match(pathname)) ?? reply ?? sent;
}

/** In the language of the browser: what the reader chose on a page is in a cookie, which a worker may not read everywhere. */
async function offlinePage() {
  const chosen = await self.cookieStore?.get("language").catch(() => undefined);
  const wanted = [chosen?.value, ...self.navigator.languages].map((language) => language?.slice(0, 2));
  const language = wanted.find((name) => OFFLINE[name]) ?? "en";
  const { offline, map, again } = OFFLINE[language];
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${offline}</title>
<main style="font:1rem system-ui;max-width:36rem;margin:auto;padding:1.5rem"><h1>${offline}</h1>
<p><a href="">${again}</a> · <a href="/">${map}</a></p></main></html>`;
  return new Response(html, { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
}

/** Names of built files contain their content; the others change with a build. */
async function file(event, pathname) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(pathname);
  if (kept) return withoutUrl(kept);
  const reply = await fetch(event.request);
  if (reply.status === 200) event.waitUntil(cache.put(pathname, reply.clone()).catch(() => undefined));
  return withoutUrl(reply);
}

/** A part of the archive of the land. A cache stores no parts, so that each is stored as a reply with an address of its own. */
async function part(event, address) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(address);
  if (kept) return new Response(kept.body, { status: 206, headers: kept.headers });
  const reply = await fetch(event.request);
  if (reply.status === 206) {
    const stored = new Response(reply.clone().body, { headers: reply.headers });
    event.waitUntil(cache.put(address, stored).catch(() => undefined));
  }
  return reply;
}

/** A script takes its address from the reply if that has one: without the fragment, which tells a worker what to load. */
const withoutUrl = ({ body, status, statusText, headers }) =>
  new Response(body, { status, statusText, headers });

/** The page that was opened before this worker was there. */
async function keepPageOf(client) {
  const { pathname } = new URL(client.url);
  if (!PAGES.has(pathname)) return;
  const cache = await caches.open(CACHE);
  if (await cache.match(pathname)) return;
  const reply = await fetch(client.url).catch(() => undefined);
  if (reply?.ok) await cache.put(pathname, reply);
}

/** @param mode `only-if-cached`: nothing is loaded that the browser does not have. */
async function keep(mode) {
  const cache = await caches.open(CACHE);
  // One after the other: what the page itself requests goes first.
  for (const pathname of [...FILES, ...(mode === "force-cache" ? PAGES : [])]) {
    if (await cache.match(pathname)) continue;
    try {
      const reply = await fetch(pathname, {
        cache: PAGES.has(pathname) ? "default" : mode,
        mode: "same-origin",
      });
      if (reply.ok) await cache.put(pathname, reply);
    } catch {
      // Not in the browser's cache, or no network: the next visit tries again.
    }
  }
}

async function deleteOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith("metocean-shell-") && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}
