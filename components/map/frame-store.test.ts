import { describe, expect, it } from "vitest";
import { controlledWorker, frameOf } from "#test/map.ts";
import { type FrameRequest, FrameStore } from "./frame-store.ts";
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

it("requests a frame once, for concurrent and for later callers", async () => {
  const fake = controlledWorker();
  const store = new FrameStore(fake, 1e6);
  const both = [
    store.load(wanted("a"), undefined, true, signal),
    store.load(wanted("a"), undefined, true, signal),
  ];
  await fake.serve();
  const [first, shared] = await Promise.all(both);
  expect(shared).toBe(first);
  expect(await store.load(wanted("a"), undefined, true, signal)).toBe(first);
  expect(fake.requests).toEqual([{ id: 1, paths: ["/signed/a/2/all"], grid, base: undefined, urgent: true }]);
});

it("identifies frames by their content, not by the path they came by", async () => {
  const fake = controlledWorker();
  const store = new FrameStore(fake, 1e6);
  const loading = store.load(wanted("a"), undefined, true, signal);
  await fake.serve();
  expect(store.complete({ ...wanted("a"), frames: "/signed-later" })).toBe(await loading);
  expect(store.complete({ ...wanted("a"), variable: "wave" })).toBeUndefined();
  expect(store.complete({ ...wanted("a"), run: "other" })).toBeUndefined();
});

it("requests a frame by the new path while a request by the expired path is pending", async () => {
  const fake = controlledWorker();
  const store = new FrameStore(fake, 1e6);
  const expired = store.load(wanted("a"), undefined, true, signal);
  const renewed = store.load({ ...wanted("a"), frames: "/signed-later" }, undefined, true, signal);
  const failing = expect(expired).rejects.toMatchObject({ status: 410 });
  fake.reply({ id: 1, failed: { said: "Expired", status: 410, retryAfter: undefined } });
  await failing;
  await fake.serve();
  expect(await renewed).toBe(store.complete(wanted("a")));
  expect(fake.requests.map((request) => "paths" in request && request.paths)).toEqual([
    ["/signed/a/2/all"],
    ["/signed-later/a/2/all"],
  ]);
});

it("never exceeds its budget, and evicts the least recently used frame", async () => {
  const fake = controlledWorker();
  const store = new FrameStore(fake, 400);
  for (const time of ["a", "b", "c"]) {
    const loaded = store.load(wanted(time), undefined, true, signal);
    await fake.serve();
    await loaded;
    store.complete(wanted("a"));
  }
  expect(["a", "b", "c"].map((time) => store.partial(wanted(time)) !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
});

describe("a level in chunks", () => {
  it("requests only the missing chunks, and completes the cached frame", async () => {
    const fake = controlledWorker();
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

  it("loses no chunk when replies arrive out of order", async () => {
    const fake = controlledWorker();
    const store = new FrameStore(fake, 1e6);
    const few = store.load(wanted("a", part("0.0")), undefined, true, signal);
    const more = store.load(wanted("a", part("0.0", "0.1")), undefined, true, signal);
    await fake.serve(/0\.1|0\.0/);
    await Promise.all([few, more]);
    const late = store.load(wanted("b", part("0.0")), undefined, true, signal);
    const [request] = fake.open();
    const all = store.load(wanted("b", part("0.0", "0.1")), undefined, true, signal);
    for (const { id } of fake.open().filter(({ id }) => id !== request?.id))
      fake.reply({ id, frame: frame() });
    const known = await all;
    fake.reply({ id: request!.id, frame: frame() });
    await late;
    expect(store.complete(wanted("b", part("0.0", "0.1")))).toBe(known);
  });
});

describe("aborting", () => {
  it("aborts the request, and rejects with the reason", async () => {
    const fake = controlledWorker();
    const store = new FrameStore(fake, 1e6);
    const controller = new AbortController();
    const loading = store.load(wanted("a"), undefined, true, controller.signal);
    controller.abort();
    await expect(loading).rejects.toBe(controller.signal.reason);
    expect(fake.requests.at(-1)).toEqual({ abort: 1 });
    const again = store.load(wanted("a"), undefined, true, signal);
    await fake.serve();
    await again;
  });

  it("leaves the request running while another caller waits", async () => {
    const fake = controlledWorker();
    const store = new FrameStore(fake, 1e6);
    const controller = new AbortController();
    const leaving = store.load(wanted("a"), undefined, false, controller.signal);
    const staying = store.load(wanted("a"), undefined, true, signal);
    controller.abort();
    await expect(leaving).rejects.toBe(controller.signal.reason);
    expect(fake.requests.slice(1)).toEqual([{ raise: 1 }]);
    await fake.serve();
    await staying;
  });
});

it("passes on the service's error", async () => {
  const fake = controlledWorker();
  const loading = new FrameStore(fake, 1e6).load(wanted("a"), undefined, true, signal);
  void fake.fail(429, 23);
  await expect(loading).rejects.toMatchObject({ status: 429, retryAfter: 23, message: "Failed: 429" });
});
