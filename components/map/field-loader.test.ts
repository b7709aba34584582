import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StepPair } from "#components/view-state/timeline.ts";
import { strided } from "#lib/field/grid.ts";
import { controlledWorker, flushPromises } from "#test/map.ts";
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
  time: 0,
});
const east = { south: 10, north: 20, west: 10, east: 20 };
const west = { south: 10, north: 20, west: -20, east: -10 };
const request = (time: string, more: Partial<FieldRequest> = {}): FieldRequest => ({
  variable: "wind",
  steps: steps(time),
  around: [],
  box: east,
  ...more,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function loader(budget = 1e6) {
  const worker = controlledWorker();
  const drawn: DrawnField[] = [];
  const opened = new FieldLoader(new FrameStore(worker, budget), (field) => void drawn.push(field));
  const wait = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await flushPromises();
  };
  return {
    worker,
    opened,
    wait,
    last: () => drawn.at(-1)!,
    paths: () => worker.open().flatMap(({ paths }) => paths),
  };
}

it("draws the coarse level first, then the fine level of the view", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(request("a"));
  expect(paths()).toEqual(["/f/a/4/all"]);
  await worker.serve();
  expect(last()).toMatchObject({ settled: false, stale: false, pair: { before: { grid: coarse } } });
  expect(paths()).toEqual(["/f/a/1/0.1"]);
  await worker.serve();
  expect(last()).toMatchObject({ settled: true, pair: { before: { grid: globe } } });
});

it("starts before the map is open, and is not settled until the view is known", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(request("a", { box: undefined }));
  await worker.serve();
  expect(last()).toMatchObject({ settled: false, pair: { before: { grid: coarse } } });
  opened.request(request("a"));
  await flushPromises();
  expect(paths()).toEqual(["/f/a/1/0.1"]);
});

it("requests the chunks that come into view, and keeps drawing the others", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(request("a"));
  await worker.serve();
  await worker.serve();
  const drawn = last().pair;
  opened.request(request("a", { box: west }));
  expect(last()).toMatchObject({ settled: false, stale: false });
  expect(last().pair).toBe(drawn);
  expect(paths()).toEqual(["/f/a/1/0.0"]);
  await worker.serve();
  expect(last().settled).toBe(true);
});

describe("scrubbing", () => {
  it("never blanks the map: the last field stays, marked as stale", async () => {
    const { worker, opened, last } = loader();
    opened.request(request("a"));
    await worker.serve();
    await worker.serve();
    const drawn = last().pair;
    opened.request(request("b"));
    expect(last()).toMatchObject({ stale: true, settled: false, steps: { before: "a" } });
    expect(last().pair).toBe(drawn);
    await worker.serve(/b\/4/);
    expect(last()).toMatchObject({ stale: false, settled: false, steps: { before: "b" } });
  });

  it("aborts requests for passed instants, and requests no fine level until it pauses", async () => {
    const { worker, opened, wait, paths } = loader();
    opened.request(request("a"));
    await worker.serve();
    await worker.serve();
    for (const time of ["b", "c", "d"]) {
      opened.request(request(time));
      await wait(50);
    }
    expect(paths()).toEqual(["/f/d/4/all"]);
    await worker.serve();
    expect(paths()).toEqual([]);
    await wait(120);
    expect(paths()).toEqual(["/f/d/1/0.1"]);
  });

  it("draws prefetched steps at once, without requests", async () => {
    const { worker, opened, wait, last } = loader();
    const around = [steps("b"), steps("z")];
    opened.request(request("a", { around }));
    await worker.serve();
    await worker.serve();
    await wait(300);
    for (let i = 0; i < 4; i++) await worker.serve();
    const count = worker.requests.length;
    for (const time of ["b", "a", "z", "a", "b", "a"]) {
      opened.request(request(time, { around: [steps("c")] }));
      expect(last()).toMatchObject({ settled: true, stale: false, steps: { before: time } });
      await wait(100);
    }
    expect(worker.requests.length).toBe(count);
  });

  it("changes only the weight of the later step between two steps", async () => {
    const { worker, opened, last } = loader();
    opened.request(request("a", { steps: steps("a", "b", 0.25) }));
    await worker.serve();
    await worker.serve();
    const { before, after } = last().pair!;
    const count = worker.requests.length;
    opened.request(request("a", { steps: steps("a", "b", 0.5) }));
    expect(last()).toMatchObject({ settled: true, pair: { later: 0.5 } });
    expect([last().pair?.before, last().pair?.after]).toEqual([before, after]);
    expect(worker.requests.length).toBe(count);
  });
});

describe("prefetching", () => {
  const drawn = async (budget?: number) => {
    const test = loader(budget);
    test.opened.request(request("a", { around: ["b", "c", "d", "e"].map((time) => steps(time)) }));
    await test.worker.serve();
    await test.worker.serve();
    return test;
  };

  it("waits until nothing else is loading, goes one step at a time, and is not urgent", async () => {
    const { worker, wait, paths } = await drawn();
    expect(paths()).toEqual([]);
    await wait(300);
    expect(paths()).toEqual(["/f/b/4/all"]);
    await worker.serve();
    expect(paths()).toEqual(["/f/b/1/0.1"]);
    expect(worker.open().map(({ urgent }) => urgent)).toEqual([false]);
  });

  it("does not wait while time plays: the next step is read while this one is looked at", async () => {
    const { worker, opened, wait, paths } = loader();
    opened.request(request("a", { around: [steps("b")], isPlaying: true }));
    await worker.serve();
    await worker.serve();
    await wait(1);
    expect(paths()).toEqual(["/f/b/4/all"]);
  });

  it("yields to requests, and becomes urgent where it loads the same", async () => {
    const { worker, opened, wait, paths } = await drawn();
    await wait(300);
    await worker.serve();
    opened.request(request("b"));
    await wait(120);
    expect(paths()).toEqual(["/f/b/1/0.1"]);
    const [{ id } = { id: -1 }] = worker.open();
    expect(worker.requests.at(-1)).toEqual({ raise: id });
  });

  it("respects its share of the memory", async () => {
    const { worker, wait } = await drawn(FINE_BYTES * 6);
    await wait(300);
    for (let i = 0; i < 10; i++) await worker.serve();
    const fine = worker.requests.filter(
      (request) => "paths" in request && /\/1\//.test(request.paths[0] ?? ""),
    );
    expect(fine).toHaveLength(3);
  });

  it("fails silently: what is drawn is not affected", async () => {
    const { worker, wait, last } = await drawn();
    await wait(300);
    await worker.fail(500);
    expect(last()).toMatchObject({ settled: true, error: undefined });
  });
});

describe("a rate limit or outage of the service", () => {
  it("is retried once, after Retry-After, and the time of the retry is reported", async () => {
    const { worker, opened, wait, last, paths } = loader();
    const requestedAt = Date.now();
    opened.request(request("a"));
    await worker.fail(429, 7);
    expect(last()).toMatchObject({ settled: false, error: undefined, limitedUntil: requestedAt + 7000 });
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

  it("is retried when the service is back, unless it refused the request", async () => {
    const { worker, opened, last, paths } = loader();
    opened.request(request("a"));
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

  it("delays requests for other instants too", async () => {
    const { worker, opened, wait, last, paths } = loader();
    opened.request(request("a"));
    await worker.fail(429, 7);
    opened.request(request("b"));
    await wait(1000);
    expect(paths()).toEqual([]);
    expect(last().limitedUntil).toBeDefined();
    await wait(7000);
    expect(paths()).toEqual(["/f/b/4/all"]);
  });
});

it("reports an error, keeps what it drew, and retries on request or by a renewed path", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(request("a"));
  await worker.serve();
  await worker.fail(410);
  expect(last()).toMatchObject({
    error: { status: 410 },
    settled: false,
    pair: { before: { grid: coarse } },
  });
  const renewed = steps("a");
  opened.request(request("a", { steps: { ...renewed, run: { ...renewed.run, frames: "/g" } } }));
  expect(last().error).toBeUndefined();
  await flushPromises();
  expect(paths()).toEqual(["/g/a/1/0.1"]);
});

it("draws nothing and requests nothing where the archive has no steps", async () => {
  const { worker, opened, last, paths } = loader();
  opened.request(request("a"));
  await worker.serve();
  opened.request(request("a", { steps: undefined }));
  expect(last()).toMatchObject({ pair: undefined, settled: false });
  expect(paths()).toEqual([]);
});
