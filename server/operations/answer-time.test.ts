import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { StreamedBody } from "#server/http/api-request.ts";
import { openQueues } from "#server/http/queues.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { asTask } from "./accept-task.ts";
import type { RequestJob } from "./definition.ts";
import { type Answer, type AnswerRules, envelopeReply } from "./envelope-reply.ts";
import { readyBody } from "./streamed-body.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval", "setTimeout"] }));
afterEach(() => void vi.useRealTimers());

const CSV = "text/csv";

/** Asks for an answer that takes five seconds on the clock of the test. */
function ask(
  compute: (signal: AbortSignal) => Promise<Answer>,
  rules: AnswerRules<Answer> = {},
  arrived = Date.now(),
) {
  const queues = openQueues(5, 2, Date.now);
  const aborter = new AbortController();
  const { signal } = aborter;
  const job = {
    caller: { owner: "a" },
    context: testContext({ ...testRequestContext(), queues }),
    taskId: "the-task",
    signal,
    request: { header: () => (rules.formats ? CSV : undefined), arrived, aborter, signal },
  } as unknown as RequestJob<undefined>;
  const reply = envelopeReply(job, { bytes: 2 ** 21, ...rules }, (same) => compute(same.signal));
  reply.catch(() => undefined);
  return { reply, queue: queues.large };
}

/** Runs until a signal aborts. */
const until = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

it("a computation ends with the time of its answer, and its place is free", async () => {
  const { reply, queue } = ask(until, { asTask });
  await vi.advanceTimersByTimeAsync(3900);
  expect(queue.running).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  await expect(reply).rejects.toMatchObject({
    retryAfter: 30,
    message:
      "The answer was not ready within 5 seconds. Please ask for less, or try again later. " +
      'A task has more time: send it with "async": true.',
  });
  expect([queue.running, queue.bytes]).toEqual([0, 0]);
});

it("writing an answer is a part of it too: nothing of it was sent, and what writes it ends", async () => {
  let isOpen = false;
  async function* endless(signal: AbortSignal) {
    isOpen = true;
    try {
      yield new Uint8Array(1);
      await until(signal);
    } finally {
      isOpen = false;
    }
  }
  let given: AbortSignal;
  const compute = async (signal: AbortSignal) => {
    given = signal;
    return { results: [] };
  };
  const { reply, queue } = ask(compute, { formats: { [CSV]: () => endless(given) } });
  await vi.advanceTimersByTimeAsync(100);
  expect(isOpen).toBe(true);
  await vi.advanceTimersByTimeAsync(4500);
  await expect(reply).rejects.toThrow("not ready within 5 seconds");
  expect([isOpen, queue.running, queue.bytes]).toEqual([false, 0, 0]);
});

const { signal } = new AbortController();
const read = async (body: StreamedBody) => (await buffer(body)).toString();

/** Makes a body of five pieces and counts the pieces that were made. */
function counted() {
  let made = 0;
  const body: StreamedBody = {
    async *[Symbol.asyncIterator]() {
      for (const text of "abcde") {
        made++;
        yield Buffer.from(text);
      }
    },
  };
  return { body, made: () => made };
}

it.each([
  { bytes: 3, before: 3, twice: 10 },
  { bytes: 100, before: 5, twice: 5 },
])(
  "$before of five pieces are ready with room for $bytes, and the body may be read again",
  async ({ bytes, before, twice }) => {
    const { body, made } = counted();
    const ready = (await readyBody(body, signal, bytes)) as StreamedBody;
    expect(made()).toBe(before);
    expect([await read(ready), made()]).toEqual(["abcde", 5]);
    expect([await read(ready), made()]).toEqual(["abcde", twice]);
  },
);

it("a body that is dropped when its beginning is ready closes what writes the rest", async () => {
  let isClosed = false;
  async function* pieces() {
    try {
      for (;;) yield new Uint8Array(4);
    } finally {
      isClosed = true;
    }
  }
  const ready = (await readyBody(pieces(), signal, 8)) as StreamedBody;
  await ready[Symbol.asyncIterator]().return?.();
  expect(isClosed).toBe(true);
});
