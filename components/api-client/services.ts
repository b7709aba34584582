import "./without-eval.ts";
import { pause } from "@open-metocean/client/connect";
import { type FileNow, fileOperations } from "@open-metocean/client/operations";
import { taskEvents } from "@open-metocean/client/task-events";
import { taskOperations } from "@open-metocean/client/tasks";
import { type ListedTask, listedTask } from "#lib/contract/task.ts";
import { serviceOf } from "./service.ts";

// File and task operations of the published client. The caller validates the replies (`parseReply`).

/** Body of a file request: its area, variables, times and format. */
export type FileBody = FileNow;

export const fileService = (key: string) => fileOperations(serviceOf(key));
export const taskService = (key: string) => taskOperations(serviceOf(key), pause);

interface Follow {
  key: string;
  signal: AbortSignal;
  update(task: ListedTask): void;
}

/**
 * Follows a task live until it ends or the signal aborts.
 *
 * @throws ServiceError if the service refuses because the task no longer exists or the key is not accepted.
 */
export async function followTask(id: string, { key, signal, update }: Follow): Promise<void> {
  try {
    for await (const entry of taskEvents(serviceOf(key), id, { signal })) {
      const { success, data } = listedTask.safeParse(entry);
      if (success) update(data);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
