"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type Access, AccessProvider } from "#components/api-client/access.tsx";
import { keepShell } from "./offline-shell.ts";

/** What every page needs: the query cache, and how people are let in. */
export function Providers({ access, children }: { access: Access; children: ReactNode }) {
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
    <QueryClientProvider client={client}>
      <AccessProvider access={access}>{children}</AccessProvider>
    </QueryClientProvider>
  );
}
