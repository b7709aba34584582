import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Menu } from "#components/ui/menu.tsx";
import type { ListedTask } from "#lib/contract/task.ts";
import { mapLink } from "./map-link.ts";
import {
  cancelTask,
  deleteTask,
  downloadResult,
  resultFormats,
  type TaskBody,
  taskListKey,
  taskRequest,
} from "./task-requests.ts";

interface Props {
  task: ListedTask;
  title: string;
  expired: boolean;
  apiKey: string;
  onRepeat(body: TaskBody): void;
  /** It is gone, and the focus with it. */
  onRemoved(): void;
}

/** Everything that can be done with a task in its state, and what came of the last try. */
export function TaskActions({ task, title, expired, apiKey, onRepeat, onRemoved }: Props) {
  const client = useQueryClient();
  const [copied, setCopied] = useState(false);
  const listAnew = () => client.invalidateQueries({ queryKey: taskListKey(apiKey) });
  const action = useMutation({
    // While this is under way buttons do nothing: only what changes the task makes it wait for the list.
    mutationFn: (work: () => Promise<unknown>) => work(),
    // The list that it was started from may be old.
    onError: () => void listAnew(),
  });
  const run = (work: () => Promise<unknown>) => action.mutate(work);
  const button = (words: string, work: () => Promise<unknown>) => (
    <button
      type="button"
      className="toggle"
      // Disabled, it would lose the focus.
      aria-disabled={action.isPending}
      onClick={() => {
        if (!action.isPending) run(work);
      }}
    >
      {words}
      <span className="sr-only"> {title}</span>
    </button>
  );
  const id = task.task_id;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {task.status === "SUCCESS" && !expired ? (
        <Menu
          className="task-menu"
          align="left"
          button={<span className="px-2">Download</span>}
          label={`Download ${title}`}
        >
          {(close) => (
            <ul className="flex max-w-64 flex-wrap gap-1">
              {resultFormats[task.kind].map((format) => (
                <li key={format.extension}>
                  <button
                    type="button"
                    className="toggle"
                    onClick={() => {
                      close();
                      run(() => downloadResult(apiKey, task, format));
                    }}
                  >
                    {format.label}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Menu>
      ) : null}
      {task.status === "FAILURE" || expired
        ? null
        : button("Open on map", async () => window.location.assign(mapLink(await taskRequest(apiKey, task))))}
      {/* What was asked for is forgotten with its result. */}
      {expired ? null : button("Repeat", async () => onRepeat(await taskRequest(apiKey, task)))}
      {task.status === "PENDING"
        ? button("Cancel", () => cancelTask(apiKey, id).then(listAnew))
        : button("Delete", () => deleteTask(apiKey, id).then(onRemoved).then(listAnew))}
      <button
        type="button"
        className="toggle"
        onClick={() => {
          void navigator.clipboard?.writeText(id).then(() => setCopied(true));
        }}
      >
        {copied ? "Copied" : "Copy id"}
        <span className="sr-only"> of {title}</span>
      </button>
      {action.error ? (
        <p role="alert" className="w-full text-sm">
          {action.error.message}
        </p>
      ) : null}
    </div>
  );
}
