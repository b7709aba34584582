"use client";

import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { TaskInbox } from "#components/tasks/task-inbox.tsx";
import { useTheme } from "#components/view-state/view-context.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { KeyNotice } from "./key-notice.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyStatus } from "./key-status.tsx";
import { PageShell } from "./page-shell.tsx";

preloadWords("tasks", "lists");

/** The page of the tasks. @param now Weather clock, Unix seconds. */
export function TasksScreen({ now }: { now: number }) {
  useTheme(null);
  return (
    <ApiKeyProvider>
      <PageShell current="/tasks" layout="text" actions={<KeyStatus />}>
        <KeyNotice />
        <TaskInbox now={now} />
        <KeyPrompt />
      </PageShell>
    </ApiKeyProvider>
  );
}
