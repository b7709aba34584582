import type { FinishedTask, ListedTask, PendingTask, TaskKind, taskStates } from "#lib/contract/task.ts";
import type { TaskModel } from "#prisma/generated/models.ts";

/** A row, with the few values that are known to be narrower than text. */
export type Task = Omit<TaskModel, "kind" | "status"> & {
  kind: TaskKind;
  status: (typeof taskStates)[number];
};

/** What a task that waits or runs tells of itself. @param position 1 is the next to run; null for one that runs. */
export function pendingForm(task: Task, position: number | null): PendingTask {
  return { ...commonForm(task, position), status: "PENDING" };
}

/** A line of a list. */
export function listedForm(task: Task, position: number | null): ListedTask {
  return {
    ...commonForm(task, position),
    status: task.status,
    size: task.size,
    finished_at: textOf(task.finishedAt),
    expires_at: textOf(task.expiresAt),
    error: task.error,
    result_bytes: task.resultBytes,
    receive_mail: task.receiveMail,
    notification: task.receiveMail && task.mailTo === null ? "not-configured" : null,
  };
}

/** What the envelope of an ended task carries besides the answer. Throws for one that has not ended. */
export function finishedForm({
  name,
  createdAt,
  finishedAt,
  expiresAt,
}: Pick<Task, "name" | "createdAt" | "finishedAt" | "expiresAt">): FinishedTask {
  if (!finishedAt || !expiresAt) throw new TypeError("The task has not ended");
  return {
    task_name: name,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

function commonForm(task: Task, position: number | null) {
  return {
    task_id: task.id,
    task_name: task.name,
    kind: task.kind,
    created_at: task.createdAt.toISOString(),
    started_at: textOf(task.startedAt),
    progress: task.progress,
    queue_position: position,
  };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
