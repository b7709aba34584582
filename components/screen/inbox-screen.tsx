"use client";

import { Channels } from "#components/watches/channels.tsx";
import { WatchInbox } from "#components/watches/watch-inbox.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { TextPage } from "./page-shell.tsx";

preloadWords("watches", "channels");

/** The page of watches and alerts. */
export function InboxScreen() {
  return (
    <TextPage current="/inbox">
      <WatchInbox>
        <Channels />
      </WatchInbox>
    </TextPage>
  );
}
