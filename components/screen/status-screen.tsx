"use client";

import { FeedList } from "#components/status/feed-list.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { TextPage } from "./page-shell.tsx";

preloadWords("status");

/** The page of the feeds. @param open Whether it needs no key. */
export function StatusScreen({ open }: { open: boolean }) {
  return (
    <TextPage current="/status" isKeyOptional={open}>
      <FeedList open={open} />
    </TextPage>
  );
}
