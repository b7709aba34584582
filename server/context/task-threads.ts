import { stormProviders } from "@open-metocean/storms/providers";
import type { MadeFile, OpengribsFile } from "#server/operations/opengribs-file.ts";
import { opengribsLimits } from "#server/operations/opengribs-files.ts";
import type { TaskStorms } from "#server/operations/task-handlers.ts";
import { type PieceDeps, type PieceInput, pieceComputer } from "#server/operations/task-pieces.ts";
import type { TaskThreadSettings } from "#server/operations/task-thread.ts";
import type { Env } from "#server/platform/env.ts";
import { NoSpaceError, ProcessingError } from "#server/platform/errors.ts";
import { TASK_CHUNK_SHARE } from "#server/platform/process-share.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import type { StormService } from "#server/storms/storm-service.ts";
import { gunzipped } from "#server/tasks/gzip-blobs.ts";
import type { ClaimedTask } from "#server/tasks/queue.ts";
import {
  MachineFailureError,
  PiecesLostError,
  type RunTask,
  SMALL_AT_ONCE,
  type TaskResult,
} from "#server/tasks/worker.ts";

/**
 * JavaScript heap of a thread that computes tasks, MiB. Beyond it V8 ends the thread, or for some allocations the
 * process. The service is safe because requests are limited in size before they are parsed.
 */
const TASK_MEMORY_MB = 512;

/** Young objects of that thread, MiB. With half of it, a task takes a sixth more processor time. */
const TASK_YOUNG_MB = 24;

/** Idle time after which that thread ends, milliseconds. */
const TASK_IDLE_MS = 120_000;

/**
 * Opens the thread that computes tasks, and one for each piece that has to run alone. Threads start when they are
 * needed.
 *
 * @param here Dependencies for small tasks, which the calling thread computes.
 * @param storms Read for the threads, which have no database.
 */
export function openTaskThreads(
  env: Env & Pick<TaskThreadSettings, "catalogChannel">,
  demoWorld: SharedArrayBuffer | undefined,
  here: PieceDeps,
  storms: Pick<StormService, "published">,
): {
  run: RunTask;
  opengribsFile(file: OpengribsFile, signal: AbortSignal): Promise<MadeFile>;
  close(): Promise<void>;
} {
  const open = (concurrency: number) =>
    workerPool({
      entry: new URL("../operations/task-thread.ts", import.meta.url),
      data: {
        ...env,
        chunkCacheBytes: TASK_CHUNK_SHARE * env.memory.chunkCacheBytes,
        demoWorld,
      } satisfies TaskThreadSettings,
      concurrency,
      idleMs: TASK_IDLE_MS,
      limits: { maxOldGenerationSizeMb: TASK_MEMORY_MB, maxYoungGenerationSizeMb: TASK_YOUNG_MB },
      errors: [ProcessingError, MachineFailureError, PiecesLostError, NoSpaceError],
    });
  // The pool also runs small tasks with long bodies and the files of navigation programs, besides the pieces of large
  // tasks.
  const shared = open(env.tasks.concurrency + SMALL_AT_ONCE + opengribsLimits.running);
  const elsewhere: RunTask = async (task, file, { signal, progress }) => {
    const input: PieceInput = { task, file, storms: await stormsFor(task, storms) };
    const pool = task.runsAlone ? open(1) : shared;
    try {
      return await pool.call<TaskResult>("computePiece", input, { signal, onProgress: progress });
    } finally {
      if (task.runsAlone) await pool.terminate();
    }
  };
  const run = withSmallTasksHere(here, elsewhere, (task) => stormsFor(task, storms));
  return {
    run,
    opengribsFile: (file, signal) => shared.call<MadeFile>("opengribsFile", file, { signal }),
    close: () => shared.terminate(),
  };
}

/** Longest body of a task that the request thread reads, bytes. Reading it takes about a millisecond. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Computes small tasks in the calling thread, which also answers requests of the same size at once. A thread that
 * computes large tasks is busy for a second at a time, and a separate thread would need memory and a start.
 *
 * @param here Dependencies for computing in the calling thread.
 * @param elsewhere Computes all other tasks: large ones, those that run alone, and those with long bodies.
 * @param stormsFor Reads the storms that a piece needs.
 */
export function withSmallTasksHere(
  here: PieceDeps,
  elsewhere: RunTask,
  stormsFor: (task: ClaimedTask) => Promise<TaskStorms | undefined> = async () => undefined,
): RunTask {
  const compute = pieceComputer(here);
  const isShort = async (key: string) => {
    let bytes = 0;
    for await (const part of gunzipped(here.blobs.read(key))) {
      bytes += part.length;
      if (bytes > MAX_BODY_BYTES) return false;
    }
    return true;
  };
  return async (task, file, hooks) =>
    task.isSmall && !task.runsAlone && (await isShort(task.requestFile!))
      ? compute({ task, file, storms: await stormsFor(task) }, hooks)
      : elsewhere(task, file, hooks);
}

const withStorms: readonly string[] = ["passages/evaluate", "passages/optimise", "files"];

/**
 * Reads the published storms that a piece needs. Only the first piece of passages and files gets them, and it notes
 * what the others need. The threads of tasks have no database.
 */
export async function stormsFor(
  { kind, pieces }: Pick<ClaimedTask, "kind" | "pieces">,
  storms: Pick<StormService, "published">,
): Promise<TaskStorms | undefined> {
  if (!withStorms.includes(kind) || pieces.length > 0) return undefined;
  const found: TaskStorms = {};
  for (const provider of stormProviders) {
    const published = await storms.published(provider);
    if (published) found[provider] = published.entries;
  }
  return found;
}
