import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { errorText } from "#lib/messages/fault.ts";
import { mapLink } from "./map-link.ts";
import {
  cancelTask,
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
  /** Deletes the task, which can be brought back for a while. */
  onDelete(): void;
}

/** The actions that the state of a task allows, and the error of the last one. */
export function TaskActions({ task, title, expired, apiKey, onRepeat, onDelete }: Props) {
  const client = useQueryClient();
  const words = useWords("tasks");
  const { actions } = words.tasks;
  const refreshList = () => client.invalidateQueries({ queryKey: taskListKey(apiKey) });
  const action = useMutation({
    // Buttons do nothing while this runs; actions that change the task include the refresh of the list.
    mutationFn: (request: () => Promise<unknown>) => request(),
    // The list may be out of date.
    onError: () => void refreshList(),
  });
  const run = (request: () => Promise<unknown>) => action.mutate(request);
  const button = (label: string, request: () => Promise<unknown>, elementId?: string) => (
    <button
      id={elementId}
      type="button"
      className="toggle"
      // A disabled button would lose the focus.
      aria-disabled={action.isPending}
      onClick={() => {
        if (!action.isPending) run(request);
      }}
    >
      {label}
      <span className="sr-only"> {title}</span>
    </button>
  );
  const id = task.task_id;
  // Passages and files have forms of their own on the map: none here repeats them, and the map does not draw them.
  const hasForm = task.kind === "MetOcean" || task.kind === "2DMetOcean";
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {task.status === "SUCCESS" && !expired ? (
        <Menu
          className="task-menu"
          align="left"
          button={<span className="px-2">{actions.download}</span>}
          label={actions.downloadOf({ title })}
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
      {task.status === "FAILURE" || expired || !hasForm
        ? null
        : button(actions.openOnMap, async () =>
            window.location.assign(mapLink(await taskRequest(apiKey, task), id)),
          )}
      {/* The request is deleted with its result. */}
      {expired || !hasForm
        ? null
        : button(actions.repeat, async () => onRepeat(await taskRequest(apiKey, task)))}
      {task.status === "PENDING"
        ? button(actions.cancel, () => cancelTask(apiKey, id).then(refreshList))
        : button(actions.delete, async () => onDelete(), `delete-${id}`)}
      <CopyButton className="toggle" text={() => id}>
        {actions.copyId}
        <span className="sr-only">{actions.copyIdOf({ title })}</span>
      </CopyButton>
      {action.error ? (
        <p role="alert" className="w-full text-sm">
          {errorText(action.error, words)}
        </p>
      ) : null}
    </div>
  );
}
