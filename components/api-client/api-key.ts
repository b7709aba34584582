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

function atStart(): ApiKey {
  const key = takeFromAddress(window.history.state) ?? sessionStorage.getItem(STORED_AS) ?? undefined;
  return key ? { key, refused: false } : none;
}

/**
 * `#key=…` is taken once and removed from the address: a fragment is never sent to a server.
 *
 * @param state What the entry of the history is to hold.
 */
function takeFromAddress(state: unknown): string | undefined {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const given = fragment.get("key") || undefined;
  fragment.delete("key");
  const rest = fragment.toString();
  const { pathname, search } = window.location;
  if (given) sessionStorage.setItem(STORED_AS, given);
  if (given || state !== window.history.state)
    window.history.replaceState(state, "", pathname + search + (rest ? `#${rest}` : ""));
  return given;
}

function publish(next: ApiKey): void {
  current = next;
  for (const listener of listeners) listener();
}

let following = false;

/** A link that differs from the page by its fragment alone is opened without loading the page again. */
function followFragment(): void {
  if (following) return;
  following = true;
  // Such an entry of the history has no state, without which Next's router would write the address as well.
  const { state } = window.history;
  window.addEventListener("hashchange", () => {
    const key = takeFromAddress(state);
    if (key) publish({ key, refused: false });
  });
}

function subscribe(listener: () => void): () => void {
  followFragment();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
