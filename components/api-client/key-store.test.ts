import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiFetch } from "./api-fetch.ts";
import { dropReplies } from "./api-key.tsx";
import { acceptKey, declineKey, forgetKey, readKey, shownKey, subscribeToKey } from "./key-store.ts";

const stored = new Map<string, string>();
const address = { pathname: "/", search: "?c=1,2", hash: "" };
let followed: () => void = () => undefined;

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  const replaceState = (_state: unknown, _title: string, url: string) => {
    address.hash = new URL(url, "http://host").hash;
  };
  vi.stubGlobal("window", {
    location: address,
    history: { state: null, replaceState },
    addEventListener: (_type: string, listener: () => void) => {
      followed = listener;
    },
  });
});
afterEach(() => {
  forgetKey();
  vi.unstubAllGlobals();
});

/** Follows a link that differs from the page by its fragment alone. */
function follow(hash: string) {
  address.hash = hash;
  followed();
}

it.each([401, 403])(
  "asks for another key when the service answers %i, whatever was requested",
  async (status) => {
    vi.stubGlobal("fetch", async () => Response.json({ detail: "Invalid API key" }, { status }));
    acceptKey("old");
    const changes: boolean[] = [];
    const end = subscribeToKey(() => changes.push(readKey().refused));
    await expect(apiFetch("/storms", { key: "old" })).rejects.toThrow("Invalid API key");
    await expect(apiFetch("/MetOcean", { key: "old" })).rejects.toThrow("Invalid API key");
    expect(changes).toEqual([true]);
    end();
  },
);

it("keeps a key that was typed while a request with the refused one was on its way", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 401 }));
  acceptKey("new");
  await expect(apiFetch("/storms", { key: "old" })).rejects.toThrow();
  expect(readKey()).toEqual({ key: "new", refused: false });
});

it("does not blame the key for a signed path that is refused", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 403 }));
  acceptKey("good");
  await expect(apiFetch("/frames", {})).rejects.toThrow();
  expect(readKey().refused).toBe(false);
});

it("a link does not replace the key in use: it is offered, and the address does not keep it", () => {
  subscribeToKey(() => undefined);
  acceptKey("mine");
  follow("#key=theirs&part=2");
  expect(readKey()).toEqual({ key: "mine", refused: false, offered: "theirs" });
  expect([...stored.values()]).toEqual(["mine"]);
  expect(address.hash).toBe("#part=2");
  declineKey();
  expect(readKey()).toEqual({ key: "mine", refused: false });
  follow("#key=theirs");
  acceptKey("theirs");
  expect(readKey()).toEqual({ key: "theirs", refused: false });
});

it("nor when the page is loaded by the link", async () => {
  stored.set("metocean-key", "mine");
  address.hash = "#key=theirs";
  vi.resetModules();
  const opened = await import("./key-store.ts");
  expect(opened.readKey()).toEqual({ key: "mine", refused: false, offered: "theirs" });
  expect([stored.get("metocean-key"), address.hash]).toEqual(["mine", ""]);
});

it("a link's key is taken at once where there is none, the same, or one that was refused", async () => {
  subscribeToKey(() => undefined);
  follow("#key=first");
  expect(readKey()).toEqual({ key: "first", refused: false });
  follow("#key=first");
  expect(readKey()).toEqual({ key: "first", refused: false });
  vi.stubGlobal("fetch", async () => new Response("", { status: 401 }));
  await expect(apiFetch("/storms", { key: "first" })).rejects.toThrow();
  follow("#key=second");
  expect(readKey()).toEqual({ key: "second", refused: false });
  expect(stored.get("metocean-key")).toBe("second");
});

it("a forgotten key is neither in storage nor in memory", () => {
  const cache = new QueryClient();
  acceptKey("mine");
  cache.setQueryData(["tasks", "mine"], []);
  cache.setQueryData(["tasks", "other"], []);
  forgetKey();
  dropReplies(cache, "mine");
  expect([readKey(), stored.size]).toEqual([{ key: undefined, refused: false }, 0]);
  expect(
    cache
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey),
  ).toEqual([["tasks", "other"]]);
});

it("a key is shown by its public part; of one that has none, the end", () => {
  expect(shownKey("mo_abcdEFGH_0123456789")).toBe("mo_abcdEFGH");
  expect(shownKey("browser-tests-key")).toBe("…-key");
});

it("takes the key of a link that is opened while the page is only being made ready", async () => {
  vi.resetModules();
  const page = await import("./key-store.ts");
  expect(page.readKey().key).toBeUndefined();
  // The browser has told of the new address before anybody listens.
  address.hash = "#key=early";
  page.subscribeToKey(() => undefined)();
  expect(page.readKey().key).toBe("early");
  expect(address.hash).toBe("");
});
