import { useSyncExternalStore } from "react";

/** The key that this tab uses, and whether the service refused it. */
export interface ApiKey {
  key: string | undefined;
  refused: boolean;
}

const STORED_AS = "metocean-key";
const listeners = new Set<() => void>();
const none: ApiKey = { key: undefined, refused: false };
let current: ApiKey | undefined;

/** The key of this tab; kept in sessionStorage, never in the URL's query. */
export function useApiKey(): ApiKey | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined);
}

/** Takes a key that a person typed. */
export function acceptKey(key: string): void {
  sessionStorage.setItem(STORED_AS, key);
  publish({ key, refused: false });
}

/** Takes the key out of this tab, to ask for another one. */
export function forgetKey(): void {
  sessionStorage.removeItem(STORED_AS);
  publish(none);
}

/** Tells every view that the service does not accept a key (any more). */
export function keyWasRefused(key: string | undefined): void {
  if (read().key === key && !read().refused) publish({ key, refused: true });
}

function read(): ApiKey {
  current ??= atStart();
  return current;
}

/** `#key=…` is taken once and removed from the address: a fragment is never sent to a server. */
function atStart(): ApiKey {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const given = fragment.get("key");
  if (given) {
    fragment.delete("key");
    const rest = fragment.toString();
    const { pathname, search } = window.location;
    window.history.replaceState(window.history.state, "", pathname + search + (rest ? `#${rest}` : ""));
    sessionStorage.setItem(STORED_AS, given);
  }
  const key = given ?? sessionStorage.getItem(STORED_AS) ?? undefined;
  return key ? { key, refused: false } : none;
}

function publish(next: ApiKey): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
