import { expect, it } from "vitest";
import { FetchQueue } from "./fetch-queue.ts";

const { signal } = new AbortController();

/** A queue whose requests end when the test ends them; `started` lists them in order. */
function openQueue(maxRunning: number) {
  const queue = new FetchQueue(maxRunning, 1);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, priority = { urgent: true }, aborts = signal) =>
    queue.run(
      () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      priority,
      aborts,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((done) => setImmediate(done));
  };
  return { queue, started, run, end };
}

it("starts urgent requests first, and never more than the limits allow", async () => {
  const { started, run, end } = openQueue(3);
  for (const name of ["ahead 1", "ahead 2"]) void run(name, { urgent: false });
  for (const name of ["a", "b", "c"]) void run(name);
  expect(started).toEqual(["ahead 1", "a", "b"]);
  for (const name of ["a", "b", "ahead 1"]) await end(name);
  expect(started.slice(3)).toEqual(["c", "ahead 2"]);
});

it("moves a request that becomes urgent to the front", () => {
  const { queue, started, run } = openQueue(2);
  const priority = { urgent: false };
  void run("first", { urgent: false });
  void run("wanted", priority);
  expect(started).toEqual(["first"]);
  priority.urgent = true;
  queue.startNext();
  expect(started).toEqual(["first", "wanted"]);
});

it("drops aborted requests, and continues after a failure", async () => {
  const { queue, started, run, end } = openQueue(1);
  const failing = queue.run(() => Promise.reject(new Error("no")), { urgent: true }, signal);
  await expect(failing).rejects.toThrow("no");
  void run("a");
  const controller = new AbortController();
  const aborted = run("b", { urgent: true }, controller.signal);
  controller.abort(new Error("gone"));
  await expect(aborted).rejects.toThrow("gone");
  void run("c");
  await end("a");
  expect(started).toEqual(["a", "c"]);
});
