import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiFetch } from "./api-fetch.ts";
import { dropReplies } from "./api-key.tsx";
import {
  acceptKey,
  askForKey,
  declineKey,
  forgetKey,
  GUEST,
  readKey,
  rememberKey,
  shownKey,
  subscribeToKey,
} from "./key-store.ts";

const stored = new Map<string, string>();
const onDevice = new Map<string, string>();
const address = { pathname: "/", search: "?c=1,2", hash: "" };
let followed: () => void = () => undefined;
let elsewhere: (event: { key: string | null; newValue: string | null }) => void = () => undefined;

const storageOf = (entries: Map<string, string>) => ({
  getItem: (name: string) => entries.get(name) ?? null,
  setItem: (name: string, value: string) => entries.set(name, value),
  removeItem: (name: string) => entries.delete(name),
});

beforeEach(() => {
  stored.clear();
  onDevice.clear();
  vi.stubGlobal("sessionStorage", storageOf(stored));
  vi.stubGlobal("localStorage", storageOf(onDevice));
  const replaceState = (_state: unknown, _title: string, url: string) => {
    address.hash = new URL(url, "http://host").hash;
  };
  vi.stubGlobal("window", {
    location: address,
    history: { state: null, replaceState },
    addEventListener: (type: string, listener: () => void) => {
      if (type === "storage") elsewhere = listener;
      else followed = listener;
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
    await expect(apiFetch("/MetOcean", { key: "old" })).rejects.toThrow("no longer accepted");
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

it("a key stays in the tab, and on the device only by choice, which can be taken back", async () => {
  acceptKey("mine");
  expect([stored.size, onDevice.size]).toEqual([1, 0]);
  rememberKey(true);
  expect([[...stored], [...onDevice.values()], readKey().remembered]).toEqual([[], ["mine"], true]);
  vi.resetModules();
  const later = await import("./key-store.ts");
  expect(later.readKey()).toEqual({ key: "mine", refused: false, remembered: true });
  rememberKey(false);
  expect([[...stored.values()], onDevice.size, readKey().remembered]).toEqual([["mine"], 0, false]);
  acceptKey("other", true);
  expect([stored.size, [...onDevice.values()]]).toEqual([0, ["other"]]);
  forgetKey();
  expect([stored.size, onDevice.size, readKey().key]).toEqual([0, 0, undefined]);
});

it("a link's key that is used in one tab leaves the key of the device to other tabs; one that was refused is dropped", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 401 }));
  acceptKey("of-device", true);
  acceptKey("of-link");
  expect([[...stored.values()], [...onDevice.values()]]).toEqual([["of-link"], ["of-device"]]);
  acceptKey("of-device", true);
  await expect(apiFetch("/storms", { key: "of-device" })).rejects.toThrow();
  acceptKey("new");
  expect([[...stored.values()], onDevice.size]).toEqual([["new"], 0]);
});

it("a key that another tab forgets is forgotten here too, if it is the device's", async () => {
  vi.resetModules();
  const { acceptKey, readKey, subscribeToKey } = await import("./key-store.ts");
  subscribeToKey(() => undefined);
  acceptKey("mine", true);
  elsewhere({ key: "another", newValue: null });
  expect(readKey().key).toBe("mine");
  const { forgetCount } = await import("./saved-replies.ts");
  const before = forgetCount();
  elsewhere({ key: "metocean-key", newValue: null });
  expect(readKey().key).toBeUndefined();
  // Replies that are on their way are not saved any more.
  expect(forgetCount()).toBeGreaterThan(before);
  elsewhere({ key: "metocean-key", newValue: "theirs" });
  expect(readKey()).toEqual({ key: "theirs", refused: false, remembered: true });
  acceptKey("of-this-tab");
  elsewhere({ key: null, newValue: null });
  expect(readKey().key).toBe("of-this-tab");
});

it("a key that was accepted and then refused counts as revoked, and is not sent again", async () => {
  const statuses = [200, 401];
  const fetched = vi.fn(async () => new Response("", { status: statuses.shift() ?? 500 }));
  vi.stubGlobal("fetch", fetched);
  acceptKey("mine");
  await apiFetch("/storms", { key: "mine" });
  await expect(apiFetch("/storms", { key: "mine" })).rejects.toThrow();
  expect(readKey()).toEqual({ key: "mine", refused: true, revoked: true });
  await expect(apiFetch("/storms", { key: "mine" })).rejects.toThrow("This API key is no longer accepted.");
  expect(fetched).toHaveBeenCalledTimes(2);
  acceptKey("never-worked");
  statuses.push(401);
  await expect(apiFetch("/storms", { key: "never-worked" })).rejects.toThrow();
  expect(readKey().revoked).toBeUndefined();
});

it("a visitor sends no key, and gets another session once where it has ended", async () => {
  const sent: string[] = [];
  const statuses: Record<string, number[]> = {
    "/storms": [403, 200, 403, 403],
    "/guests/session": [204, 204],
  };
  vi.stubGlobal("fetch", async (path: string, { headers }: RequestInit) => {
    expect(new Headers(headers).get("x-api-key")).toBeNull();
    sent.push(path);
    return new Response(null, { status: statuses[path]!.shift() });
  });
  await apiFetch("/storms", { key: GUEST });
  expect(sent).toEqual(["/storms", "/guests/session", "/storms"]);
  await expect(apiFetch("/storms", { key: GUEST })).rejects.toMatchObject({ status: 403 });
  expect(sent).toHaveLength(6);
  expect(readKey().guestRefused).toBeUndefined();
});

it("a visitor is asked for a key where visitors are no longer let in", async () => {
  vi.stubGlobal(
    "fetch",
    async (path: string) => new Response("", { status: path === "/storms" ? 403 : 405 }),
  );
  readKey();
  await expect(apiFetch("/storms", { key: GUEST })).rejects.toMatchObject({ status: 403 });
  expect(readKey()).toMatchObject({ key: undefined, refused: false, guestRefused: true });
});

it.each([429, 503, 0])(
  "a visitor stays one where another session cannot be had just now (%i)",
  async (status) => {
    vi.stubGlobal("fetch", async (path: string) => {
      if (path === "/storms") return new Response("", { status: 403 });
      if (status === 0) throw new TypeError("no network");
      return new Response("", { status });
    });
    readKey();
    await expect(apiFetch("/storms", { key: GUEST })).rejects.toMatchObject({ status: 403 });
    expect(readKey().guestRefused).toBeUndefined();
  },
);

it("the user can be asked for a key at any time, until one is entered", () => {
  askForKey();
  expect(readKey().asked).toBe(true);
  askForKey(false);
  expect(readKey().asked).toBe(false);
  askForKey();
  acceptKey("mine");
  expect(readKey()).toEqual({ key: "mine", refused: false });
});

it("the token of a mail's link is read once, is not kept in the address or on the device, and can be left", async () => {
  address.hash = "#new-key=token-of-mail&part=2";
  vi.resetModules();
  const opened = await import("./key-store.ts");
  expect(opened.readKey().newKeyToken).toBe("token-of-mail");
  expect([address.hash, stored.size, onDevice.size]).toEqual(["#part=2", 0, 0]);
  opened.dropNewKeyToken();
  expect(opened.readKey().newKeyToken).toBeUndefined();
});
