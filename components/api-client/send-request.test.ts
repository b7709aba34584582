import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { fakeCaches } from "#test/fake-caches.ts";
import { firstKey, firstSent, sendFirst } from "./first-request.ts";
import { forgetReplies, savedName, savedReply, saveReply, secondsSaved, storeOf } from "./saved-replies.ts";
import {
  cancelLate,
  PATIENCE_MS,
  readConnection,
  sendRequest,
  subscribeToConnection,
} from "./send-request.ts";

const key = { key: "a-key", store: undefined };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("caches", fakeCaches());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Waits until a reply has been saved, which nobody awaits. */
const saved = () => vi.waitFor(async () => expect(await caches.keys()).toHaveLength(1));

function answer(reply: () => Promise<Response>): void {
  vi.stubGlobal("fetch", vi.fn(reply));
}

const silent = (_path: unknown, init?: RequestInit) =>
  new Promise<Response>((_resolve, reject) =>
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
  );

it("without a network the saved reply takes the place of the answer, and the page knows of when it is", async () => {
  answer(async () => new Response("[1]"));
  expect(await (await sendRequest("/feeds", {}, key)).text()).toBe("[1]");
  await saved();
  expect(readConnection().savedAt).toBeUndefined();
  answer(() => Promise.reject(new TypeError("no network")));
  expect(await (await sendRequest("/feeds", {}, key)).text()).toBe("[1]");
  expect(readConnection().savedAt).toBe(1000);
  await expect(sendRequest("/feeds", {}, { ...key, key: "another" })).rejects.toMatchObject({
    name: "NoAnswerError",
    cancelled: false,
  });
  answer(async () => new Response("[2]"));
  await sendRequest("/feeds", {}, key);
  expect(readConnection().savedAt).toBeUndefined();
});

it("the service is asked, not the browser's cache, which answers without a network too; a frame never changes", async () => {
  answer(async () => new Response("[1]"));
  await sendRequest("/feeds", {}, key);
  sendFirst("/storms?provider=nhc", key.key);
  globalThis.firstRequests = undefined;
  await sendRequest("/2DMetOcean/signed-frames/a/wind/1/4/all", {}, key);
  const modes = vi.mocked(fetch).mock.calls.map(([, init]) => init?.cache);
  expect(modes).toEqual(["no-cache", "no-cache", "default"]);
});

it("a passage is read again without a network, but not that a task of it was accepted", async () => {
  const path = "/passages/evaluate";
  const asked = (body: string) => sendRequest(path, { method: "POST", body }, key);
  answer(async () => new Response("{}", { status: 202 }));
  await asked('{"async":true}');
  answer(async () => new Response("[1]"));
  await asked("{}");
  await saved();
  answer(() => Promise.reject(new TypeError("no network")));
  expect(await (await asked("{}")).text()).toBe("[1]");
  await expect(asked('{"async":true}')).rejects.toMatchObject({ name: "NoAnswerError" });
});

it("a reply that arrives after its key was forgotten is not saved", async () => {
  const body = Promise.withResolvers<void>();
  answer(
    async () =>
      new Response(new ReadableStream({ pull: (stream) => body.promise.then(() => stream.close()) })),
  );
  const reply = await sendRequest("/feeds", {}, { ...key, key: "forgotten" });
  await forgetReplies();
  body.resolve();
  await reply.text();
  answer(async () => new Response("[]"));
  await sendRequest("/feeds", {}, { ...key, key: "of later" });
  await saved();
  expect(await caches.keys()).toEqual([await storeOf("of later")]);
});

it("an error of the service is its answer: nothing that was saved takes its place, and it is not saved", async () => {
  answer(async () => new Response("refused", { status: 403 }));
  expect((await sendRequest("/feeds", {}, key)).status).toBe(403);
  expect(await caches.keys()).toEqual([]);
});

it("a server that is silent for 8 s is reported, and can be given up", async () => {
  const changes: boolean[] = [];
  const leave = subscribeToConnection(() => changes.push(readConnection().late));
  vi.stubGlobal("fetch", silent);
  const sent = sendRequest("/feeds", {}, { ...key, key: "of this test" });
  const ended = expect(sent).rejects.toMatchObject({ name: "NoAnswerError", cancelled: true });
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
  expect(changes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(changes).toEqual([true]);
  cancelLate();
  await ended;
  expect(changes).toEqual([true, false]);
  leave();
});

it("giving up ends what waits beside it too, which would be late next", async () => {
  vi.stubGlobal("fetch", silent);
  const sent = sendRequest("/feeds", {}, { ...key, key: "of this test" });
  await vi.advanceTimersByTimeAsync(300);
  const next = sendRequest("/storms", {}, { ...key, key: "of this test" });
  const ended = Promise.all(
    [sent, next].map((each) =>
      expect(each).rejects.toMatchObject({ name: "NoAnswerError", cancelled: true }),
    ),
  );
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 300);
  expect(readConnection().late).toBe(true);
  cancelLate();
  await ended;
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(readConnection().late).toBe(false);
});

it("a request that its caller aborted is no failure of the service", async () => {
  vi.stubGlobal("fetch", silent);
  const caller = new AbortController();
  const sent = sendRequest("/feeds", { signal: caller.signal }, key);
  caller.abort(new Error("left"));
  await expect(sent).rejects.toThrow("left");
});

const FRAME = "Forecast/run/wind/2026-01-01T00:00:00Z/4";

beforeEach(() => {
  vi.stubGlobal("caches", fakeCaches());
});

it("a frame is found again by another signature, and a point by the same request only", async () => {
  const first = await savedName(`/2DMetOcean/signed-frames/1.aaa/${FRAME}/all`, undefined);
  expect(await savedName(`/2DMetOcean/signed-frames/2.bbb/${FRAME}/all`, undefined)).toBe(first);
  expect(first).not.toContain("aaa");
  const [here, there] = await Promise.all(["[1]", "[2]"].map((body) => savedName("/MetOcean", body)));
  expect(here).not.toBe(there);
});

it("finds the tide of a station again on a later day, above the same datum, and no view of the map", async () => {
  const nameOf = (from: number, datum = "") =>
    savedName(
      `/tides/noaa%3A1?from=2026-09-${from}T00%3A00%3A00Z&to=2026-09-${from + 9}T00%3A00%3A00Z&step=10${datum}`,
      undefined,
    );
  expect(await nameOf(12)).toBe("/saved/tides/noaa%3A1?step=10");
  expect(await nameOf(20)).toBe(await nameOf(12));
  expect(await nameOf(12, "&datum=MSL")).not.toBe(await nameOf(12));
  for (const path of ["/tides/now?bbox=1,2,3,4", "/tides/stations?search=brest", "/tides?lat=1&lon=2"])
    expect(await savedName(path, undefined)).toBeUndefined();
});

it("keeps the tide of now when that of other days is looked at, until it has passed", async () => {
  const store = await storeOf("a-key");
  const name = "/saved/tides/a?step=10";
  const day = (date: number) => `2026-09-${date}T00:00:00Z`;
  const keptAfter = async (from: number, today: number) => {
    const tide = Response.json({ from: day(from), to: day(from + 5) });
    await saveReply(store, name, tide, parseInstant(day(today)));
    return (await (await savedReply(store, name))!.reply.json()).from;
  };
  expect(await keptAfter(20, 12)).toBe(day(20));
  expect(await keptAfter(10, 12)).toBe(day(10));
  expect(await keptAfter(20, 12)).toBe(day(10));
  expect(await keptAfter(12, 13)).toBe(day(12));
  expect(await keptAfter(10, 13)).toBe(day(12));
  expect(await keptAfter(20, 18)).toBe(day(20));
});

it("saves nothing that changes something, and no result of a task", async () => {
  for (const [path, body] of [
    ["/MetOcean/async", "{}"],
    ["/2DMetOcean", "{}"],
    ["/task/7", undefined],
    ["/limits", undefined],
  ] as const)
    expect(await savedName(path, body)).toBeUndefined();
});

it("gives a reply back with its age, and with what its readers need of its headers", async () => {
  const store = await storeOf("a-key");
  await saveReply(
    store,
    "/feeds",
    new Response("[]", { headers: { "x-data-age": "60", "set-cookie": "a=b" } }),
    1000,
  );
  const saved = await savedReply(store, "/feeds");
  expect(saved?.at).toBe(1000);
  expect(await saved?.reply.text()).toBe("[]");
  expect(saved?.reply.headers.get("x-data-age")).toBe("60");
  expect(saved?.reply.headers.get("set-cookie")).toBeNull();
  expect(secondsSaved(saved!.reply, 1090)).toBe(90);
  expect(secondsSaved(new Response(""), 1090)).toBe(0);
});

it("a key finds nothing of another one, its store does not name it, and a change of keys deletes the others'", async () => {
  const [one, other] = await Promise.all(["one-key", "other-key"].map(storeOf));
  expect(one).not.toContain("key");
  await saveReply(one!, "/feeds", new Response("1"), 1);
  await saveReply(other!, "/feeds", new Response("2"), 1);
  await forgetReplies("other-key");
  expect(await savedReply(one!, "/feeds")).toBeUndefined();
  expect(await (await savedReply(other!, "/feeds"))?.reply.text()).toBe("2");
  await forgetReplies();
  expect(await savedReply(other!, "/feeds")).toBeUndefined();
});

it("a store is bounded: the oldest frames go, and no list goes for a frame", async () => {
  const store = await storeOf("a-key");
  await saveReply(store, "/feeds", new Response("[]"), 1);
  const name = (chunk: number) => `/saved/frames/${FRAME}/${chunk}`;
  for (let chunk = 0; chunk < 100; chunk++) await saveReply(store, name(chunk), new Response("."), chunk);
  const kept = await Promise.all(
    [0, 9, 10, 99].map(async (chunk) => (await savedReply(store, name(chunk)))?.at),
  );
  expect(kept).toEqual([undefined, undefined, 10, 99]);
  // A frame that is saved again is the newest.
  await saveReply(store, name(10), new Response("."), 100);
  await saveReply(store, name(100), new Response("."), 101);
  expect((await savedReply(store, name(10)))?.at).toBe(100);
  expect(await savedReply(store, name(11))).toBeUndefined();
  expect(await savedReply(store, "/feeds")).toBeDefined();
});

it("what could not be saved changes nothing", async () => {
  vi.stubGlobal("caches", {
    open: () => Promise.reject(new Error("the disk is full")),
    has: async () => false,
  });
  await expect(saveReply("a", "/feeds", new Response("[]"), 1)).resolves.toBeUndefined();
});

const PATH = "/2DMetOcean/manifest?variable=wind";

beforeEach(() => {
  vi.stubGlobal("fetch", async () => new Response("early"));
});
afterEach(() => {
  globalThis.firstRequests = undefined;
});

interface Browser {
  hash?: string;
  ofTab?: string;
  ofDevice?: string;
}

function keyIn({ hash = "", ofTab, ofDevice }: Browser, guests = false): string | null | undefined {
  vi.stubGlobal("location", { hash });
  vi.stubGlobal("sessionStorage", { getItem: () => ofTab ?? null });
  vi.stubGlobal("localStorage", { getItem: () => ofDevice ?? null });
  return firstKey(guests);
}

it("is sent by the key in use, which goes before that of a link", () => {
  expect(keyIn({ ofTab: "tab", ofDevice: "device", hash: "#key=link" })).toBe("tab");
  expect(keyIn({ ofDevice: "device", hash: "#key=link" })).toBe("device");
  expect(keyIn({ hash: "#key=link" })).toBe("link");
});

it("without a key it is sent only where visitors are let in", () => {
  expect(keyIn({})).toBeUndefined();
  expect(keyIn({}, true)).toBeNull();
});

it("answers the same request once", async () => {
  sendFirst(PATH, "tab");
  const init = { headers: { "x-api-key": "tab" } };
  expect(firstSent("/MetOcean", init)).toBeUndefined();
  expect(await (await firstSent(PATH, init)?.reply)?.text()).toBe("early");
  expect(firstSent(PATH, init)).toBeUndefined();
});

it("answers no request of another key or with another body", async () => {
  sendFirst(PATH, "tab");
  expect(firstSent(PATH, { headers: { "x-api-key": "other" } })).toBeUndefined();
  sendFirst("/MetOcean", "tab", { points: [1] });
  const init = { method: "POST", headers: { "x-api-key": "tab" } };
  expect(firstSent("/MetOcean", { ...init, body: '{"points":[2]}' })).toBeUndefined();
  expect(firstSent("/MetOcean", { ...init, body: '{"points":[1]}' })).toBeDefined();
});
