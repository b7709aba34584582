import type { PieceInput } from "#server/operations/task-pieces.ts";
import type { TaskThreadSettings } from "#server/operations/task-thread.ts";
import type { Env } from "#server/platform/env.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import { MachineFailureError } from "#server/tasks/machine-failure.ts";
import { PiecesLostError, type RunTask, type TaskResult } from "#server/tasks/worker.ts";

/** JavaScript heap of a thread that computes tasks, MiB: a task that needs more ends the thread and not the service. */
const TASK_MEMORY_MB = 512;

/** Its share of the memory for decoded chunks: a task reads each slice of its points once. */
const TASK_CACHE_SHARE = 0.25;

/** How long that thread stays without work, milliseconds. */
const TASK_IDLE_MS = 120_000;

/** The thread that computes tasks, and one for each piece that has to run alone. They start when they are needed. */
export function openTaskThreads(
  env: Env,
  demoWorld: SharedArrayBuffer | undefined,
): { run: RunTask; close(): Promise<void> } {
  const open = (concurrency: number) =>
    workerPool({
      entry: new URL("../operations/task-thread.ts", import.meta.url),
      data: {
        ...env,
        chunkCacheBytes: TASK_CACHE_SHARE * env.chunkCacheBytes,
        demoWorld,
      } satisfies TaskThreadSettings,
      concurrency,
      idleMs: TASK_IDLE_MS,
      limits: { maxOldGenerationSizeMb: TASK_MEMORY_MB },
      errors: [ProcessingError, MachineFailureError, PiecesLostError],
    });
  // Besides the pieces of any task, one of a small task.
  const shared = open(env.tasks.concurrency + 1);

  return {
    async run(task, file, { signal, progress }) {
      const input: PieceInput = { task, file };
      const pool = task.runsAlone ? open(1) : shared;
      try {
        return await pool.call<TaskResult>("computePiece", input, { signal, onProgress: progress });
      } finally {
        if (task.runsAlone) await pool.terminate();
      }
    },
    close: () => shared.terminate(),
  };
}
