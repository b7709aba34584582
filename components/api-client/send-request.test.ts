import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { fakeCaches } from "#test/fake-caches.ts";
import { forgetReplies, savedName, savedReply, saveReply, secondsSaved, storeOf } from "./saved-replies.ts";
import {
  cancelLate,
  PATIENCE_MS,
  readConnection,
  sendRequest,
  subscribeToConnection,
} from "./send-request.ts";

const ofKey = (key: string) => ({ key, store: undefined });
const key = ofKey("a-key");

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("caches", fakeCaches());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Waits until a reply has been saved, which happens in the background. */
const saved = () => vi.waitFor(async () => expect(await caches.keys()).toHaveLength(1));
const answer = (reply: () => Promise<Response>) => vi.stubGlobal("fetch", vi.fn(reply));
const cut = () => answer(() => Promise.reject(new TypeError("no network")));
const textOf = async (reply: Promise<Response>) => (await reply).text();
const given = (cancelled: boolean) => ({ name: "NoAnswerError", cancelled });

const silent = (_path: unknown, init?: RequestInit) =>
  new Promise<Response>((_resolve, reject) =>
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
  );

it("without a network the saved reply takes the place of the answer, and the page knows of when it is", async () => {
  answer(async () => new Response("[1]"));
  expect(await textOf(sendRequest("/feeds", {}, key))).toBe("[1]");
  await saved();
  expect(readConnection().savedAt).toBeUndefined();
  cut();
  expect(await textOf(sendRequest("/feeds", {}, key))).toBe("[1]");
  expect(readConnection().savedAt).toBe(1000);
  await expect(sendRequest("/feeds", {}, ofKey("another"))).rejects.toMatchObject(given(false));
  answer(async () => new Response("[2]"));
  await sendRequest("/feeds", {}, key);
  expect(readConnection().savedAt).toBeUndefined();
});

it("the service is asked, not the browser's cache, which answers without a network too; a frame never changes", async () => {
  answer(async () => new Response("[1]"));
  await sendRequest("/feeds", {}, key);
  await sendRequest("/2DMetOcean/signed-frames/a/wind/1/4/all", {}, key);
  const modes = vi.mocked(fetch).mock.calls.map(([, init]) => init?.cache);
  expect(modes).toEqual(["no-cache", "default"]);
});

it("a passage is read again without a network, but not that a task of it was accepted", async () => {
  const asked = (body: string) => sendRequest("/passages/evaluate", { method: "POST", body }, key);
  answer(async () => new Response("{}", { status: 202 }));
  await asked('{"async":true}');
  answer(async () => new Response("[1]"));
  await asked("{}");
  await saved();
  cut();
  expect(await textOf(asked("{}"))).toBe("[1]");
  await expect(asked('{"async":true}')).rejects.toMatchObject(given(false));
});

it("neither a reply that arrives after its key was forgotten is saved, nor an error, which is the answer", async () => {
  const body = Promise.withResolvers<void>();
  const late = new ReadableStream({ pull: (stream) => body.promise.then(() => stream.close()) });
  answer(async () => new Response(late));
  const reply = await sendRequest("/feeds", {}, ofKey("forgotten"));
  await forgetReplies();
  body.resolve();
  await reply.text();
  answer(async () => new Response("refused", { status: 403 }));
  expect((await sendRequest("/feeds", {}, ofKey("refused"))).status).toBe(403);
  answer(async () => new Response("[]"));
  await sendRequest("/feeds", {}, ofKey("of later"));
  await saved();
  expect(await caches.keys()).toEqual([await storeOf("of later")]);
});

it("a server that is silent for 8 s is reported, and can be given up with what waits beside it", async () => {
  const changes: boolean[] = [];
  const leave = subscribeToConnection(() => changes.push(readConnection().late));
  vi.stubGlobal("fetch", silent);
  const sent = sendRequest("/feeds", {}, key);
  await vi.advanceTimersByTimeAsync(300);
  const next = sendRequest("/storms", {}, key);
  const ended = Promise.all([sent, next].map((each) => expect(each).rejects.toMatchObject(given(true))));
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 301);
  expect(changes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(changes).toEqual([true]);
  cancelLate();
  await ended;
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(changes).toEqual([true, false]);
  leave();
});

it("a request that its caller aborted is no failure of the service", async () => {
  vi.stubGlobal("fetch", silent);
  const caller = new AbortController();
  const sent = sendRequest("/feeds", { signal: caller.signal }, key);
  caller.abort(new Error("left"));
  await expect(sent).rejects.toThrow("left");
});

const FRAME = "Forecast/run/wind/2026-01-01T00:00:00Z/4";
const tideFrom = (day: number, datum = "") =>
  `/tides/noaa%3A1?from=2026-09-${day}T00%3A00%3A00Z&to=2026-09-${day + 9}T00%3A00%3A00Z&step=10${datum}`;

it("a frame is found by any signature, a point by the same request, a tide on any day above the same datum", async () => {
  const nameOf = (path: string, body?: string) => savedName(path, body);
  const frame = await nameOf(`/2DMetOcean/signed-frames/1.aaa/${FRAME}/all`);
  expect(frame).not.toContain("aaa");
  expect(await nameOf(`/2DMetOcean/signed-frames/2.bbb/${FRAME}/all`)).toBe(frame);
  expect(await nameOf("/MetOcean", "[1]")).not.toBe(await nameOf("/MetOcean", "[2]"));
  expect(await nameOf(tideFrom(12))).toBe("/saved/tides/noaa%3A1?step=10");
  expect(await nameOf(tideFrom(20))).toBe(await nameOf(tideFrom(12)));
  expect(await nameOf(tideFrom(12, "&datum=MSL"))).not.toBe(await nameOf(tideFrom(12)));
});

it.each([
  ["/MetOcean/async", "{}"],
  ["/2DMetOcean", "{}"],
  ["/task/7", undefined],
  ["/limits", undefined],
  ["/tides/now?bbox=1,2,3,4", undefined],
  ["/tides/stations?search=brest", undefined],
  ["/tides?lat=1&lon=2", undefined],
])("saves nothing of %s", async (path, body) => {
  expect(await savedName(path, body)).toBeUndefined();
});

it("keeps the tide of now when that of other days is looked at, until it has passed", async () => {
  const name = "/saved/tides/a?step=10";
  const day = (date: number) => `2026-09-${date}T00:00:00Z`;
  const keptAfter = async (from: number, today: number) => {
    await saveReply(
      "store",
      name,
      Response.json({ from: day(from), to: day(from + 5) }),
      parseInstant(day(today)),
    );
    return (await (await savedReply("store", name))!.reply.json()).from;
  };
  for (const [from, today, kept] of [
    [20, 12, 20],
    [10, 12, 10],
    [20, 12, 10],
    [12, 13, 12],
    [10, 13, 12],
    [20, 18, 20],
  ] as const)
    expect(await keptAfter(from, today)).toBe(day(kept));
});

it("gives a reply back with its age, and with what its readers need of its headers", async () => {
  const headers = { "x-data-age": "60", "set-cookie": "a=b" };
  await saveReply("store", "/feeds", new Response("[]", { headers }), 1000);
  const { reply, at } = (await savedReply("store", "/feeds"))!;
  expect([at, await reply.text(), secondsSaved(reply, 1090), secondsSaved(new Response(""), 1090)]).toEqual([
    1000,
    "[]",
    90,
    0,
  ]);
  expect(["x-data-age", "set-cookie"].map((name) => reply.headers.get(name))).toEqual(["60", null]);
});

it("a key finds nothing of another one, its store does not name it, and a change of keys deletes the others'", async () => {
  const [one = "", other = ""] = await Promise.all(["one-key", "other-key"].map(storeOf));
  expect(one).not.toContain("key");
  await saveReply(one, "/feeds", new Response("1"), 1);
  await saveReply(other, "/feeds", new Response("2"), 1);
  await forgetReplies("other-key");
  expect(await savedReply(one, "/feeds")).toBeUndefined();
  expect(await (await savedReply(other, "/feeds"))?.reply.text()).toBe("2");
  await forgetReplies();
  expect(await savedReply(other, "/feeds")).toBeUndefined();
});

it("a store is bounded: the oldest frames go, and no list goes for a frame", async () => {
  await saveReply("store", "/feeds", new Response("[]"), 1);
  const name = (chunk: number) => `/saved/frames/${FRAME}/${chunk}`;
  const save = (chunk: number, at = chunk) => saveReply("store", name(chunk), new Response("."), at);
  const kept = (...chunks: number[]) =>
    Promise.all(chunks.map(async (chunk) => (await savedReply("store", name(chunk)))?.at));
  for (let chunk = 0; chunk < 100; chunk++) await save(chunk);
  expect(await kept(0, 9, 10, 99)).toEqual([undefined, undefined, 10, 99]);
  // A frame that is saved again becomes the newest.
  await save(10, 100);
  await save(100, 101);
  expect(await kept(10, 11)).toEqual([100, undefined]);
  expect(await savedReply("store", "/feeds")).toBeDefined();
});

it("what could not be saved changes nothing", async () => {
  vi.stubGlobal("caches", { open: () => Promise.reject(new Error("the disk is full")) });
  await expect(saveReply("a", "/feeds", new Response("[]"), 1)).resolves.toBeUndefined();
});
