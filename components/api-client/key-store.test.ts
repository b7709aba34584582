import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { blockStorage } from "#test/storage.ts";
import { apiFetch } from "./api-fetch.ts";
import { dropReplies } from "./api-key.tsx";
import {
  acceptKey,
  askForKey,
  declineKey,
  forgetKey,
  readKey,
  rememberKey,
  shownKey,
  subscribeToKey,
} from "./key-store.ts";
import { GUEST } from "./saved-replies.ts";

const ofTab = new Map<string, string>();
const ofDevice = new Map<string, string>();
const address = { pathname: "/", search: "?c=1,2", hash: "" };
let followed: () => void = () => undefined;
let elsewhere: (event: { key: string | null; newValue: string | null }) => void = () => undefined;

const storageOf = (entries: Map<string, string>) => ({
  getItem: (name: string) => entries.get(name) ?? null,
  setItem: (name: string, value: string) => entries.set(name, value),
  removeItem: (name: string) => entries.delete(name),
});
const stored = () => [[...ofTab.values()], [...ofDevice.values()]];
const known = (key: string, more = {}) => ({ key, refused: false, ...more });

beforeEach(() => {
  ofTab.clear();
  ofDevice.clear();
  vi.stubGlobal("sessionStorage", storageOf(ofTab));
  vi.stubGlobal("localStorage", storageOf(ofDevice));
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

/** Loads the page again. */
function load() {
  vi.resetModules();
  return import("./key-store.ts");
}

/** Follows a link that differs from the page only in its fragment. */
function follow(hash: string) {
  address.hash = hash;
  followed();
}

const answers = (status: number) => vi.stubGlobal("fetch", async () => new Response("", { status }));
const failing = (key?: string) => expect(apiFetch("/storms", key === undefined ? {} : { key })).rejects;

it.each([401, 403])(
  "asks for another key once when the service answers %i, whatever was requested",
  async (status) => {
    answers(status);
    acceptKey("old");
    const changes: boolean[] = [];
    const end = subscribeToKey(() => changes.push(readKey().refused));
    await failing("old").toThrow();
    await failing("old").toThrow("no longer accepted");
    expect(changes).toEqual([true]);
    end();
  },
);

it("blames neither a newer key for the refusal of an older one, nor any for a signed path", async () => {
  answers(403);
  acceptKey("new");
  await failing("old").toThrow();
  await failing().toThrow();
  expect(readKey()).toEqual(known("new"));
});

it("a link does not replace the key in use: it is offered, and the address does not keep it", async () => {
  subscribeToKey(() => undefined);
  acceptKey("mine");
  follow("#key=theirs&part=2");
  expect(readKey()).toEqual(known("mine", { offered: "theirs" }));
  expect([stored(), address.hash]).toEqual([[["mine"], []], "#part=2"]);
  declineKey();
  expect(readKey()).toEqual(known("mine"));
  follow("#key=theirs");
  acceptKey("theirs");
  expect(readKey()).toEqual(known("theirs"));
  // The same holds when the link loads the page.
  address.hash = "#key=another";
  expect((await load()).readKey()).toEqual(known("theirs", { offered: "another" }));
  expect([stored(), address.hash]).toEqual([[["theirs"], []], ""]);
});

it("a link's key is taken at once where there is none, the same, or one that was refused", async () => {
  subscribeToKey(() => undefined);
  for (const _ of [1, 2]) {
    follow("#key=first");
    expect(readKey()).toEqual(known("first"));
  }
  answers(401);
  await failing("first").toThrow();
  follow("#key=second");
  expect([readKey(), stored()]).toEqual([known("second"), [["second"], []]]);
  forgetKey();
  // A link that is opened before anyone subscribes is read too.
  const page = await load();
  expect(page.readKey().key).toBeUndefined();
  address.hash = "#key=early";
  page.subscribeToKey(() => undefined)();
  expect([page.readKey().key, address.hash]).toEqual(["early", ""]);
});

it("a forgotten key is neither in storage nor in memory", () => {
  const cache = new QueryClient();
  acceptKey("mine");
  for (const key of ["mine", "other"]) cache.setQueryData(["tasks", key], []);
  cache.getMutationCache().build(cache, { mutationKey: ["mine"] });
  forgetKey();
  dropReplies(cache, "mine");
  const names = cache
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey);
  expect([readKey(), stored(), names, cache.getMutationCache().getAll()]).toEqual([
    { key: undefined, refused: false },
    [[], []],
    [["tasks", "other"]],
    [],
  ]);
});

it("a key is shown by its public part; of one that has none, the end", () => {
  expect(["mo_abcdEFGH_0123456789", "browser-tests-key"].map(shownKey)).toEqual(["mo_abcdEFGH", "…-key"]);
});

it("a key stays in the tab, and on the device only by choice, which can be taken back", async () => {
  acceptKey("mine");
  expect(stored()).toEqual([["mine"], []]);
  rememberKey(true);
  expect([stored(), readKey().remembered]).toEqual([[[], ["mine"]], true]);
  expect((await load()).readKey()).toEqual(known("mine", { remembered: true }));
  rememberKey(false);
  expect([stored(), readKey().remembered]).toEqual([[["mine"], []], false]);
  acceptKey("other", true);
  expect(stored()).toEqual([[], ["other"]]);
});

it("a key of one tab leaves that of the device to other tabs; one that was refused is dropped", async () => {
  answers(401);
  acceptKey("of-device", true);
  acceptKey("of-link");
  expect(stored()).toEqual([["of-link"], ["of-device"]]);
  acceptKey("of-device", true);
  await failing("of-device").toThrow();
  acceptKey("new");
  expect(stored()).toEqual([["new"], []]);
});

it("a key that another tab forgets is forgotten here too, if it is the device's, and nothing more is saved", async () => {
  const { acceptKey, readKey, subscribeToKey } = await load();
  const { forgetCount } = await import("./saved-replies.ts");
  subscribeToKey(() => undefined);
  acceptKey("mine", true);
  elsewhere({ key: "another", newValue: null });
  expect(readKey().key).toBe("mine");
  const before = forgetCount();
  elsewhere({ key: "metocean-key", newValue: null });
  expect([readKey().key, forgetCount() > before]).toEqual([undefined, true]);
  elsewhere({ key: "metocean-key", newValue: "theirs" });
  expect(readKey()).toEqual(known("theirs", { remembered: true }));
  acceptKey("of-this-tab");
  elsewhere({ key: null, newValue: null });
  expect(readKey().key).toBe("of-this-tab");
});

it("a key that was accepted and then refused counts as revoked, and is not sent again", async () => {
  const statuses = [200, 401, 401];
  const fetched = vi.fn(async () => new Response("", { status: statuses.shift()! }));
  vi.stubGlobal("fetch", fetched);
  acceptKey("mine");
  await apiFetch("/storms", { key: "mine" });
  await failing("mine").toThrow();
  expect(readKey()).toEqual({ key: "mine", refused: true, revoked: true });
  await failing("mine").toThrow("This API key is no longer accepted.");
  expect(fetched).toHaveBeenCalledTimes(2);
  acceptKey("never-worked");
  await failing("never-worked").toThrow();
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
  await failing(GUEST).toMatchObject({ status: 403 });
  expect([sent.length, readKey().guestRefused]).toEqual([6, undefined]);
});

it.each([
  ["is asked for a key where visitors are no longer let in", 405, true],
  ["stays one while another session cannot be had just now", 503, undefined],
  ["stays one without a network", 0, undefined],
])("a visitor %s", async (_, status, guestRefused) => {
  vi.stubGlobal("fetch", async (path: string) => {
    if (path === "/storms") return new Response("", { status: 403 });
    if (status === 0) throw new TypeError("no network");
    return new Response("", { status });
  });
  readKey();
  await failing(GUEST).toMatchObject({ status: 403 });
  expect(readKey().guestRefused).toBe(guestRefused);
});

it("the user can be asked for a key at any time, until one is entered", () => {
  const asked = [true, false, true].map((wanted) => {
    askForKey(wanted);
    return readKey().asked;
  });
  expect(asked).toEqual([true, false, true]);
  acceptKey("mine");
  expect(readKey()).toEqual(known("mine"));
});

it("the token of a mail's link is read once, is kept nowhere, and can be left", async () => {
  address.hash = "#new-key=token-of-mail&part=2";
  const opened = await load();
  expect([opened.readKey().newKeyToken, address.hash, stored()]).toEqual([
    "token-of-mail",
    "#part=2",
    [[], []],
  ]);
  opened.dropNewKeyToken();
  expect(opened.readKey().newKeyToken).toBeUndefined();
});

it("uses a key for the open page where the browser blocks the data of sites", async () => {
  vi.stubGlobal("location", address);
  const unblock = blockStorage();
  try {
    const page = await load();
    expect(page.readKey()).toEqual({ key: undefined, refused: false });
    page.acceptKey("typed", true);
    // The key is not reported as stored on the device.
    expect(page.readKey()).toEqual(known("typed"));
    page.rememberKey(true);
    expect(page.readKey()).toEqual(known("typed", { remembered: false }));
    page.forgetKey();
    expect(page.readKey().key).toBeUndefined();
    const replies = await import("./saved-replies.ts");
    expect(replies.canSave()).toBe(false);
    await replies.forgetReplies();
  } finally {
    unblock();
  }
});
