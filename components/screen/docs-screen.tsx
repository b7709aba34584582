"use client";

import type { ReactNode } from "react";
import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { type NavGroup, OperationsNav } from "#components/docs/operations-nav.tsx";
import { useTheme } from "#components/view-state/use-theme.ts";
import { preloadWords } from "#components/words/late-words.ts";
import { KeyNotice } from "./key-notice.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyStatus } from "./key-status.tsx";
import { PageShell } from "./page-shell.tsx";

preloadWords("docs");

interface Props {
  groups: readonly NavGroup[];
  /** The operation that is shown; undefined on the overview. */
  current?: string;
  children: ReactNode;
}

/** The pages of the API reference, which the server renders. */
export function DocsScreen({ groups, current, children }: Props) {
  useTheme(null);
  return (
    <ApiKeyProvider>
      <PageShell current="/docs" layout="text" actions={<KeyStatus />}>
        <KeyNotice />
        <div className="docs">
          <OperationsNav groups={groups} current={current} />
          {children}
        </div>
        <KeyPrompt optional />
      </PageShell>
    </ApiKeyProvider>
  );
}
