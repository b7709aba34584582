import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { followTask } from "#components/api-client/follow-task.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { taskListKey } from "./task-requests.ts";

/** Browsers limit the connections to one host; the others stay free for requests. */
const MAX_STREAMS = 3;

/** Follows the oldest pending tasks live and updates the cached list. */
export function useTaskEvents(key: string | undefined, tasks: readonly ListedTask[] | undefined): void {
  const client = useQueryClient();
  const followed = (tasks ?? [])
    .filter(({ status }) => status === "PENDING")
    .slice(-MAX_STREAMS)
    .map(({ task_id }) => task_id)
    .join();
  useEffect(() => {
    if (!key || !followed) return;
    const controller = new AbortController();
    const update = (latest: ListedTask) =>
      client.setQueryData<ListedTask[]>(taskListKey(key), (shown) =>
        shown?.map((task) => (task.task_id === latest.task_id && task.status === "PENDING" ? latest : task)),
      );
    // A stream that cannot be read needs no report: the list is refreshed soon.
    for (const id of followed.split(","))
      followTask(id, { key, signal: controller.signal, update }).catch(() => undefined);
    return () => controller.abort();
  }, [client, key, followed]);
}
