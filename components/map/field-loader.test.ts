import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StepPair } from "#components/view-state/timeline.ts";
import { strided } from "#lib/field/grid.ts";
import { heldWorker, settled } from "#test/map.ts";
import { type DrawnField, FieldLoader, type FieldRequest } from "./field-loader.ts";
import { FrameStore } from "./frame-store.ts";

const globe = {
  latitude: { start: -90, step: 5, count: 37 },
  longitude: { start: -180, step: 5, count: 72 },
};
const coarse = { latitude: strided(globe.latitude, 4), longitude: strided(globe.longitude, 4) };
const FINE_BYTES = 2 * 37 * 72;

const steps = (before: string, after = before, later = 0): StepPair => ({
  run: {
    dataset: "Forecast",
    run: "run",
    source: "gfs",
    model: "GFS",
    reference_time: "",
    from: "",
    to: "",
    times: [],
    frames: "/f",
    levels: [
      { level: "1", grid: globe, chunk: { rows: 37, columns: 36 } },
      { level: "4", grid: coarse, chunk: { rows: 10, columns: 18 } },
    ],
    planes: [],
  },
  before,
  after,
  later,
});
const east = { south: 10, north: 20, west: 10, east: 20 };
const west = { south: 10, north: 20, west: -20, east: -10 };
const wish = (time: string, more: Partial<FieldRequest> = {}): FieldRequest => ({
  variable: "wind",
  steps: steps(time),
  around: [],
  box: east,
  ...more,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function loader(budget = 1e6) {
  const worker = heldWorker();
  const told: DrawnField[] = [];
  const opened = new FieldLoader(new FrameStore(worker, budget), (drawn) => void told.push(drawn));
  const wait = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await settled();
  };
  return {
    worker,
    told,
    opened,
    wait,
    last: () => told.at(-1)!,
    paths: () => worker.open().flatMap(({ paths }) => paths),
  };
}

it("draws the coarse level first, then the fine one of what is in view", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(wish("a"));
  expect(paths()).toEqual(["/f/a/4/all"]);
  await worker.serve();
  expect(last()).toMatchObject({ settled: false, stale: false, pair: { before: { grid: coarse } } });
  expect(paths()).toEqual(["/f/a/1/0.1"]);
  await worker.serve();
  expect(last()).toMatchObject({ settled: true, pair: { before: { grid: globe } } });
});

it("begins before the map is open, and is not settled until it knows what is in view", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(wish("a", { box: undefined }));
  await worker.serve();
  expect(last()).toMatchObject({ settled: false, pair: { before: { grid: coarse } } });
  opened.request(wish("a"));
  await settled();
  expect(paths()).toEqual(["/f/a/1/0.1"]);
});

it("asks for the chunks that come into view, and keeps drawing the others", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(wish("a"));
  await worker.serve();
  await worker.serve();
  const drawn = last().pair;
  opened.request(wish("a", { box: west }));
  expect(last()).toMatchObject({ settled: false, stale: false });
  expect(last().pair).toBe(drawn);
  expect(paths()).toEqual(["/f/a/1/0.0"]);
  await worker.serve();
  expect(last().settled).toBe(true);
});

describe("scrubbing", () => {
  it("is never blank: the last field stays, marked as another instant's", async () => {
    const { worker, opened, last } = loader();
    opened.request(wish("a"));
    await worker.serve();
    await worker.serve();
    const drawn = last().pair;
    opened.request(wish("b"));
    expect(last()).toMatchObject({ stale: true, settled: false, steps: { before: "a" } });
    expect(last().pair).toBe(drawn);
    await worker.serve(/b\/4/);
    expect(last()).toMatchObject({ stale: false, settled: false, steps: { before: "b" } });
  });

  it("stops what it passed, and asks for no fine level before it rests", async () => {
    const { worker, opened, wait, paths } = loader();
    opened.request(wish("a"));
    await worker.serve();
    await worker.serve();
    for (const time of ["b", "c", "d"]) {
      opened.request(wish(time));
      await wait(50);
    }
    expect(paths()).toEqual(["/f/d/4/all"]);
    await worker.serve();
    expect(paths()).toEqual([]);
    await wait(120);
    expect(paths()).toEqual(["/f/d/1/0.1"]);
  });

  it("inside the steps fetched ahead asks for nothing, and draws at once", async () => {
    const { worker, opened, wait, last } = loader();
    const around = [steps("b"), steps("z")];
    opened.request(wish("a", { around }));
    await worker.serve();
    await worker.serve();
    await wait(300);
    for (let i = 0; i < 4; i++) await worker.serve();
    const asked = worker.orders.length;
    for (const time of ["b", "a", "z", "a", "b", "a"]) {
      opened.request(wish(time, { around: [steps("c")] }));
      expect(last()).toMatchObject({ settled: true, stale: false, steps: { before: time } });
      await wait(100);
    }
    expect(worker.orders.length).toBe(asked);
  });

  it("between two steps moves the share of the later one alone", async () => {
    const { worker, opened, last } = loader();
    opened.request(wish("a", { steps: steps("a", "b", 0.25) }));
    await worker.serve();
    await worker.serve();
    const { before, after } = last().pair!;
    const asked = worker.orders.length;
    opened.request(wish("a", { steps: steps("a", "b", 0.5) }));
    expect(last()).toMatchObject({ settled: true, pair: { later: 0.5 } });
    expect([last().pair?.before, last().pair?.after]).toEqual([before, after]);
    expect(worker.orders.length).toBe(asked);
  });
});

describe("fetching ahead", () => {
  const drawn = async (budget?: number) => {
    const test = loader(budget);
    test.opened.request(wish("a", { around: ["b", "c", "d", "e"].map((time) => steps(time)) }));
    await test.worker.serve();
    await test.worker.serve();
    return test;
  };

  it("waits until nothing else is wanted, goes one step at a time, and is not urgent", async () => {
    const { worker, wait, paths } = await drawn();
    expect(paths()).toEqual([]);
    await wait(300);
    expect(paths()).toEqual(["/f/b/4/all"]);
    await worker.serve();
    expect(paths()).toEqual(["/f/b/1/0.1"]);
    expect(worker.open().map(({ urgent }) => urgent)).toEqual([false]);
  });

  it("gives way to what is wished for, and makes it urgent where it is the same", async () => {
    const { worker, opened, wait, paths } = await drawn();
    await wait(300);
    await worker.serve();
    opened.request(wish("b"));
    await wait(120);
    expect(paths()).toEqual(["/f/b/1/0.1"]);
    const [{ id } = { id: -1 }] = worker.open();
    expect(worker.orders.at(-1)).toEqual({ raise: id });
  });

  it("takes no more memory than its share", async () => {
    const { worker, wait } = await drawn(FINE_BYTES * 6);
    await wait(300);
    for (let i = 0; i < 10; i++) await worker.serve();
    const fine = worker.orders.filter((order) => "paths" in order && /\/1\//.test(order.paths[0] ?? ""));
    expect(fine).toHaveLength(3);
  });

  it("that fails says nothing: nothing is wrong with what is drawn", async () => {
    const { worker, wait, last } = await drawn();
    await wait(300);
    await worker.fail(500);
    expect(last()).toMatchObject({ settled: true, error: undefined });
  });
});

describe("a service that asks for patience", () => {
  it("is asked again when it says so, once, and the map tells until when it waits", async () => {
    const { worker, opened, wait, last, paths } = loader();
    const asked = Date.now();
    opened.request(wish("a"));
    await worker.fail(429, 7);
    expect(last()).toMatchObject({ settled: false, error: undefined, limitedUntil: asked + 7000 });
    await wait(6900);
    expect(paths()).toEqual([]);
    await wait(200);
    expect(paths()).toEqual(["/f/a/4/all"]);
    await worker.fail(429, 7);
    expect(last()).toMatchObject({ limitedUntil: undefined, error: { status: 429 } });
    await wait(60_000);
    expect(paths()).toEqual([]);
    opened.retry();
    expect(paths()).toEqual(["/f/a/4/all"]);
    await worker.serve();
    expect(last()).toMatchObject({ error: undefined, limitedUntil: undefined });
  });

  it("is asked again when the service answers after an outage, and not for what it refused", async () => {
    const { worker, opened, last, paths } = loader();
    opened.request(wish("a"));
    await worker.fail(404);
    opened.recover();
    expect(paths()).toEqual([]);
    opened.retry();
    await worker.fail(503);
    expect(last()).toMatchObject({ error: { status: 503 } });
    opened.recover();
    expect(paths()).toEqual(["/f/a/4/all"]);
    await worker.serve();
    expect(last()).toMatchObject({ error: undefined });
  });

  it("is not asked for another instant meanwhile", async () => {
    const { worker, opened, wait, last, paths } = loader();
    opened.request(wish("a"));
    await worker.fail(429, 7);
    opened.request(wish("b"));
    await wait(1000);
    expect(paths()).toEqual([]);
    expect(last().limitedUntil).toBeDefined();
    await wait(7000);
    expect(paths()).toEqual(["/f/b/4/all"]);
  });
});

it("says what is wrong, keeps what it drew, and asks again when told to or when the path is another", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(wish("a"));
  await worker.serve();
  await worker.fail(410);
  expect(last()).toMatchObject({
    error: { status: 410 },
    settled: false,
    pair: { before: { grid: coarse } },
  });
  const renewed = steps("a");
  opened.request(wish("a", { steps: { ...renewed, run: { ...renewed.run, frames: "/g" } } }));
  expect(last().error).toBeUndefined();
  await settled();
  expect(paths()).toEqual(["/g/a/1/0.1"]);
});

it("draws nothing where the archive has nothing, and stops", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(wish("a"));
  await worker.serve();
  opened.request(wish("a", { steps: undefined }));
  expect(last()).toMatchObject({ pair: undefined, settled: false });
  expect(paths()).toEqual([]);
});
