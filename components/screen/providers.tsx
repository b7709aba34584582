"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { keepShell } from "./offline-shell.ts";

/** What every page needs: the query cache. */
export function Providers({ children }: { children: ReactNode }) {
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
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
