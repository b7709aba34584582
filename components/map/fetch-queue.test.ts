import { expect, it } from "vitest";
import { FetchQueue } from "./fetch-queue.ts";

const { signal } = new AbortController();

/** Requests that end when the test ends them; `started` lists them in order. */
function requests() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((done) => setImmediate(done));
  };
  return { started, send, end };
}

it("starts urgent requests first, and never more than the limits allow", async () => {
  const queue = new FetchQueue(3, 1);
  const { started, send, end } = requests();
  for (const name of ["ahead 1", "ahead 2"]) void queue.run(send(name), { urgent: false }, signal);
  for (const name of ["a", "b", "c"]) void queue.run(send(name), { urgent: true }, signal);
  expect(started).toEqual(["ahead 1", "a", "b"]);
  await end("a");
  expect(started.at(-1)).toBe("c");
  await end("b");
  expect(started).toHaveLength(4);
  await end("ahead 1");
  expect(started.at(-1)).toBe("ahead 2");
});

it("moves a request that becomes urgent to the front", async () => {
  const queue = new FetchQueue(2, 1);
  const { started, send } = requests();
  const priority = { urgent: false };
  void queue.run(send("first"), { urgent: false }, signal);
  void queue.run(send("wanted"), priority, signal);
  expect(started).toEqual(["first"]);
  priority.urgent = true;
  queue.startNext();
  expect(started).toEqual(["first", "wanted"]);
});

it("drops aborted requests, and continues after a failure", async () => {
  const queue = new FetchQueue(1, 1);
  const { started, send, end } = requests();
  const failing = queue.run(() => Promise.reject(new Error("no")), { urgent: true }, signal);
  await expect(failing).rejects.toThrow("no");
  void queue.run(send("a"), { urgent: true }, signal);
  const controller = new AbortController();
  const aborted = queue.run(send("b"), { urgent: true }, controller.signal);
  controller.abort(new Error("gone"));
  await expect(aborted).rejects.toThrow("gone");
  void queue.run(send("c"), { urgent: true }, signal);
  await end("a");
  expect(started).toEqual(["a", "c"]);
});
