import { describe, expect, it } from "vitest";
import { frameOf, heldWorker } from "#test/map.ts";
import { FrameStore, type FrameRequest } from "./frame-store.ts";
import type { LevelPlan } from "./view-plan.ts";

const axis = { start: 0, step: 1, count: 10 };
const grid = { latitude: axis, longitude: axis };
const whole: LevelPlan = { level: "2", grid, names: ["all"], isWhole: true };
const part = (...names: string[]): LevelPlan => ({ level: "1", grid, names, isWhole: false });
const wanted = (time: string, plan: LevelPlan = whole): FrameRequest => ({
  run: "run",
  variable: "wind",
  frames: "/signed",
  time,
  plan,
});
const { signal } = new AbortController();
const frame = () => frameOf(grid);

it("asks once for a frame that it holds, and once for all who ask meanwhile", async () => {
  const fake = heldWorker();
  const store = new FrameStore(fake, 1e6);
  const both = [
    store.load(wanted("a"), undefined, true, signal),
    store.load(wanted("a"), undefined, true, signal),
  ];
  await fake.serve();
  const [held, shared] = await Promise.all(both);
  expect(shared).toBe(held);
  expect(await store.load(wanted("a"), undefined, true, signal)).toBe(held);
  expect(fake.orders).toEqual([{ id: 1, paths: ["/signed/a/2/all"], grid, base: undefined, urgent: true }]);
});

it("holds frames by what they are, whatever path they came by", async () => {
  const fake = heldWorker();
  const store = new FrameStore(fake, 1e6);
  const loading = store.load(wanted("a"), undefined, true, signal);
  await fake.serve();
  expect(store.complete({ ...wanted("a"), frames: "/signed-later" })).toBe(await loading);
  expect(store.complete({ ...wanted("a"), variable: "wave" })).toBeUndefined();
  expect(store.complete({ ...wanted("a"), run: "other" })).toBeUndefined();
});

it("asks anew by a new path while the request by the one that ended is still on its way", async () => {
  const fake = heldWorker();
  const store = new FrameStore(fake, 1e6);
  const ended = store.load(wanted("a"), undefined, true, signal);
  const anew = store.load({ ...wanted("a"), frames: "/signed-later" }, undefined, true, signal);
  const failing = expect(ended).rejects.toMatchObject({ status: 410 });
  fake.answer({ id: 1, failed: { message: "It has ended", status: 410, retryAfter: undefined } });
  await failing;
  await fake.serve();
  expect(await anew).toBe(store.complete(wanted("a")));
  expect(fake.orders.map((order) => "paths" in order && order.paths)).toEqual([
    ["/signed/a/2/all"],
    ["/signed-later/a/2/all"],
  ]);
});

it("never holds more bytes than its budget, and drops what was not used for longest", async () => {
  const fake = heldWorker();
  const store = new FrameStore(fake, 400);
  for (const time of ["a", "b", "c"]) {
    const loaded = store.load(wanted(time), undefined, true, signal);
    await fake.serve();
    await loaded;
    store.complete(wanted("a"));
  }
  expect(["a", "b", "c"].map((time) => store.partial(wanted(time)) !== undefined)).toEqual([true, false, true]);
});

describe("a level in chunks", () => {
  it("asks only for the chunks that are missing, and keeps what it has", async () => {
    const fake = heldWorker();
    const store = new FrameStore(fake, 1e6);
    const coarse = frame();
    coarse.values.fill(7);
    const first = store.load(wanted("a", part("0.0")), coarse, true, signal);
    expect(fake.open()[0]?.base?.values).toEqual(coarse.values);
    expect(fake.open()[0]?.base?.values).not.toBe(coarse.values);
    await fake.serve();
    const drawn = await first;
    expect(store.complete(wanted("a", part("0.0", "0.1")))).toBeUndefined();
    expect(store.partial(wanted("a", part("0.0", "0.1")))).toBe(drawn);
    const second = store.load(wanted("a", part("0.0", "0.1")), undefined, true, signal);
    expect(fake.open()[0]?.paths).toEqual(["/signed/a/1/0.1"]);
    await fake.serve();
    expect(store.complete(wanted("a", part("0.0", "0.1")))).toBe(await second);
    expect(await second).not.toBe(drawn);
  });

  it("forgets no chunk when requests overtake each other", async () => {
    const fake = heldWorker();
    const store = new FrameStore(fake, 1e6);
    const few = store.load(wanted("a", part("0.0")), undefined, true, signal);
    const more = store.load(wanted("a", part("0.0", "0.1")), undefined, true, signal);
    await fake.serve(/0\.1|0\.0/);
    await Promise.all([few, more]);
    const late = store.load(wanted("b", part("0.0")), undefined, true, signal);
    const [order] = fake.open();
    const all = store.load(wanted("b", part("0.0", "0.1")), undefined, true, signal);
    for (const { id } of fake.open().filter(({ id }) => id !== order?.id))
      fake.answer({ id, frame: frame() });
    const known = await all;
    fake.answer({ id: order!.id, frame: frame() });
    await late;
    expect(store.complete(wanted("b", part("0.0", "0.1")))).toBe(known);
  });
});

describe("who does not want a frame any more", () => {
  it("stops the request, and is told the reason", async () => {
    const fake = heldWorker();
    const store = new FrameStore(fake, 1e6);
    const controller = new AbortController();
    const loading = store.load(wanted("a"), undefined, true, controller.signal);
    controller.abort();
    await expect(loading).rejects.toBe(controller.signal.reason);
    expect(fake.orders.at(-1)).toEqual({ abort: 1 });
    const again = store.load(wanted("a"), undefined, true, signal);
    await fake.serve();
    await again;
  });

  it("does not stop it while another waits", async () => {
    const fake = heldWorker();
    const store = new FrameStore(fake, 1e6);
    const controller = new AbortController();
    const leaving = store.load(wanted("a"), undefined, false, controller.signal);
    const staying = store.load(wanted("a"), undefined, true, signal);
    controller.abort();
    await expect(leaving).rejects.toBe(controller.signal.reason);
    expect(fake.orders.slice(1)).toEqual([{ raise: 1 }]);
    await fake.serve();
    await staying;
  });
});

it("hands on what the service said", async () => {
  const fake = heldWorker();
  const loading = new FrameStore(fake, 1e6).load(wanted("a"), undefined, true, signal);
  void fake.fail(429, 23);
  await expect(loading).rejects.toMatchObject({ status: 429, retryAfter: 23, message: "Failed: 429" });
});
