import type { ListedTask } from "#lib/contract/task.ts";

/** The name of a task, or its kind. */
export function formatTitle({ task_name, kind }: Pick<ListedTask, "task_name" | "kind">): string {
  return task_name?.trim() || (kind === "MetOcean" ? "Points without a name" : "Map box without a name");
}

/** `1 point`, `12,000 points`. */
export function formatPoints(count: number): string {
  return count === 1 ? "1 point" : `${count.toLocaleString("en")} points`;
}

/** `12,000 points`, `1,200,000 values of a map box`. */
export function formatAmount({ kind, size }: Pick<ListedTask, "kind" | "size">): string {
  return kind === "2DMetOcean" ? `${size.toLocaleString("en")} values of a map box` : formatPoints(size);
}

/** Ended by its owner, which is not a failure. */
export function isCancelled({ status, error }: Pick<ListedTask, "status" | "error">): boolean {
  return status === "FAILURE" && error === "Task cancelled by user";
}

/** Whether an email is sent at the end of a task that requested one. */
export function formatMail({ status, notification }: Pick<ListedTask, "status" | "notification">): string {
  if (notification === "not-configured") return "no mail: this service or key has none set up";
  return status === "PENDING" ? "mail when done" : "mail asked for";
}

/** The state of a task in words. */
export function formatState(task: ListedTask): string {
  if (task.status === "SUCCESS") return "Done";
  if (task.status === "FAILURE") return isCancelled(task) ? "Cancelled" : "Failed";
  if (task.queue_position === null)
    return task.progress > 0 ? `Running, ${Math.floor(100 * task.progress)} %` : "Running";
  return task.queue_position === 1
    ? "Waiting, next to run"
    : `Waiting, number ${task.queue_position} in the queue`;
}

/** `kept until 28 Nov 2026, 04:10 UTC`. */
export function formatExpiry(instant: string): string {
  const date = new Date(instant);
  const day = date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
  return `kept until ${day}, ${date.toISOString().slice(11, 16)} UTC`;
}
