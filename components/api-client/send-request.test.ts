import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeCaches } from "#test/fake-caches.ts";
import { sendFirst } from "./first-request.ts";
import { forgetReplies, storeOf } from "./saved-replies.ts";
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
