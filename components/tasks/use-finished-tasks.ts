import { useEffect, useRef, useState } from "react";
import { useWords } from "#components/words/words-context.ts";
import type { ListedTask } from "#lib/contract/task.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";

/**
 * Counts the tasks that ended while the page was open in the title of the tab, until it is visible.
 *
 * @returns The task that ended last, for an announcement.
 */
export function useFinishedTasks(tasks: readonly ListedTask[] | undefined): ListedTask | undefined {
  const { screen, tasks: text } = useWords("tasks");
  const title = `${screen.pages.titles.tasks} – ${SERVICE_NAME}`;
  const pending = useRef(new Set<string>());
  const [unseen, setUnseen] = useState(0);
  const [last, setLast] = useState<ListedTask>();

  useEffect(() => {
    const ended = (tasks ?? []).filter(
      ({ task_id, status }) => status !== "PENDING" && pending.current.has(task_id),
    );
    pending.current = new Set(
      (tasks ?? []).filter(({ status }) => status === "PENDING").map(({ task_id }) => task_id),
    );
    if (ended.length === 0) return;
    setLast(ended[0]);
    setUnseen((count) => count + ended.length);
  }, [tasks]);

  useEffect(() => {
    const seen = () => {
      if (document.visibilityState === "visible") setUnseen(0);
    };
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("focus", seen);
    return () => {
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("focus", seen);
    };
  }, []);

  useEffect(() => {
    document.title = unseen > 0 ? text.titleDone({ count: unseen, title }) : title;
  }, [unseen, text, title]);

  return last;
}
