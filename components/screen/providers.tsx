"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { type Access, AccessProvider } from "#components/api-client/api-key.tsx";
import { dataUse } from "#components/view-state/device-setting.ts";
import { WordsProvider } from "#components/words/words-provider.tsx";
import type { Language } from "#lib/messages/language.ts";

/** After this long without an end of loading the page is taken as loaded, and after this long it is idle; milliseconds. */
const LOADED_MS = 4000;
const IDLE_MS = 15_000;

/**
 * Has the browser keep the pages and their scripts, so that they open without a network (public/sw.js): at first what this
 * visit has loaded anyway; the rest, of the other pages too, when somebody has used the page and it is idle, unless data is
 * to be saved.
 *
 * @returns Stops it.
 */
function keepShell(): () => void {
  // Secure contexts only. The development bundler's scripts have no lasting names.
  if (process.env.NODE_ENV !== "production" || !navigator.serviceWorker) return () => undefined;
  const timers: ReturnType<typeof setTimeout>[] = [];
  const send = async (message: "keep used" | "keep all") => {
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage(message);
  };
  const onUse = () => {
    window.removeEventListener("pointerdown", onUse);
    window.removeEventListener("keydown", onUse);
    timers.push(setTimeout(() => dataUse() === "full" && void send("keep all"), IDLE_MS));
  };
  const register = async () => {
    await navigator.serviceWorker.register("/sw.js");
    await send("keep used");
  };
  // The first view goes first.
  timers.push(setTimeout(() => void register().catch(() => undefined), LOADED_MS));
  window.addEventListener("pointerdown", onUse);
  window.addEventListener("keydown", onUse);
  return () => {
    for (const timer of timers) clearTimeout(timer);
    window.removeEventListener("pointerdown", onUse);
    window.removeEventListener("keydown", onUse);
  };
}

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
