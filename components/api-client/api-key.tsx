import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { askForKey, readKey, type StoredKey, subscribeToKey } from "./key-store.ts";
import { GUEST } from "./saved-replies.ts";

/** undefined during rendering on the server. */
export const ApiKeyContext = createContext<StoredKey | undefined>(undefined);

/** Provides the API key of this tab to its children. */
export function ApiKeyProvider({ children }: { children: ReactNode }) {
  const stored = useSyncExternalStore(subscribeToKey, readKey, () => undefined);
  const client = useQueryClient();
  const access = useAccess();
  const key = keyToSend(stored, access);
  useEffect(() => (key === undefined ? undefined : () => dropReplies(client, key)), [client, key]);
  return <ApiKeyContext value={stored}>{children}</ApiKeyContext>;
}

/** Removes a key and the replies to it from memory; query keys and mutations contain the key. */
export function dropReplies(client: QueryClient, key: string): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(key) });
  client.getMutationCache().clear();
}

/**
 * The API key to send, `GUEST` for a visitor; undefined if there is none, or if the service refused it at
 * first use. A key that was revoked in use is still returned, because it identifies the data read with it.
 */
export function useApiKey(): string | undefined {
  return keyToSend(use(ApiKeyContext), useAccess());
}

/** The same as `useApiKey`, for features that need the user's own key: undefined for a visitor. */
export function useOwnKey(): string | undefined {
  const key = useApiKey();
  return key === GUEST ? undefined : key;
}

/**
 * The user's own key for a dialog that opens. Without one the user is asked for a key and the dialog closes.
 */
export function useOwnKeyOrAsk(onClose: () => void): string | undefined {
  const key = useOwnKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once, when the dialog opens
  useEffect(() => {
    if (key) return;
    askForKey();
    onClose();
  }, []);
  return key;
}

function keyToSend(stored: StoredKey | undefined, { guests }: Access): string | undefined {
  if (stored?.key) return stored.refused && !stored.revoked ? undefined : stored.key;
  return stored && guests !== "off" && !stored.guestRefused ? GUEST : undefined;
}

/** The key in use and another one from a link; undefined if there is no choice to make. */
export function useOfferedKey(): { inUse: string; offered: string } | undefined {
  const { key, offered } = use(ApiKeyContext) ?? {};
  return key && offered ? { inUse: key, offered } : undefined;
}

/**
 * Why no working key is available; undefined while one is in use, while the page works without one, or while
 * nothing is known yet. `asked` means that the user wants to enter one.
 */
export function useMissingKey(): "absent" | "refused" | "asked" | undefined {
  const stored = use(ApiKeyContext);
  const key = useApiKey();
  if (!stored) return undefined;
  if (stored.asked) return "asked";
  if (key) return undefined;
  return stored.refused ? "refused" : "absent";
}

/** Whether the key was refused after it had worked, so that the data on the screen is older. */
export function useIsKeyRevoked(): boolean {
  return use(ApiKeyContext)?.revoked === true;
}

/** Whether the key in use is stored on this device. */
export function useIsKeyRemembered(): boolean {
  return use(ApiKeyContext)?.remembered === true;
}

/** The token of a link that creates a key, if this service sends such links. */
export function useNewKeyToken(): string | undefined {
  const { keyRequests } = useAccess();
  const token = use(ApiKeyContext)?.newKeyToken;
  return keyRequests ? token : undefined;
}

/** How users get access to this service, as configured by its operator. */
export interface Access {
  /**
   * Whether visitors without a key may use the map with a page session (`map`) or the API without one
   * (`api`).
   */
  guests: "off" | "map" | "api";
  /** Whether the service sends a key to an e-mail address on request. */
  keyRequests?: boolean;
  /** Contact for keys: an e-mail address or the address of a page. */
  keyContact?: string | undefined;
}

const AccessContext = createContext<Access>({ guests: "off" });

export function AccessProvider({ access, children }: { access: Access; children: ReactNode }) {
  return <AccessContext value={access}>{children}</AccessContext>;
}

export function useAccess(): Access {
  return use(AccessContext);
}
