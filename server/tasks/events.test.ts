import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UnavailableError } from "#server/platform/errors.ts";
import type { NotificationHandler } from "#server/platform/session.ts";
import { type EventStream, streamLimits, TaskEvents, type TaskEventsDeps } from "./events.ts";
import type { Task } from "./task.ts";

/** Rows with their versions, and the number of queries. */
const rows = new Map<string, { task: Task; version: number }>();
let queries = 0;
let revoked: string[] = [];
let handler: NotificationHandler | undefined;
let nowMs = 0;
let fails = false;
const warnings: string[] = [];
let events: TaskEvents;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  rows.clear();
  warnings.length = 0;
  [queries, nowMs, fails, revoked, handler] = [0, 0, false, [], undefined];
  events = new TaskEvents({
    tables: { $queryRaw: changedRows, task: { findMany } } as unknown as TaskEventsDeps["tables"],
    position: async () => null,
    listen: (given) => {
      handler = given;
      const close = async () => {
        handler = undefined;
      };
      return { close };
    },
    invalidKeys: async (ids) => ids.filter((id) => revoked.includes(id)),
    log: { info: () => {}, warn: (_fields, message) => warnings.push(message), error: () => {} },
    elapsed: () => nowMs,
  });
});
afterEach(async () => {
  await events.close();
  vi.useRealTimers();
});

async function changedRows(_sql: unknown, ids: string[], versions: string[]) {
  queries++;
  if (fails) throw new Error("The database is away");
  return ids
    .map((id, index) => ({ id, version: rows.get(id)?.version.toString() ?? null, before: versions[index] }))
    .filter(({ version, before }) => version !== before);
}

async function findMany({ where }: { where: { id: { in: string[] } } }) {
  queries++;
  return where.id.in.flatMap((id) => rows.get(id)?.task ?? []);
}

function addTask(): Task {
  const task = { id: randomUUID(), status: "PENDING", progress: 0, createdAt: new Date(0) } as Task;
  rows.set(task.id, { task, version: 1 });
  return task;
}

function change({ id }: Task, fields: Partial<Task>): void {
  const { task, version } = rows.get(id)!;
  rows.set(id, { task: { ...task, ...fields }, version: version + 1 });
}

const open = (task = addTask(), key: string = randomUUID(), signal = new AbortController().signal) =>
  events.follow(key, task, signal) as EventStream;

/** The next event of a stream, reduced to status and progress of the task. */
async function next(stream: EventStream): Promise<string> {
  const { value, done } = await stream.next();
  if (done) return "closed";
  const text = Buffer.from(value!).toString();
  const [, event, data] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? [];
  if (!data) return text;
  const { status, progress } = JSON.parse(data);
  return `${event} ${status} ${progress}`;
}

it("reads nothing while no stream is open", async () => {
  const client = new AbortController();
  open(undefined, "key", client.signal);
  await events.tick();
  client.abort();
  queries = 0;
  await events.tick();
  expect([queries, events.open]).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([queries, vi.getTimerCount(), handler]).toEqual([0, 0, undefined]);
});

it("sends a change at once when the database notifies of it, however often, with one query for changed rows and one for their content", async () => {
  const [task, other] = [addTask(), addTask()];
  const stream = open(task);
  open(other);
  await next(stream);
  await events.tick();
  queries = 0;
  change(task, { status: "SUCCESS", progress: 1 });
  for (let told = 0; told < 20; told++) handler!.notified(task.id);
  handler!.notified(randomUUID());
  await vi.advanceTimersByTimeAsync(100);
  expect(await next(stream)).toBe("end SUCCESS 1");
  expect(await next(stream)).toBe("closed");
  expect(queries).toBe(2);
  expect(events.open).toBe(1);
});

it("finds a change without a notification within a second", async () => {
  const task = addTask();
  const stream = open(task);
  await next(stream);
  change(task, { progress: 0.5 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next(stream)).toBe("progress PENDING 0.5");
});

it("keeps the streams open through an outage of the database, with one line in the log", async () => {
  const task = addTask();
  const stream = open(task);
  await next(stream);
  fails = true;
  await events.tick();
  await events.tick();
  expect([events.open, warnings.length]).toEqual([1, 1]);
  fails = false;
  change(task, { progress: 0.75 });
  await events.tick();
  expect(await next(stream)).toBe("progress PENDING 0.75");
});

it("a key has at most 16 streams; one that ends makes room", async () => {
  const clients = Array.from({ length: streamLimits.ofKey }, () => new AbortController());
  for (const { signal } of clients) open(addTask(), "key", signal);
  expect(events.follow("key", addTask(), new AbortController().signal)).toBe("key is full");
  expect(open(addTask(), "other key")).toBeTypeOf("object");
  clients[3]!.abort();
  expect(open(addTask(), "key")).toBeTypeOf("object");
});

it("the process has at most 1,000 streams", () => {
  for (let opened = 0; opened < streamLimits.all; opened++) open();
  expect(() => open()).toThrow(UnavailableError);
});

it("a revoked key's streams end within 5 s, and nobody else's", async () => {
  const stream = open(addTask(), "revoked");
  const other = open(addTask(), "good");
  await Promise.all([next(stream), next(other)]);
  revoked = ["revoked"];
  const closed = next(stream);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await closed).toBe("closed");
  expect(events.open).toBe(1);
});

it("sends a comment every 15 s on a quiet stream", async () => {
  const stream = open();
  await next(stream);
  const comment = next(stream);
  nowMs += 14_000;
  await events.tick();
  nowMs += 1_000;
  await events.tick();
  expect(await comment).toBe(": still here\n\n");
});

it("skips steps for a slow reader, but never the last one", async () => {
  const task = addTask();
  const stream = open(task);
  await events.tick();
  for (const progress of [0.1, 0.2]) {
    change(task, { progress });
    await events.tick();
  }
  change(task, { status: "FAILURE", progress: 0.3 });
  await events.tick();
  expect(await next(stream)).toBe("end FAILURE 0.3");
  expect(await next(stream)).toBe("closed");
});

it("disconnects a reader that takes nothing for 30 s", async () => {
  const stream = open();
  await events.tick();
  nowMs += 30_000;
  await events.tick();
  expect(stream.signal.aborted).toBe(false);
  nowMs += 1;
  await events.tick();
  expect([stream.signal.aborted, events.open]).toEqual([true, 0]);
});

it("tells each client when to reconnect before the server closes, and opens no new stream", async () => {
  const stream = open();
  await next(stream);
  events.drain();
  const [, ms] = /^retry: (\d+)\n\n$/.exec(await next(stream)) ?? [];
  expect(Number(ms)).toBeGreaterThanOrEqual(1_000);
  expect(Number(ms)).toBeLessThanOrEqual(5_000);
  expect(await next(stream)).toBe("closed");
  expect(() => open()).toThrow(UnavailableError);
});
