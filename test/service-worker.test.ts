import { readFile } from "node:fs/promises";
import path from "node:path";
import { createContext, runInContext } from "node:vm";
import { expect, it } from "vitest";

const file = path.resolve(import.meta.dirname, "../public/sw.js");

/** Answer of the service worker to a navigation to the map, where the server sends `reply` or does not answer. */
async function navigate(reply: Response | undefined, cached?: string): Promise<string> {
  const listeners = new Map<string, (event: object) => void>();
  const cache = {
    match: async () => (cached === undefined ? undefined : new Response(cached)),
    put: async () => {},
  };
  const self = {
    location: { origin: "http://here" },
    navigator: { languages: ["de-CH", "en"] },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  };
  const fetch = async () => {
    if (!reply) throw new TypeError("No network");
    return reply;
  };
  const context = { self, fetch, caches: { open: async () => cache }, URL, Response, setTimeout: () => 0 };
  // The build fills in the words in this way.
  const words = JSON.stringify({ de: { offline: "Kein Netz", map: "Karte", again: "Noch einmal" } });
  const script = (await readFile(file, "utf8")).replace("OFFLINE = {}", `OFFLINE = ${words}`);
  runInContext(script, createContext(context));
  let answered: Promise<Response> | undefined;
  listeners.get("fetch")!({
    request: { method: "GET", url: "http://here/", mode: "navigate" },
    waitUntil: () => {},
    respondWith: (response: Promise<Response>) => {
      answered = response;
    },
  });
  return (await answered!).text();
}

it("a page comes from the network, or from the cache where there is no network or the service cannot render yet", async () => {
  expect(await navigate(new Response("new"), "cached")).toBe("new");
  expect(await navigate(new Response("gone", { status: 404 }), "cached")).toBe("gone");
  expect(await navigate(new Response("busy", { status: 503 }), "cached")).toBe("cached");
  expect(await navigate(undefined, "cached")).toBe("cached");
});

it("without a cached page, the service's own text is shown while it cannot render yet, and ours without a network", async () => {
  expect(await navigate(new Response("busy", { status: 503 }))).toBe("busy");
  expect(await navigate(undefined)).toMatch(/<html lang="de">.*Kein Netz/s);
});
