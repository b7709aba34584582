"use client";

import type { ReactNode } from "react";
import { useTheme } from "#components/view-state/use-theme.ts";
import { PageShell } from "./page-shell.tsx";

/** The page of the API reference, which the server renders. */
export function DocsScreen({ children }: { children: ReactNode }) {
  useTheme(null);
  return (
    <PageShell current="/docs" layout="text">
      {children}
    </PageShell>
  );
}
