import { stormProviders } from "#lib/contract/storm-providers.ts";
import type { TaskStorms } from "#server/operations/task-handlers.ts";
import { type PieceDeps, type PieceInput, pieceComputer } from "#server/operations/task-pieces.ts";
import type { TaskThreadSettings } from "#server/operations/task-thread.ts";
import type { Env } from "#server/platform/env.ts";
import { ProcessingError } from "#server/platform/errors.ts";
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
 * JavaScript heap of a thread that computes tasks, MiB. Beyond it V8 ends the thread, or for some allocations the process:
 * what protects the service is that requests are bounded before they are parsed.
 */
const TASK_MEMORY_MB = 512;

/** Its young objects, MiB: with half of it, a task takes a sixth more processor time. */
const TASK_YOUNG_MB = 24;

/** How long that thread stays without work, milliseconds. */
const TASK_IDLE_MS = 120_000;

/**
 * The thread that computes tasks, and one for each piece that has to run alone. They start when they are needed.
 *
 * @param here What the calling thread computes small tasks with.
 * @param storms Of which the threads, that have no database, are told.
 */
export function openTaskThreads(
  env: Env & Pick<TaskThreadSettings, "catalogChannel">,
  demoWorld: SharedArrayBuffer | undefined,
  here: PieceDeps,
  storms: Pick<StormService, "published">,
): { run: RunTask; close(): Promise<void> } {
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
      errors: [ProcessingError, MachineFailureError, PiecesLostError],
    });
  // Besides the pieces of large tasks, those of small ones with long bodies.
  const shared = open(env.tasks.concurrency + SMALL_AT_ONCE);
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
  return { run, close: () => shared.terminate() };
}

/** Longest body of a task that is read by the thread that answers requests. Reading it takes about a millisecond. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Computes small tasks in the calling thread, which answers requests of the same size at once: a thread that computes
 * large tasks is busy for a second at a time, and one of its own would need memory and a start.
 *
 * @param here What the calling thread computes with.
 * @param elsewhere Computes all other tasks: large ones, those that run alone, and those with long bodies.
 * @param stormsFor What a piece needs to know of storms.
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
 * What a piece needs to know of storms: those that are published, for the first piece of passages and files, which notes what
 * the others need. The threads of tasks have no database.
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
