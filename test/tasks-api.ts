import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { formatInstant } from "#lib/time.ts";
import type { Context } from "#server/context.ts";
import type { Reply } from "#server/http/exchange.ts";
import { setContext } from "#server/operations/app-context.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { IdempotentAnswers } from "#server/tasks/idempotent-answers.ts";
import type { TaskLimits } from "#server/tasks/store.ts";
import { finishedForm } from "#server/tasks/task.ts";
import { Tasks } from "#server/tasks/tasks.ts";
import { type RunTask, TaskWorker } from "#server/tasks/worker.ts";
import { describeWithDatabase } from "./databases.ts";
import { testRequestContext } from "./http.ts";
import { ask, textOf } from "./send.ts";
import { openTestStore, type TestStore, testLimits } from "./tasks.ts";

/** Weather clock of the tests, Unix seconds. */
export const weatherNow = testRequestContext().weather.now();

/** A request that any of them may send. */
export const body = {
  points: [{ latitude: 48.5, longitude: -5.2, timestamp: formatInstant(weatherNow) }],
  variables: ["wind"],
};

/** What replies tell, each its part of it. */
interface Told {
  task_id: string;
  task_name: string | null;
  status: string;
  error: string;
  results: { task_id: string }[];
  detail: { loc: unknown[]; msg: string }[];
}

/** The operations on tasks, with a worker whose work the test chooses. */
export interface TasksApi {
  test: TestStore;
  tasks: Tasks;
  worker: TaskWorker;
  /** What the next task does. */
  run: RunTask;
}

/** Tests of the operations on tasks, on each kind of database. */
export function describeTasksApi(name: string, tests: (api: TasksApi) => void): void {
  describeWithDatabase(name, (fresh) => {
    const api = {} as TasksApi;
    beforeAll(async () => {
      const place = await fresh();
      api.test = await openTestStore(place);
      const room = folderBlobStore(`${place.dataDir}/tasks`);
      const { clock } = api.test;
      const limits: TaskLimits = { ...testLimits };
      const wide = { count: 1e6, periodSeconds: 60, text: "1000000 per 1 minute" };
      const door = testRequestContext({ "good-key": wide, "other-key": wide, third: wide });
      api.tasks = new Tasks({ tables: api.test.database.prisma, room, clock, limits, log: door.log });
      api.worker = new TaskWorker({
        store: api.tasks.store,
        room,
        run: (...asked) => api.run(...asked),
        log: door.log,
        slots: 2,
        mostSeconds: 60,
      });
      setContext({
        ...door,
        clock,
        tasks: api.tasks,
        answers: new IdempotentAnswers(api.tasks.store, room),
        closing: new AbortController().signal,
        archive: { manifest: () => ({ version: 1, runs: [] }) },
      } as unknown as Context);
    });
    afterAll(() => api.test?.database.close());
    beforeEach(async () => {
      await api.test.database.prisma.task.deleteMany();
      await api.test.database.prisma.idempotencyKey.deleteMany();
      api.run = success(api);
    });
    tests(api);
  });
}

/** Writes a result as the thread does. */
export function success({ test, tasks }: TasksApi, text = '"a"'): RunTask {
  return async (task, file) => {
    const finishedAt = test.clock.now() * 1000;
    const expiresAt = finishedAt + 1000 * testLimits.resultSeconds;
    const times = { finishedAt: new Date(finishedAt), expiresAt: new Date(expiresAt) };
    const more = JSON.stringify(finishedForm({ ...task, ...times })).slice(1, -1);
    const envelope = `{"task_id":["${task.id}"],"status":"SUCCESS","result":{"results":[${text}],"execution_time":"0.001 seconds"},${more}}`;
    const stored = await tasks.room.write(file, [Buffer.from(envelope)]);
    return { stored, synthetic: true, finishedAt, expiresAt };
  };
}

/** Runs what is next. */
export async function work({ worker }: TasksApi): Promise<void> {
  await worker.look();
  await worker.idle();
}

export async function send(
  method: string,
  target: string,
  sent?: object,
  headers: Record<string, string> = {},
): Promise<Reply & { json: () => Promise<Told> }> {
  const reply = await ask(method, target, { body: sent, headers });
  return { ...reply, json: async () => JSON.parse(await textOf(reply)) };
}

/** Makes a task, a second after the one before. */
export async function submit(
  { test }: TasksApi,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<string> {
  const reply = await send("POST", "/MetOcean/async", { ...body, ...more }, headers);
  expect(reply.status).toBe(202);
  test.pass(1);
  return (await reply.json()).task_id;
}
