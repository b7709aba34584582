import { expect, it } from "vitest";
import { type FrameAnswer, type FrameOrder, FrameStore } from "#components/map/frame-store.ts";
import type { Frame } from "#lib/field/frame.ts";

const axis = { start: 0, step: 1, count: 10 };
const frame = (): Frame => ({
  grid: { latitude: axis, longitude: axis },
  time: 0,
  planes: [{ name: "u", scale: 1, offset: 0 }],
  values: new Int16Array(100),
  perNode: 1,
});

/** A worker that answers when the test says so. */
function worker() {
  let listener: (event: MessageEvent<FrameAnswer>) => void = () => {};
  const orders: FrameOrder[] = [];
  return {
    orders,
    postMessage: (order: FrameOrder) => void orders.push(order),
    addEventListener: (_type: "message", added: typeof listener) => {
      listener = added;
    },
    answer: (data: FrameAnswer) => listener({ data } as MessageEvent<FrameAnswer>),
  };
}

const signal = new AbortController().signal;

it("asks once for a frame that it holds", async () => {
  const fake = worker();
  const store = new FrameStore(fake, 1e6);
  const first = store.load("/a", "key", signal);
  fake.answer({ id: 1, frame: frame() });
  const held = await first;
  expect(await store.load("/a", "key", signal)).toBe(held);
  expect(fake.orders).toEqual([{ id: 1, path: "/a", key: "key" }]);
});

it("drops the frame that was not used for longest when its budget is full", async () => {
  const fake = worker();
  const store = new FrameStore(fake, 400);
  for (const [index, path] of ["/a", "/b", "/c"].entries()) {
    const loaded = store.load(path, "key", signal);
    fake.answer({ id: index + 1, frame: frame() });
    await loaded;
    store.peek("/a");
  }
  expect(["/a", "/b", "/c"].map((path) => store.peek(path) !== undefined)).toEqual([true, false, true]);
});

it("tells the worker to stop, and rejects with the caller's reason", async () => {
  const fake = worker();
  const store = new FrameStore(fake, 1e6);
  const controller = new AbortController();
  const loading = store.load("/a", "key", controller.signal);
  controller.abort();
  expect(fake.orders.at(-1)).toEqual({ abort: 1 });
  fake.answer({ id: 1, aborted: true });
  await expect(loading).rejects.toBe(controller.signal.reason);
});

it("hands on what the service said", async () => {
  const fake = worker();
  const loading = new FrameStore(fake, 1e6).load("/a", "key", signal);
  fake.answer({ id: 1, failed: { message: "Too many requests.", status: 429, retryAfter: 23 } });
  await expect(loading).rejects.toMatchObject({ status: 429, retryAfter: 23, message: "Too many requests." });
});
