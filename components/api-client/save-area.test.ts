import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_S } from "#lib/time.ts";
import { fakeCaches } from "#test/fake-caches.ts";
import { drawableRun } from "#test/map.ts";
import { type AreaPlan, bytesToLoad, deleteArea, removeOldAreas, saveArea } from "./save-area.ts";
import { type AreaWish, areaManifests, areaNear, savedAreas, savedTimes } from "./saved-areas.ts";
import { forgetReplies, GUEST, savedName, savedReply, saveReply, storeOf } from "./saved-replies.ts";

const KEY = "a-key";
const NAME = "/2DMetOcean/manifest?variable=wind";
const wish: AreaWish = {
  box: { south: 40, north: 50, west: 170, east: 190 },
  variables: ["wind"],
  model: null,
  days: 3,
  hours: 3,
  from: 0,
};
const frame = (run: string, time: string) =>
  `/2DMetOcean/signed-frames/1.abc/Forecast/${run}/wind/${time}/1/all`;

/** A plan of frames of four bytes. */
function planOf(run: string, times: readonly string[], part: Partial<AreaWish> = {}): AreaPlan {
  const frames = new Map(times.map((time) => [frame(run, time), 4]));
  const runs = [
    drawableRun({ run, times: [...times], frames: `/2DMetOcean/signed-frames/1.abc/Forecast/${run}/wind` }),
  ];
  return {
    wish: { ...wish, ...part },
    until: 3 * DAY_S,
    manifests: [{ name: NAME, manifest: { variable: "wind", now: "1970-01-01T00:00:00Z", runs } }],
    frames,
    bytes: 4 * times.length,
  };
}

const TIMES = ["a", "b", "c", "d", "e"];
const requested: string[] = [];
let reply: (path: string) => Response | Promise<Response>;
const waits: number[] = [];

beforeEach(() => {
  vi.stubGlobal("caches", fakeCaches());
  requested.length = 0;
  waits.length = 0;
  reply = () => new Response("data");
  vi.stubGlobal("fetch", async (path: string, { signal }: RequestInit = {}) => {
    requested.push(path);
    signal?.throwIfAborted();
    return reply(path);
  });
});
afterEach(() => vi.unstubAllGlobals());

type Options = Partial<Parameters<typeof saveArea>[2]> & { key?: string };
const save = (plan: AreaPlan, { key = KEY, ...options }: Options = {}) =>
  saveArea(key, plan, {
    former: undefined,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    now: 1000,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
const stateOf = async () => (await savedAreas(KEY)).map(({ state, saved }) => `${state} ${saved}`);
const foundFrame = async (run: string, time: string) => {
  const name = await savedName(frame(run, time), undefined);
  return (await savedReply(await storeOf(KEY), name!))?.reply.text();
};

it("a saved area is found by the frames' names, is listed with its exact size, and survives what else is saved", async () => {
  const progress: number[] = [];
  await save(planOf("run", TIMES), { onProgress: (bytes) => progress.push(bytes) });
  expect(progress).toEqual([0, 4, 8, 12, 16, 20]);
  expect(await savedAreas(KEY)).toMatchObject([
    { state: "whole", bytes: 20, frames: 5, until: 3 * DAY_S, at: 1000 },
  ]);
  expect(await foundFrame("run", "c")).toBe("data");
  expect((await areaManifests(KEY, NAME))[0]?.manifest.runs[0]?.times).toEqual(TIMES);
  expect(await areaManifests(KEY, `${NAME}&model=gfs`)).toEqual([]);
  // Frames that are shown later displace each other, not those of the area.
  const store = await storeOf(KEY);
  for (let i = 0; i < 95; i++)
    await saveReply(store, (await savedName(frame("new", `${i}`), undefined))!, new Response("x"), 1);
  expect(await stateOf()).toEqual(["whole 5"]);
  expect(await foundFrame("run", "a")).toBe("data");
  expect(await savedTimes(KEY, "wind")).toBe(90);
  expect(await savedTimes(KEY, "wave")).toBe(0);
  // A reload keeps what belongs to the key in use, and another key sees none of it.
  await forgetReplies(KEY);
  expect(await stateOf()).toEqual(["whole 5"]);
  expect(await savedAreas("another")).toEqual([]);
  await forgetReplies("another");
  expect(await savedAreas(KEY)).toEqual([]);
});

it("areas of a visitor stay when a key is entered, which renews, deletes and forgets them, and continues none", async () => {
  reply = (path) =>
    path === frame("half", "b") ? Promise.reject(new TypeError("no network")) : new Response("data");
  await save(planOf("run", TIMES), { key: GUEST, now: 1 });
  await expect(save(planOf("half", TIMES), { key: GUEST, now: 2 })).rejects.toThrow();
  await forgetReplies(KEY);
  expect(await stateOf()).toEqual([expect.stringMatching(/^part/), "whole 5"]);
  expect(await foundFrame("run", "c")).toBe("data");
  expect((await areaManifests(KEY, NAME)).map(({ area }) => area.at)).toEqual([1]);
  reply = () => new Response("data");
  requested.length = 0;
  const [part, whole] = await savedAreas(KEY);
  await save(planOf("half", TIMES), { former: part, now: 3 });
  expect(requested).toHaveLength(5);
  expect(await stateOf()).toEqual(["whole 5", "whole 5"]);
  expect(await savedAreas(GUEST)).toMatchObject([{ id: whole!.id }]);
  await removeOldAreas(KEY, 4 * DAY_S + 1);
  expect(await savedAreas(GUEST)).toMatchObject([{ id: whole!.id, state: "removed" }]);
  await deleteArea(KEY, whole!.id);
  expect(await savedAreas(GUEST)).toEqual([]);
  await save(planOf("run", TIMES), { key: GUEST });
  await forgetReplies();
  expect(await caches.keys()).toEqual([]);
});

it("an interrupted area is not shown, and is continued without what it has", async () => {
  reply = (path) =>
    path === frame("run", "d") ? Promise.reject(new TypeError("no network")) : new Response("data");
  await expect(save(planOf("run", TIMES))).rejects.toMatchObject({ why: "lost" });
  const [part] = await savedAreas(KEY);
  expect(part?.state).toBe("part");
  expect(part?.saved).toBeGreaterThan(0);
  expect(await areaManifests(KEY, NAME)).toEqual([]);
  reply = () => new Response("data");
  requested.length = 0;
  await save(planOf("run", TIMES), { former: part });
  expect(requested).toHaveLength(5 - (part?.saved ?? 0));
  expect(await stateOf()).toEqual(["whole 5"]);
  // Nothing of an older run stays behind.
  reply = (path) =>
    path === frame("newer", "b") ? Promise.reject(new TypeError("no network")) : new Response("data");
  await deleteArea(KEY, part!.id);
  await expect(save(planOf("newer", TIMES))).rejects.toThrow();
  reply = () => new Response("data");
  await save(planOf("newest", ["a"]), { former: (await savedAreas(KEY))[0] });
  expect(await foundFrame("newer", "a")).toBeUndefined();
  expect(await foundFrame("newest", "a")).toBe("data");
});

it("saving again replaces the former area only when the new one is whole", async () => {
  const former = await save(planOf("run", TIMES));
  reply = () => Promise.reject(new TypeError("no network"));
  await expect(save(planOf("next", TIMES), { former, now: 2000 })).rejects.toThrow();
  expect(await stateOf()).toEqual(["part 0", "whole 5"]);
  expect(await foundFrame("run", "e")).toBe("data");
  reply = () => new Response("data");
  const next = await save(planOf("next", TIMES), { former, now: 3000 });
  expect((await savedAreas(KEY)).map(({ id, state }) => [id, state])).toContainEqual([next.id, "whole"]);
  expect(await foundFrame("run", "e")).toBeUndefined();
});

it("a full device leaves nothing of the area and everything that was there", async () => {
  const former = await save(planOf("run", TIMES));
  const { open } = caches;
  let puts = 0;
  vi.spyOn(caches, "open").mockImplementation(async (name) => {
    const cache = await open.call(caches, name);
    return {
      ...cache,
      put: async (request: string, response: Response) => {
        if (++puts > 3) throw new DOMException("full", "QuotaExceededError");
        await cache.put(request, response);
      },
    } as unknown as Cache;
  });
  await expect(save(planOf("next", TIMES), { former })).rejects.toMatchObject({ why: "full" });
  expect((await savedAreas(KEY)).map(({ id, state }) => [id, state])).toEqual([[former.id, "whole"]]);
  expect(await caches.keys()).toHaveLength(1);
});

it.each([
  ["a captive portal", () => new Response("<html>")],
  ["an expired path", () => new Response("gone", { status: 410 })],
])("the reply of %s is not saved as a frame", async (_, answer) => {
  reply = answer;
  await expect(save(planOf("run", TIMES))).rejects.toMatchObject({ why: "lost" });
  expect(await stateOf()).toEqual(["part 0"]);
});

it("a rate limit is waited for", async () => {
  let refusals = 2;
  reply = () =>
    refusals-- > 0
      ? new Response("later", { status: 429, headers: { "retry-after": "7" } })
      : new Response("data");
  await save(planOf("run", TIMES));
  expect(waits).toEqual([7000, 7000]);
  expect(await stateOf()).toEqual(["whole 5"]);
});

it("cancelling stops its requests, and leaves what can be continued", async () => {
  const control = new AbortController();
  const saving = save(planOf("run", TIMES), {
    signal: control.signal,
    onProgress: (bytes) => bytes >= 8 && control.abort(new Error("cancelled")),
  });
  await expect(saving).rejects.toThrow("cancelled");
  expect(requested.length).toBeLessThan(6);
  expect(await stateOf()).toMatchObject([expect.stringMatching(/^part [2-4]$/)]);
});

it("a key that is forgotten meanwhile takes the area with it", async () => {
  const saving = save(planOf("run", TIMES), { onProgress: (bytes) => bytes === 8 && void forgetReplies() });
  await expect(saving).rejects.toMatchObject({ why: "lost" });
  await vi.waitFor(async () => expect(await caches.keys()).toEqual([]));
});

it("an area whose last time is past by a day is removed, and its description stays", async () => {
  await save(planOf("run", TIMES));
  await removeOldAreas(KEY, 4 * DAY_S);
  expect(await stateOf()).toEqual(["whole 5"]);
  await removeOldAreas(KEY, 4 * DAY_S + 1);
  expect((await savedAreas(KEY))[0]).toMatchObject({ state: "removed", variables: ["wind"] });
  expect(await foundFrame("run", "a")).toBeUndefined();
  expect(await areaManifests(KEY, NAME)).toEqual([]);
});

it.each([
  [45, 175, "older"],
  [45, -175, "older"],
  [45, 520, "newer"],
  [45, 160, "newer"],
  [55, 175, "newer"],
])("at %i, %i the map shows the %s area", async (latitude, longitude, expected) => {
  await save(planOf("older", TIMES), { now: 1000 });
  await save(planOf("newer", TIMES, { box: { south: 0, north: 1, west: 0, east: 1 } }), { now: 2000 });
  const found = areaNear(await areaManifests(KEY, NAME), { latitude, longitude });
  expect(found?.manifest.runs[0]?.run).toBe(expected);
});

it("what the network carries is estimated by the compressed size of one time", async () => {
  reply = () => new Response(null, { headers: { "content-length": "1" } });
  const { signal } = new AbortController();
  expect(await bytesToLoad(planOf("run", TIMES), signal)).toBe(5);
  expect(requested).toEqual([frame("run", "c")]);
  reply = () => new Response(null);
  expect(await bytesToLoad(planOf("run", TIMES), signal)).toBeUndefined();
});
