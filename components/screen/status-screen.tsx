"use client";

import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { FeedList } from "#components/status/feed-list.tsx";
import { useTheme } from "#components/view-state/view-context.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { KeyNotice } from "./key-notice.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyStatus } from "./key-status.tsx";
import { PageShell } from "./page-shell.tsx";

preloadWords("status");

/** The page of the feeds. @param open Whether no key is needed. */
export function StatusScreen({ open }: { open: boolean }) {
  useTheme(null);
  return (
    <ApiKeyProvider>
      <PageShell current="/status" layout="text" actions={<KeyStatus />}>
        <KeyNotice />
        <FeedList open={open} />
        <KeyPrompt optional={open} />
      </PageShell>
    </ApiKeyProvider>
  );
}
