import { availableParallelism } from "node:os";
import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { type ArchiveSettings, openArchive } from "#server/context/archive.ts";
import { successPieces } from "#server/http/envelope.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { monotonicMs, realClock, weatherClock } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { workerFunction } from "#server/platform/worker-function.ts";
import { gunzipped, putGzip } from "#server/tasks/gzip-blobs.ts";
import { finishedForm, type Task } from "#server/tasks/task.ts";
import type { TaskResult } from "#server/tasks/worker.ts";
import { type TaskAnswer, type TaskContext, type TaskHandler, taskHandlers } from "./task-handlers.ts";

/** The workerData of the thread. */
export type TaskThreadSettings = ArchiveSettings & Pick<Env, "tasksDir" | "tasks" | "storage">;

export interface RunTaskInput {
  task: Task;
  /** Key of the result. */
  file: string;
}

// The entry module of the thread that computes tasks. It reads a request from the blob store and writes the result there.
// It has an archive of its own, and no database.
const settings = workerData as TaskThreadSettings;
// Threads that it starts inherit the priority.
lowerPriority();
const blobs = folderBlobStore(settings.tasksDir, { reserveBytes: settings.storage.minFreeBytes / 2 });
// One core is left to the thread that answers requests.
const archive = openArchive(
  settings,
  weatherClock(settings.frozenAt),
  Math.max(1, availableParallelism() - 1),
);

export const runTask = workerFunction(
  async ({ task, file }: RunTaskInput, { signal, progress }): Promise<TaskResult> => {
    const startedAt = monotonicMs();
    const handler = taskHandlers[task.kind] as TaskHandler;
    const now = task.weatherNow.getTime() / 1000;
    const context: TaskContext = { archive: await archive, now, signal, progress };
    const answer = await handler.answer(handler.schema.parse(await readRequest(task)), context);
    const times = { finishedAt: 0, expiresAt: 0 };
    const pieces = successPieces({
      taskId: task.id,
      taskIdAsList: handler.taskIdAsList,
      results: { pieces: () => interruptible(answer, signal) },
      get meta() {
        return answer.meta?.();
      },
      seconds: () => (monotonicMs() - startedAt) / 1000,
      more: () => {
        times.finishedAt = Math.round(realClock.now() * 1000);
        times.expiresAt = times.finishedAt + settings.tasks.resultSeconds * 1000;
        return finishedForm({
          ...task,
          finishedAt: new Date(times.finishedAt),
          expiresAt: new Date(times.expiresAt),
        });
      },
    });
    const stored = await putGzip(blobs, file, pieces, signal);
    return { stored, synthetic: answer.synthetic === true, ...times };
  },
);

/** By the reader of the request itself, whose bounds on what JSON may become hold here too. */
async function readRequest(task: Task): Promise<unknown> {
  return parseJsonBody(await buffer(gunzipped(blobs.read(task.requestFile!))));
}

/** Between two pieces the thread receives messages, such as the one that stops a task, and the other tasks run. */
async function* interruptible({ results }: TaskAnswer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of results.pieces()) {
    yield piece;
    await nextTurn();
    signal.throwIfAborted();
  }
}
