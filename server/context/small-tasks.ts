import type { TaskStorms } from "#server/operations/task-handler.ts";
import { type PieceDeps, pieceComputer } from "#server/operations/task-pieces.ts";
import { gunzipped } from "#server/tasks/gzip-blobs.ts";
import type { ClaimedTask } from "#server/tasks/queue.ts";
import type { RunTask } from "#server/tasks/worker.ts";

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
