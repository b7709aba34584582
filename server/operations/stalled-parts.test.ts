import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openQueues } from "#server/http/queues.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext, type Sent } from "#test/send.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Stands for the answer of a stalled database or store. */
const never = () => new Promise<never>(() => {});

const SECONDS = 5;

/**
 * Returns the reply to a request while a part of the service stalls, and expects it within the time limit of an answer.
 */
async function replyInTime(stalled: object, method: string, target: string, sent?: Sent) {
  const queues = openQueues(SECONDS, 2);
  connectContext(testContext({ ...testRequestContext(), queues, ...stalled }));
  const replying = ask(method, target, sent);
  await vi.advanceTimersByTimeAsync(1000 * SECONDS);
  return replying;
}

const refused = { status: 503, headers: { "retry-after": "10" } };

const points = Array.from({ length: 2 }, (_, index) => ({
  latitude: 48 + index,
  longitude: -5,
  timestamp: "2026-01-01T00:00:00Z",
}));
const task: Sent = { body: { points, variables: ["wind"] } };

it("a key is answered in time, known or wrong, where the database stands still", async () => {
  expect(await replyInTime({ keys: { find: never } }, "GET", "/user/tasks")).toMatchObject(refused);
  expect(await replyInTime({ limiter: { take: never } }, "GET", "/user/tasks")).toMatchObject(refused);
});

it("whoever reads is answered in time where the database stands still", async () => {
  const tasks = { store: { list: never } };
  expect(await replyInTime({ tasks }, "GET", "/user/tasks")).toMatchObject(refused);
});

it("a task is refused in time where the store stands still, and is not made later", async () => {
  let given: AbortSignal | undefined;
  const submit = (...[, , , signal]: [unknown, unknown, unknown, AbortSignal]) => {
    given = signal;
    return never();
  };
  expect(await replyInTime({ tasks: { submit } }, "POST", "/MetOcean/async", task)).toMatchObject(refused);
  expect(given?.aborted).toBe(true);
});

it("an Idempotency-Key is looked up in time where the database stands still", async () => {
  const headers = { "idempotency-key": "one" };
  const answers = { find: never };
  expect(await replyInTime({ answers }, "POST", "/MetOcean/async", { ...task, headers })).toMatchObject(
    refused,
  );
});
