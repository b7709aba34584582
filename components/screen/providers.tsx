"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type Access, AccessProvider } from "#components/api-client/api-key.tsx";
import { noteNetwork } from "#components/api-client/note-network.ts";
import { dataUse } from "#components/view-state/device-setting.ts";
import { WordsProvider } from "#components/words/words-provider.tsx";
import type { Language } from "#lib/messages/language.ts";

/**
 * Time after which the page counts as loaded if no load event arrives, and time after which it counts as
 * idle; milliseconds.
 */
const LOADED_MS = 4000;
const IDLE_MS = 15_000;

/**
 * Stores the pages and their scripts in the browser, so that they open without a network (public/sw.js).
 * First it stores what this visit has loaded anyway; once the user has interacted with the page and it is
 * idle, also the rest and the other pages, unless data use is restricted.
 *
 * @returns Function that stops it.
 */
function keepShell(): () => void {
  // Service workers exist in secure contexts only. The development bundler's scripts have no permanent names.
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
  // The first view takes precedence.
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

/** Contexts that every page needs: its words, the query cache, and how users get access. */
export function Providers({ access, language, children }: Props) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // A browser without a network reports itself offline even if the service runs on the same machine.
          queries: { refetchOnWindowFocus: false, refetchOnReconnect: true, networkMode: "always" },
          mutations: { networkMode: "always" },
        },
      }),
  );
  useEffect(noteNetwork, []);
  useEffect(keepShell, []);
  return (
    <WordsProvider language={language}>
      <QueryClientProvider client={client}>
        <AccessProvider access={access}>{children}</AccessProvider>
      </QueryClientProvider>
    </WordsProvider>
  );
}
