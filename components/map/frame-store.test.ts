import { expect, it } from "vitest";
import { controlledWorker, frameOf } from "#test/map.ts";
import { type FrameRequest, FrameStore } from "./frame-store.ts";

const axis = { start: 0, step: 1, count: 10 };
const grid = { latitude: axis, longitude: axis };
/** One step of a whole level, or some chunks of a finer one. */
const wanted = (time: string, ...names: string[]): FrameRequest => ({
  run: "run",
  variable: "wind",
  frames: "/signed",
  time,
  plan:
    names.length > 0
      ? { level: "1", grid, names, isWhole: false }
      : { level: "2", grid, names: ["all"], isWhole: true },
});
const { signal } = new AbortController();

function openStore(budget = 1e6) {
  const worker = controlledWorker();
  const store = new FrameStore(worker, budget);
  const load = (
    request: FrameRequest,
    { coarse = undefined as ReturnType<typeof frameOf> | undefined, urgent = true, aborts = signal } = {},
  ) => store.load(request, coarse, urgent, aborts);
  return { worker, store, load };
}

it("requests a frame once, for concurrent and for later callers", async () => {
  const { worker, load } = openStore();
  const both = [load(wanted("a")), load(wanted("a"))];
  await worker.serve();
  const [first, shared] = await Promise.all(both);
  expect(shared).toBe(first);
  expect(await load(wanted("a"))).toBe(first);
  expect(worker.requests).toEqual([
    { id: 1, paths: ["/signed/a/2/all"], grid, base: undefined, isWhole: true, urgent: true },
  ]);
});

it("identifies frames by their content, not by the path they came by", async () => {
  const { worker, store, load } = openStore();
  const loading = load(wanted("a"));
  await worker.serve();
  expect(store.complete({ ...wanted("a"), frames: "/signed-later" })).toBe(await loading);
  expect(store.complete({ ...wanted("a"), variable: "wave" })).toBeUndefined();
  expect(store.complete({ ...wanted("a"), run: "other" })).toBeUndefined();
});

it("requests a frame by the new path while a request by the expired path is pending, and passes on its error", async () => {
  const { worker, store, load } = openStore();
  const expired = load(wanted("a"));
  const renewed = load({ ...wanted("a"), frames: "/signed-later" });
  const failing = expect(expired).rejects.toMatchObject({ status: 410, retryAfter: 23, message: "Expired" });
  worker.reply({ id: 1, failed: { said: "Expired", status: 410, retryAfter: 23 } });
  await failing;
  await worker.serve();
  expect(await renewed).toBe(store.complete(wanted("a")));
});

it("never exceeds its budget, and evicts the least recently used frame", async () => {
  const { worker, store, load } = openStore(400);
  for (const time of ["a", "b", "c"]) {
    void load(wanted(time));
    await worker.serve();
    store.complete(wanted("a"));
  }
  expect(["a", "b", "c"].map((time) => store.partial(wanted(time)) !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
});

it("requests only the missing chunks of a level, and completes the cached frame", async () => {
  const { worker, store, load } = openStore();
  const coarse = frameOf({ u: 7 }, { grid });
  const first = load(wanted("a", "0.0"), { coarse });
  expect(worker.open()[0]?.base?.values).toEqual(coarse.values);
  expect(worker.open()[0]?.base?.values).not.toBe(coarse.values);
  await worker.serve();
  const drawn = await first;
  expect(store.complete(wanted("a", "0.0", "0.1"))).toBeUndefined();
  expect(store.partial(wanted("a", "0.0", "0.1"))).toBe(drawn);
  const second = load(wanted("a", "0.0", "0.1"));
  expect(worker.open()[0]?.paths).toEqual(["/signed/a/1/0.1"]);
  await worker.serve();
  expect(store.complete(wanted("a", "0.0", "0.1"))).toBe(await second);
  expect(await second).not.toBe(drawn);
});

it("keeps the chunks that it has when the others of a whole level arrive", async () => {
  const { worker, load } = openStore();
  const part = wanted("a", "0.0");
  const first = load(part);
  await worker.serve();
  const { values } = await first;
  const all = { ...part, plan: { ...part.plan, names: ["0.0", "0.1"], isWhole: true } };
  void load(all);
  // The worker leaves out the base of requests whose chunks fill the grid.
  expect(worker.open()[0]).toMatchObject({ paths: ["/signed/a/1/0.1"], base: { values }, isWhole: false });
});

it("a chunk that is not saved stays missing in a frame that has the others, and is requested again", async () => {
  const { worker, store, load } = openStore();
  const drawn = load(wanted("a", "0.0", "0.1"));
  worker.reply({ id: 1, frame: frameOf({ u: 0 }, { grid }), missing: [1] });
  expect(store.partial(wanted("a", "0.0", "0.1"))).toBe(await drawn);
  expect(store.complete(wanted("a", "0.0"))).toBe(await drawn);
  expect(store.complete(wanted("a", "0.0", "0.1"))).toBeUndefined();
  const again = load(wanted("a", "0.0", "0.1"));
  expect(worker.open()[0]?.paths).toEqual(["/signed/a/1/0.1"]);
  await worker.serve();
  expect(store.complete(wanted("a", "0.0", "0.1"))).toBe(await again);
});

it("loses no chunk when replies arrive out of order", async () => {
  const { worker, store, load } = openStore();
  const few = load(wanted("a", "0.0"));
  const all = load(wanted("a", "0.0", "0.1"));
  for (const id of [2, 1]) worker.reply({ id, frame: frameOf({ u: 0 }, { grid }) });
  await few;
  expect(store.complete(wanted("a", "0.0", "0.1"))).toBe(await all);
});

it("aborts a request that nobody waits for any more, and rejects with the reason", async () => {
  const { worker, load } = openStore();
  const controller = new AbortController();
  const leaving = load(wanted("a"), { urgent: false, aborts: controller.signal });
  const staying = new AbortController();
  const other = load(wanted("a"), { aborts: staying.signal });
  controller.abort();
  await expect(leaving).rejects.toBe(controller.signal.reason);
  expect(worker.requests.slice(1)).toEqual([{ raise: 1 }]);
  staying.abort();
  await expect(other).rejects.toBe(staying.signal.reason);
  expect(worker.requests.at(-1)).toEqual({ abort: 1 });
  const again = load(wanted("a"));
  await worker.serve();
  expect(await again).toBeDefined();
});
