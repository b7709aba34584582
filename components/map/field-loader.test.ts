import { strided } from "@open-metocean/geo/grid";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StepPair } from "#components/view-state/timeline.ts";
import { controlledWorker, drawableRun, flushPromises, frameOf, globeGrid } from "#test/map.ts";
import { type DrawnField, FieldLoader, type FieldRequest } from "./field-loader.ts";
import { FrameStore } from "./frame-store.ts";

const globe = globeGrid(5);
const coarse = { latitude: strided(globe.latitude, 4), longitude: strided(globe.longitude, 4) };
const FINE_BYTES = 2 * 37 * 72;
const levels = [
  { level: "1", grid: globe, chunk: { rows: 37, columns: 36 } },
  { level: "4", grid: coarse, chunk: { rows: 10, columns: 18 } },
];

const steps = (before: string, after = before, later = 0, frames = "/f"): StepPair => ({
  run: drawableRun({ frames, levels }),
  before,
  after,
  later,
  time: 0,
});
const east = { south: 10, north: 20, west: 10, east: 20 };
const west = { south: 10, north: 20, west: -20, east: -10 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openLoader(budget = 1e6) {
  const worker = controlledWorker();
  const drawn: DrawnField[] = [];
  const loader = new FieldLoader(new FrameStore(worker, budget), (field) => void drawn.push(field));
  const request = (time: string, more: Partial<FieldRequest> = {}) =>
    loader.request({ variable: "wind", steps: steps(time), around: [], box: east, ...more });
  return {
    worker,
    loader,
    request,
    wait: async (milliseconds: number) => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      await flushPromises();
    },
    last: () => drawn.at(-1)!,
    paths: () => worker.open().flatMap(({ paths }) => paths),
  };
}

/** The same as `openLoader`, with both levels of step a drawn. */
async function openDrawn(more: Partial<FieldRequest> = {}, budget?: number) {
  const opened = openLoader(budget);
  opened.request("a", more);
  await opened.worker.serve();
  await opened.worker.serve();
  return opened;
}

it("draws the coarse level first, then the fine level of the view", async () => {
  const { worker, request, last, paths } = openLoader();
  request("a");
  expect(paths()).toEqual(["/f/a/4/all"]);
  await worker.serve();
  expect(last()).toMatchObject({ settled: false, stale: false, pair: { before: { grid: coarse } } });
  expect(paths()).toEqual(["/f/a/1/0.1"]);
  await worker.serve();
  expect(last()).toMatchObject({ settled: true, pair: { before: { grid: globe } } });
});

it("starts before the map is open, and is not settled until the view is known", async () => {
  const { worker, request, last, paths } = openLoader();
  request("a", { box: undefined });
  await worker.serve();
  expect(last()).toMatchObject({ settled: false, pair: { before: { grid: coarse } } });
  request("a");
  await flushPromises();
  expect(paths()).toEqual(["/f/a/1/0.1"]);
});

it("requests the chunks that come into view, and keeps drawing the others", async () => {
  const { worker, request, last, paths } = await openDrawn();
  const drawn = last().pair;
  request("a", { box: west });
  expect(last()).toMatchObject({ settled: false, stale: false });
  expect(last().pair).toBe(drawn);
  expect(paths()).toEqual(["/f/a/1/0.0"]);
  await worker.serve();
  expect(last().settled).toBe(true);
});

it("draws nothing and requests nothing where the archive has no steps", async () => {
  const { request, last, paths } = await openDrawn();
  request("a", { steps: undefined });
  expect(last()).toMatchObject({ pair: undefined, settled: false });
  expect(paths()).toEqual([]);
});

describe("scrubbing", () => {
  it("never blanks the map: the last field stays, marked as stale", async () => {
    const { worker, request, last } = await openDrawn();
    const drawn = last().pair;
    request("b");
    expect(last()).toMatchObject({ stale: true, settled: false, steps: { before: "a" } });
    expect(last().pair).toBe(drawn);
    await worker.serve(/b\/4/);
    expect(last()).toMatchObject({ stale: false, settled: false, steps: { before: "b" } });
  });

  it("aborts requests for passed instants, and requests no fine level until it pauses", async () => {
    const { worker, request, wait, paths } = await openDrawn();
    for (const time of ["b", "c", "d"]) {
      request(time);
      await wait(50);
    }
    expect(paths()).toEqual(["/f/d/4/all"]);
    await worker.serve();
    expect(paths()).toEqual([]);
    await wait(120);
    expect(paths()).toEqual(["/f/d/1/0.1"]);
  });

  it("draws prefetched steps at once, without requests", async () => {
    const { worker, request, wait, last } = await openDrawn({ around: [steps("b"), steps("z")] });
    await wait(300);
    for (let i = 0; i < 4; i++) await worker.serve();
    const count = worker.requests.length;
    for (const time of ["b", "a", "z", "a", "b", "a"]) {
      request(time, { around: [steps("c")] });
      expect(last()).toMatchObject({ settled: true, stale: false, steps: { before: time } });
      await wait(100);
    }
    expect(worker.requests.length).toBe(count);
  });

  it("changes only the weight of the later step between two steps", async () => {
    const { worker, request, last } = await openDrawn({ steps: steps("a", "b", 0.25) });
    const { before, after } = last().pair!;
    const count = worker.requests.length;
    request("a", { steps: steps("a", "b", 0.5) });
    expect(last()).toMatchObject({ settled: true, pair: { later: 0.5 } });
    expect([last().pair?.before, last().pair?.after]).toEqual([before, after]);
    expect(worker.requests.length).toBe(count);
  });
});

describe("prefetching", () => {
  const openAmong = (budget?: number) =>
    openDrawn({ around: ["b", "c", "d", "e"].map((time) => steps(time)) }, budget);

  it("waits until nothing else is loading, goes one step at a time, and is not urgent", async () => {
    const { worker, wait, paths } = await openAmong();
    expect(paths()).toEqual([]);
    await wait(300);
    expect(paths()).toEqual(["/f/b/4/all"]);
    await worker.serve();
    expect(worker.open()).toMatchObject([{ paths: ["/f/b/1/0.1"], urgent: false }]);
  });

  it("starts when the steps around become wanted, with what is drawn already", async () => {
    const { request, wait, paths, last } = await openDrawn();
    await wait(1000);
    const { pair } = last();
    request("a", { around: [steps("b")] });
    expect(last()).toMatchObject({ settled: true, pair });
    await wait(1000);
    expect(paths()).toEqual(["/f/b/4/all"]);
  });

  it("does not wait while time plays: the next step is read while this one is looked at", async () => {
    const { wait, paths } = await openDrawn({ around: [steps("b")], isPlaying: true });
    await wait(1);
    expect(paths()).toEqual(["/f/b/4/all"]);
  });

  it("yields to requests, and becomes urgent where it loads the same", async () => {
    const { worker, request, wait, paths } = await openAmong();
    await wait(300);
    await worker.serve();
    request("b");
    await wait(120);
    expect(paths()).toEqual(["/f/b/1/0.1"]);
    expect(worker.requests.at(-1)).toEqual({ raise: worker.open()[0]!.id });
  });

  it("respects its share of the memory", async () => {
    const { worker, wait } = await openAmong(FINE_BYTES * 6);
    await wait(300);
    for (let i = 0; i < 10; i++) await worker.serve();
    const paths = worker.requests.flatMap((request) => ("paths" in request ? request.paths : []));
    expect(paths.filter((path) => path.includes("/1/"))).toHaveLength(3);
  });

  it("fails silently: what is drawn is not affected", async () => {
    const { worker, wait, last } = await openAmong();
    await wait(300);
    await worker.fail(500);
    expect(last()).toMatchObject({ settled: true, error: undefined });
  });
});

describe("a rate limit or outage of the service", () => {
  it("is retried once, after Retry-After, and the time of the retry is reported", async () => {
    const { worker, loader, request, wait, last, paths } = openLoader();
    const limitedUntil = Date.now() + 7000;
    request("a");
    await worker.fail(429, 7);
    expect(last()).toMatchObject({ settled: false, error: undefined, limitedUntil });
    await wait(6900);
    expect(paths()).toEqual([]);
    await wait(200);
    expect(paths()).toEqual(["/f/a/4/all"]);
    await worker.fail(429, 7);
    expect(last()).toMatchObject({ limitedUntil: undefined, error: { status: 429 } });
    await wait(60_000);
    expect(paths()).toEqual([]);
    loader.retry();
    expect(paths()).toEqual(["/f/a/4/all"]);
    await worker.serve();
    expect(last()).toMatchObject({ error: undefined, limitedUntil: undefined });
  });

  it("is retried when the service is back, unless it refused the request", async () => {
    const { worker, loader, request, last, paths } = openLoader();
    request("a");
    await worker.fail(404);
    loader.recover();
    expect(paths()).toEqual([]);
    loader.retry();
    await worker.fail(503);
    expect(last()).toMatchObject({ error: { status: 503 } });
    loader.recover();
    expect(paths()).toEqual(["/f/a/4/all"]);
  });

  it("draws a view that is saved in part, and reads the rest when the service answers again", async () => {
    const { worker, loader, request, last, paths } = openLoader();
    request("a");
    await worker.serve();
    const [{ id, grid } = { id: 0, grid: globe }] = worker.open();
    worker.reply({ id, frame: frameOf({ u: 0 }, { grid }), missing: [0] });
    await flushPromises();
    expect(last()).toMatchObject({ settled: true, error: undefined, pair: { before: { grid: globe } } });
    loader.recover();
    expect(paths()).toEqual(["/f/a/1/0.1"]);
    await worker.serve();
    loader.recover();
    expect(paths()).toEqual([]);
  });

  it("delays requests for other instants too", async () => {
    const { worker, request, wait, last, paths } = openLoader();
    request("a");
    await worker.fail(429, 7);
    request("b");
    await wait(1000);
    expect(paths()).toEqual([]);
    expect(last().limitedUntil).toBeDefined();
    await wait(7000);
    expect(paths()).toEqual(["/f/b/4/all"]);
  });
});

it("reports an error, keeps what it drew, and retries by a renewed path", async () => {
  const { worker, request, last, paths } = openLoader();
  request("a");
  await worker.serve();
  await worker.fail(410);
  const pair = { before: { grid: coarse } };
  expect(last()).toMatchObject({ error: { status: 410 }, settled: false, pair });
  request("a", { steps: steps("a", "a", 0, "/g") });
  expect(last().error).toBeUndefined();
  await flushPromises();
  expect(paths()).toEqual(["/g/a/1/0.1"]);
});
