import type { FinishedTask, ListedTask, PendingTask, TaskKind, taskStates } from "#lib/contract/task.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { TaskModel } from "#prisma/generated/models.ts";

export type TaskTables = Pick<PrismaClient, "task" | "idempotencyKey" | "$queryRaw" | "$executeRaw">;

export interface TaskLimits {
  /** Most pending tasks of one owner. */
  pendingOfOwner: number;
  /** Most pending tasks of all owners. */
  pending: number;
  /** Time for which a result is stored after its task ended, seconds. */
  resultSeconds: number;
  /** Time for which the row is stored, and a failure can be read, seconds. */
  rowSeconds: number;
}

export type TaskLog = Record<"info" | "warn" | "error", (fields: object, message: string) => void>;

/** A row, with the types of its enumerated columns. */
export type Task = Omit<TaskModel, "kind" | "status"> & {
  kind: TaskKind;
  status: (typeof taskStates)[number];
};

/** The reply for a pending task. @param position 1 for the next to run; null for a running task. */
export function pendingForm(task: Task, position: number | null): PendingTask {
  return { ...commonForm(task, position), status: "PENDING" };
}

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

/** Fields of an ended task's envelope, without the answer. Throws if the task has not ended. */
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
