import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { formatInstant } from "#lib/time.ts";
import type { Context } from "#server/context.ts";
import type { Reply } from "#server/http/api-request.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { TaskEvents } from "#server/tasks/events.ts";
import { putGzip } from "#server/tasks/gzip-blobs.ts";
import { IdempotentAnswers } from "#server/tasks/idempotent-answers.ts";
import type { TaskLimits } from "#server/tasks/task.ts";
import { finishedForm } from "#server/tasks/task.ts";
import { Tasks } from "#server/tasks/tasks.ts";
import { type RunTask, TaskWorker } from "#server/tasks/worker.ts";
import { testConversions } from "./answers.ts";
import { describeWithDatabase } from "./databases.ts";
import { testContext, testRequestContext } from "./http.ts";
import { ask, connectContext, textOf } from "./send.ts";
import { openTestStore, type TestStore, testLimits } from "./tasks.ts";

/** The weather clock of the tests, Unix seconds. */
export const weatherNow = testRequestContext().weather.now();

/** A valid request. */
export const body = {
  points: [{ latitude: 48.5, longitude: -5.2, timestamp: formatInstant(weatherNow) }],
  variables: ["wind"],
};

/** The answer to it. */
export const result = { coordinates: body.points[0], conditions: { Winds_10m_Intensity: 3.5 } };

/** The members of all replies; each reply has some of them. */
interface AnyReply {
  task_id: string;
  task_name: string | null;
  status: string;
  error: string;
  results: { task_id: string }[];
  detail: { loc: unknown[]; msg: string }[];
}

/** The operations on tasks, with a worker whose task handler the test chooses. */
export interface TasksApi {
  test: TestStore;
  tasks: Tasks;
  taskEvents: TaskEvents;
  /** Context of the operations. */
  context: Context;
  worker: TaskWorker;
  /** Folder of the requests and results. */
  folder: string;
  run: RunTask;
}

/** Describes tests of the operations on tasks. */
export function describeTasksApi(name: string, tests: (api: TasksApi) => void): void {
  describeWithDatabase(name, (fresh) => {
    const api = {} as TasksApi;
    beforeAll(async () => {
      const place = await fresh();
      api.test = await openTestStore(place);
      api.folder = `${place.dataDir}/tasks`;
      const blobs = folderBlobStore(api.folder);
      const { clock } = api.test;
      const limits: TaskLimits = { ...testLimits };
      const wide = { count: 1e6, periodSeconds: 60, text: "1000000 per 1 minute" };
      const requestContext = testRequestContext({ "good-key": wide, "other-key": wide, third: wide });
      api.tasks = new Tasks({
        tables: api.test.tables,
        blobs,
        clock,
        limits,
        log: requestContext.log,
      });
      api.taskEvents = new TaskEvents({
        tables: api.test.database.prisma,
        position: (task) => api.tasks.reader.position(task),
        listen: (handler) => api.test.database.listen("metocean_task", handler),
        invalidKeys: async () => [],
        log: requestContext.log,
      });
      api.worker = new TaskWorker({
        queue: api.tasks.queue,
        blobs,
        run: (...input) => api.run(...input),
        log: requestContext.log,
        concurrency: 2,
        maxSeconds: 60,
      });
      const conversions = testConversions(blobs);
      api.context = testContext({
        ...requestContext,
        clock,
        tasks: api.tasks,
        answers: new IdempotentAnswers({ tables: api.test.tables, blobs, conversions }),
        conversions,
        taskEvents: api.taskEvents,
        archive: { manifest: async () => ({ version: 1, runs: [] }) },
        feeds: {
          open: false,
          read: async () => ({
            now: "2026-09-15T12:00:00Z",
            clock_error_s: 0,
            feeds: [],
            disk: { bytes: 0, budget_bytes: null },
          }),
        },
      });
      connectContext(api.context);
    });
    afterAll(async () => {
      await api.taskEvents?.close();
      await api.test?.database.close();
    });
    beforeEach(async () => {
      await api.test.database.prisma.task.deleteMany();
      await api.test.database.prisma.idempotencyKey.deleteMany();
      api.run = success(api);
    });
    tests(api);
  });
}

/** Writes a result as the task thread does. */
export function success({ test, tasks }: TasksApi, text = JSON.stringify(result)): RunTask {
  return async (task, file) => {
    const finishedAt = test.clock.now() * 1000;
    const expiresAt = finishedAt + 1000 * testLimits.resultSeconds;
    const times = { finishedAt: new Date(finishedAt), expiresAt: new Date(expiresAt) };
    const more = JSON.stringify(finishedForm({ ...task, ...times })).slice(1, -1);
    const envelope = `{"task_id":["${task.id}"],"status":"SUCCESS","result":{"results":[${text}],"execution_time":"0.001 seconds"},${more}}`;
    const stored = await putGzip(tasks.blobs, file, [Buffer.from(envelope)]);
    return { stored, synthetic: true, finishedAt, expiresAt };
  };
}

/** Runs the pending tasks that are due. */
export async function work({ worker }: TasksApi): Promise<void> {
  await worker.poll();
  await worker.idle();
}

export async function send(
  method: string,
  target: string,
  sent?: object,
  headers: Record<string, string> = {},
): Promise<Reply & { json: () => Promise<AnyReply> }> {
  const reply = await ask(method, target, { body: sent, headers });
  return { ...reply, json: async () => JSON.parse(await textOf(reply)) };
}

/** Submits a task, and advances the clock by a second. */
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
