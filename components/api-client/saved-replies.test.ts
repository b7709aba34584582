import { beforeEach, expect, it, vi } from "vitest";
import { fakeCaches } from "#test/fake-caches.ts";
import { forgetReplies, savedName, savedReply, saveReply, secondsSaved, storeOf } from "./saved-replies.ts";

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
