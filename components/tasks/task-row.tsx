import { formatMinutes } from "#components/view-state/format-time.ts";
import { useWords } from "#components/words/words-context.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import {
  formatAmount,
  formatExpiry,
  formatMail,
  formatState,
  formatTitle,
  isCancelled,
} from "./format-task.ts";
import { TaskActions } from "./task-actions.tsx";
import type { TaskBody } from "./task-requests.ts";

interface Props {
  task: ListedTask;
  apiKey: string;
  /** Machine clock, milliseconds since 1970: tasks are stored by real time. */
  now: number;
  /** The link of an email points to it. */
  marked: boolean;
  onRepeat(body: TaskBody): void;
  /** Deletes the task, which can be brought back for a while. */
  onDelete(): void;
}

/** One task: its title, state and actions. */
export function TaskRow({ task, apiKey, now, marked, onRepeat, onDelete }: Props) {
  const words = useWords("tasks");
  const { row } = words.tasks;
  const title = formatTitle(task, words);
  const pending = task.status === "PENDING";
  const expired = task.status === "SUCCESS" && Date.parse(task.expires_at ?? "") <= now;
  return (
    <li className="task-row" data-marked={marked} data-state={task.status}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 break-words font-semibold">{title}</h2>
        <p className="pill" data-state={isCancelled(task) ? "CANCELLED" : task.status}>
          <span aria-hidden="true">{pending ? "◔" : task.status === "SUCCESS" ? "✓" : "✕"}</span>
          {formatState(task, words)}
        </p>
      </div>
      {pending && task.queue_position === null ? (
        <progress
          className="task-progress"
          max={1}
          value={task.progress}
          aria-label={row.progressOf({ title })}
        />
      ) : null}
      {task.status === "FAILURE" && task.error && !isCancelled(task) ? (
        <p className="text-sm">{task.error}</p>
      ) : null}
      <p className="text-muted text-sm">
        {[
          formatAmount(task, words),
          row.asked({ age: formatMinutes(Date.parse(task.created_at) / 1000, now / 1000, words) }),
          ...(task.result_bytes ? [row.compressed({ size: formatBytes(task.result_bytes, words) })] : []),
          ...(task.receive_mail ? [formatMail(task, words)] : []),
          ...(expired
            ? [row.expired]
            : task.status === "SUCCESS" && task.expires_at
              ? [formatExpiry(task.expires_at, words)]
              : []),
        ].join(" · ")}
      </p>
      <TaskActions
        task={task}
        title={title}
        expired={expired}
        apiKey={apiKey}
        onRepeat={onRepeat}
        onDelete={onDelete}
      />
    </li>
  );
}
