import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";
import { askForKey, GUEST, readKey, type StoredKey, subscribeToKey } from "./key-store.ts";

/** undefined while the page is rendered on the server. */
export const ApiKeyContext = createContext<StoredKey | undefined>(undefined);

/** Gives the pages below the API key of this tab. */
export function ApiKeyProvider({ children }: { children: ReactNode }) {
  const stored = useSyncExternalStore(subscribeToKey, readKey, () => undefined);
  const client = useQueryClient();
  const access = useAccess();
  const key = keyToSend(stored, access);
  useEffect(() => (key === undefined ? undefined : () => dropReplies(client, key)), [client, key]);
  return <ApiKeyContext value={stored}>{children}</ApiKeyContext>;
}

/** Removes from memory what a key was answered, and the key, which is part of the names of the replies and held by mutations. */
export function dropReplies(client: QueryClient, key: string): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(key) });
  client.getMutationCache().clear();
}

/**
 * The API key to send, `GUEST` for a visitor; undefined while there is none, or the service refused it at once. One that was
 * revoked while it was in use stays the name of what was read with it.
 */
export function useApiKey(): string | undefined {
  return keyToSend(use(ApiKeyContext), useAccess());
}

/** The same for what needs a key of one's own: undefined for a visitor. */
export function useOwnKey(): string | undefined {
  const key = useApiKey();
  return key === GUEST ? undefined : key;
}

/** The key of one's own for a dialog that opens; without one it is asked for instead, and the dialog is closed. */
export function useOwnKeyOrAsk(onClose: () => void): string | undefined {
  const key = useOwnKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
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

/** The key in use, and another one that a link brought; undefined while there is nothing to decide. */
export function useOfferedKey(): { inUse: string; offered: string } | undefined {
  const { key, offered } = use(ApiKeyContext) ?? {};
  return key && offered ? { inUse: key, offered } : undefined;
}

/**
 * Why there is no key that works: undefined while one is in use, the page goes on without one, or nothing is known yet.
 * `asked`: the user wants to enter one.
 */
export function useMissingKey(): "absent" | "refused" | "asked" | undefined {
  const stored = use(ApiKeyContext);
  const key = useApiKey();
  if (!stored) return undefined;
  if (stored.asked) return "asked";
  if (key) return undefined;
  return stored.refused ? "refused" : "absent";
}

/** Whether the key was refused after it had worked: what is on the screen was read before. */
export function useIsKeyRevoked(): boolean {
  return use(ApiKeyContext)?.revoked === true;
}

/** Whether this device remembers the key in use. */
export function useIsKeyRemembered(): boolean {
  return use(ApiKeyContext)?.remembered === true;
}

/** The token of a link that makes a key, where this service sends such links. */
export function useNewKeyToken(): string | undefined {
  const { keyRequests } = useAccess();
  const token = use(ApiKeyContext)?.newKeyToken;
  return keyRequests ? token : undefined;
}

/** How this service lets people in, as its operator has set it. */
export interface Access {
  /** Whether visitors without a key read the map: by a session of the page, or without. */
  guests: "off" | "map" | "api";
  /** Whether a key is sent to whoever gives an e-mail address. */
  keyRequests?: boolean;
  /** Who gives keys: an e-mail address or that of a page. */
  keyContact?: string | undefined;
}

const AccessContext = createContext<Access>({ guests: "off" });

export function AccessProvider({ access, children }: { access: Access; children: ReactNode }) {
  return <AccessContext value={access}>{children}</AccessContext>;
}

export function useAccess(): Access {
  return use(AccessContext);
}
