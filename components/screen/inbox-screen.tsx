"use client";

import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { useTheme } from "#components/view-state/view-context.tsx";
import { Channels } from "#components/watches/channels.tsx";
import { WatchInbox } from "#components/watches/watch-inbox.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { KeyNotice } from "./key-notice.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyStatus } from "./key-status.tsx";
import { PageShell } from "./page-shell.tsx";

preloadWords("watches", "channels");

/** The page of watches and alerts. */
export function InboxScreen() {
  useTheme(null);
  return (
    <ApiKeyProvider>
      <PageShell current="/inbox" layout="text" actions={<KeyStatus />}>
        <KeyNotice />
        <WatchInbox>
          <Channels />
        </WatchInbox>
        <KeyPrompt />
      </PageShell>
    </ApiKeyProvider>
  );
}
