import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { deferDeletions, noDeletions } from "./deferred-deletions.ts";
import { deleteTask, taskListKey } from "./task-requests.ts";

/** Deletions of tasks that can be brought back for a while. Leaving the page carries out the one that waits. */
export function useDeletions(apiKey: string) {
  const client = useQueryClient();
  const [state, setState] = useState(noDeletions);
  const deletions = useMemo(
    () =>
      deferDeletions(async ({ task_id }, leaving) => {
        await deleteTask(apiKey, task_id, leaving);
        await client.invalidateQueries({ queryKey: taskListKey(apiKey) });
      }, setState),
    [client, apiKey],
  );
  useEffect(() => {
    const leave = () => deletions.settle(true);
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      // Another key is in use now; this task is deleted by its own.
      deletions.settle();
    };
  }, [deletions]);
  return { ...state, ...deletions };
}
