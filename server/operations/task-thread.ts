import { availableParallelism } from "node:os";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { workerData } from "node:worker_threads";
import { gunzip } from "node:zlib";
import { type ArchiveSettings, openArchive } from "#server/context/archive.ts";
import { successPieces } from "#server/http/envelope.ts";
import { monotonicMs, realClock, weatherClock } from "#server/platform/clock.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { lowerPriority } from "#server/platform/lower-priority.ts";
import { serveWork } from "#server/tasks/serve-work.ts";
import { finishedForm, type Task } from "#server/tasks/task.ts";
import type { TaskResult } from "#server/tasks/worker.ts";
import { type TaskAnswer, type TaskContext, type TaskHandler, taskHandlers } from "./task-handlers.ts";

/** What the thread is started with. */
export interface TaskThreadSettings extends ArchiveSettings {
  tasksDir: string;
  /** How long a result is kept, seconds. */
  resultSeconds: number;
}

// The thread of the tasks: it reads a request, computes its answer and writes it, all from one file to another. It has
// an archive of its own, and no database.
const settings = workerData as TaskThreadSettings;
// The threads that it begins inherit it.
lowerPriority();
const room = folderBlobStore(settings.tasksDir);
// One core is left to the requests, whose own threads of the demo world are idle or wanted for them.
const archive = openArchive(
  settings,
  weatherClock(settings.frozenAt),
  Math.max(1, availableParallelism() - 1),
);

serveWork(async ({ task, file }: { task: Task; file: string }, signal, progress): Promise<TaskResult> => {
  const begun = monotonicMs();
  const work = taskHandlers[task.kind] as TaskHandler;
  const now = task.weatherNow.getTime() / 1000;
  const place: TaskContext = { archive: await archive, now, signal, progress };
  const answer = await work.answer(work.schema.parse(await readRequest(task)), place);
  const finished = { finishedAt: 0, expiresAt: 0 };
  const pieces = successPieces({
    taskId: task.id,
    taskIdAsList: work.taskIdAsList,
    results: { pieces: () => byTurns(answer, signal) },
    get meta() {
      return answer.meta?.();
    },
    seconds: () => (monotonicMs() - begun) / 1000,
    more: () => {
      finished.finishedAt = Math.round(realClock.now() * 1000);
      finished.expiresAt = finished.finishedAt + settings.resultSeconds * 1000;
      return finishedForm({
        ...task,
        finishedAt: new Date(finished.finishedAt),
        expiresAt: new Date(finished.expiresAt),
      });
    },
  });
  const stored = await room.write(file, pieces, signal);
  return { stored, synthetic: answer.synthetic === true, ...finished };
});

const unpack = promisify<Buffer, Buffer>(gunzip);

async function readRequest(task: Task): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of room.read(task.requestFile!)) chunks.push(chunk);
  return JSON.parse((await unpack(Buffer.concat(chunks))).toString());
}

/** Between two pieces the thread hears whether it is to stop, and the other tasks have their turn. */
async function* byTurns({ results }: TaskAnswer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of results.pieces()) {
    yield piece;
    await turn();
    signal.throwIfAborted();
  }
}
