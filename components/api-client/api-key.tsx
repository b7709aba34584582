import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { readKey, type StoredKey, subscribeToKey } from "./key-store.ts";

/** undefined while the page is rendered on the server. */
export const ApiKeyContext = createContext<StoredKey | undefined>(undefined);

/** Gives the pages below the API key of this tab. */
export function ApiKeyProvider({ children }: { children: ReactNode }) {
  const stored = useSyncExternalStore(subscribeToKey, readKey, () => undefined);
  const client = useQueryClient();
  const key = stored?.key;
  useEffect(() => (key === undefined ? undefined : () => dropReplies(client, key)), [client, key]);
  return <ApiKeyContext value={stored}>{children}</ApiKeyContext>;
}

/** Removes from memory what a key was answered, and the key, which is part of the names of the replies. */
export function dropReplies(client: QueryClient, key: string): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(key) });
}

/** The API key to send; undefined while there is none, or the service refused it. */
export function useApiKey(): string | undefined {
  const stored = use(ApiKeyContext);
  return stored?.refused ? undefined : stored?.key;
}

/** The key in use, and another one that a link brought; undefined while there is nothing to decide. */
export function useOfferedKey(): { inUse: string; offered: string } | undefined {
  const { key, offered } = use(ApiKeyContext) ?? {};
  return key && offered ? { inUse: key, offered } : undefined;
}

/** Whether to ask for a key, and why: undefined while a key is in use or nothing is known yet. */
export function useMissingKey(): "absent" | "refused" | undefined {
  const stored = use(ApiKeyContext);
  if (!stored) return undefined;
  if (stored.refused) return "refused";
  return stored.key ? undefined : "absent";
}
