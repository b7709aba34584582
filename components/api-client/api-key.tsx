import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import { readKey, type StoredKey, subscribeToKey } from "./key-store.ts";

/** undefined while the page is rendered on the server. */
export const ApiKeyContext = createContext<StoredKey | undefined>(undefined);

/** Gives the pages below the API key of this tab. */
export function ApiKeyProvider({ children }: { children: ReactNode }) {
  const stored = useSyncExternalStore(subscribeToKey, readKey, () => undefined);
  return <ApiKeyContext value={stored}>{children}</ApiKeyContext>;
}

/** The API key to send; undefined while there is none, or the service refused it. */
export function useApiKey(): string | undefined {
  const stored = use(ApiKeyContext);
  return stored?.refused ? undefined : stored?.key;
}

/** Whether to ask for a key, and why: undefined while a key is in use or nothing is known yet. */
export function useMissingKey(): "absent" | "refused" | undefined {
  const stored = use(ApiKeyContext);
  if (!stored) return undefined;
  if (stored.refused) return "refused";
  return stored.key ? undefined : "absent";
}
