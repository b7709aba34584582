"use client";

import { TaskInbox } from "#components/tasks/task-inbox.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { TextPage } from "./page-shell.tsx";

preloadWords("tasks", "lists", "area");

/** The page of the tasks. @param now Weather clock, Unix seconds. */
export function TasksScreen({ now }: { now: number }) {
  return (
    <TextPage current="/tasks">
      <TaskInbox now={now} />
    </TextPage>
  );
}
