import type { PieceDeps, PieceInput } from "#server/operations/task-pieces.ts";
import type { TaskThreadSettings } from "#server/operations/task-thread.ts";
import type { Env } from "#server/platform/env.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { TASK_CHUNK_SHARE } from "#server/platform/memory-budget.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import type { StormService } from "#server/storms/storm-service.ts";
import { MachineFailureError } from "#server/tasks/machine-failure.ts";
import { PiecesLostError, type RunTask, SMALL_AT_ONCE, type TaskResult } from "#server/tasks/worker.ts";
import { withSmallTasksHere } from "./small-tasks.ts";
import { stormsFor } from "./task-storms.ts";

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
