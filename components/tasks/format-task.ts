import type { ListedTask } from "#lib/contract/task.ts";
import type { WordsWith } from "#lib/messages/words.ts";

/** The name of a task, or its kind. */
export function formatTitle(
  { task_name, kind }: Pick<ListedTask, "task_name" | "kind">,
  { tasks }: WordsWith<"tasks">,
): string {
  return task_name?.trim() || tasks.untitled[kind];
}

/** `12,000 points`, `1,200,000 values of a map box`. */
export function formatAmount(
  { kind, size }: Pick<ListedTask, "kind" | "size">,
  { tasks }: WordsWith<"tasks">,
): string {
  if (kind === "passages/optimise") return tasks.row.miles({ count: size });
  if (kind === "passages/evaluate") return tasks.row.passagePlaces({ count: size });
  return kind === "2DMetOcean" || kind === "files"
    ? tasks.row.boxValues({ count: size })
    : tasks.points({ count: size });
}

/** Ended by its owner, which is not a failure. */
export function isCancelled({ status, error }: Pick<ListedTask, "status" | "error">): boolean {
  return status === "FAILURE" && error === "Task cancelled by user";
}

/** Whether an email is sent at the end of a task that requested one. */
export function formatMail(
  { status, notification }: Pick<ListedTask, "status" | "notification">,
  { tasks: { row } }: WordsWith<"tasks">,
): string {
  if (notification === "not-configured") return row.noMail;
  return status === "PENDING" ? row.mailWhenDone : row.mailAsked;
}

/** The state of a task in words. */
export function formatState(task: ListedTask, { tasks: { states } }: WordsWith<"tasks">): string {
  if (task.status === "SUCCESS") return states.done;
  if (task.status === "FAILURE") return isCancelled(task) ? states.cancelled : states.failed;
  if (task.queue_position === null)
    return task.progress > 0
      ? states.runningAt({ percent: Math.floor(100 * task.progress) })
      : states.running;
  return task.queue_position === 1 ? states.next : states.waiting({ position: task.queue_position });
}

/** `kept until 28 Nov 2026, 04:10 UTC`. */
export function formatExpiry(instant: string, { tasks, dates }: WordsWith<"tasks">): string {
  const date = new Date(instant);
  return tasks.row.keptUntil({
    day: date.getUTCDate(),
    month: dates.months[date.getUTCMonth()]!,
    year: date.getUTCFullYear(),
    clock: date.toISOString().slice(11, 16),
  });
}
