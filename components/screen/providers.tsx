"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { type Access, AccessProvider } from "#components/api-client/api-key.tsx";
import { WordsProvider } from "#components/words/words-provider.tsx";
import type { Language } from "#lib/messages/language.ts";
import { keepShell } from "./offline-shell.ts";

interface Props {
  access: Access;
  language: Language;
  children: ReactNode;
}

/** What every page needs: its words, the query cache, and how people are let in. */
export function Providers({ access, language, children }: Props) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // A browser without a network reports itself offline, although the service may run on the same machine.
          queries: { refetchOnWindowFocus: false, refetchOnReconnect: true, networkMode: "always" },
          mutations: { networkMode: "always" },
        },
      }),
  );
  useEffect(keepShell, []);
  return (
    <Suspense>
      <WordsProvider language={language}>
        <QueryClientProvider client={client}>
          <AccessProvider access={access}>{children}</AccessProvider>
        </QueryClientProvider>
      </WordsProvider>
    </Suspense>
  );
}
