import { expect, it } from "vitest";
import { FetchQueue } from "./fetch-queue.ts";

const { signal } = new AbortController();

/** Work that ends when the test says so; `started` tells the order. */
function works() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((done) => setImmediate(done));
  };
  return { started, work, end };
}

it("starts what somebody waits for first, and never more than it may", async () => {
  const queue = new FetchQueue(3, 1);
  const { started, work, end } = works();
  for (const name of ["ahead 1", "ahead 2"]) void queue.run(work(name), { urgent: false }, signal);
  for (const name of ["a", "b", "c"]) void queue.run(work(name), { urgent: true }, signal);
  expect(started).toEqual(["ahead 1", "a", "b"]);
  await end("a");
  expect(started.at(-1)).toBe("c");
  await end("b");
  expect(started).toHaveLength(4);
  await end("ahead 1");
  expect(started.at(-1)).toBe("ahead 2");
});

it("moves what is suddenly wanted to the front", async () => {
  const queue = new FetchQueue(2, 1);
  const { started, work } = works();
  const rank = { urgent: false };
  void queue.run(work("first"), { urgent: false }, signal);
  void queue.run(work("wanted"), rank, signal);
  expect(started).toEqual(["first"]);
  rank.urgent = true;
  queue.pump();
  expect(started).toEqual(["first", "wanted"]);
});

it("forgets what is not wanted any more, and goes on after a failure", async () => {
  const queue = new FetchQueue(1, 1);
  const { started, work, end } = works();
  const failing = queue.run(() => Promise.reject(new Error("no")), { urgent: true }, signal);
  await expect(failing).rejects.toThrow("no");
  void queue.run(work("a"), { urgent: true }, signal);
  const controller = new AbortController();
  const given = queue.run(work("b"), { urgent: true }, controller.signal);
  controller.abort(new Error("gone"));
  await expect(given).rejects.toThrow("gone");
  void queue.run(work("c"), { urgent: true }, signal);
  await end("a");
  expect(started).toEqual(["a", "c"]);
});
