import { forgetReplies } from "./saved-replies.ts";

/** The API key of this tab, and whether the service refused it. */
export interface StoredKey {
  key: string | undefined;
  refused: boolean;
  /** Another key, which a link brought while this one was in use: it is not used unless the user says so. */
  offered?: string;
}

const STORAGE_KEY = "metocean-key";
const listeners = new Set<() => void>();
const noKey: StoredKey = { key: undefined, refused: false };
let current: StoredKey | undefined;

/** The key of this tab: in sessionStorage, never in the URL's query. */
export function readKey(): StoredKey {
  current ??= initialKey();
  return current;
}

/** Calls the listener whenever the key changes. */
export function subscribeToKey(listener: () => void): () => void {
  watchFragment();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes a key that the user typed, or agreed to. */
export function acceptKey(key: string): void {
  sessionStorage.setItem(STORAGE_KEY, key);
  publish({ key, refused: false });
}

/** Keeps the key in use, and drops the one that a link brought. */
export function declineKey(): void {
  const { key, refused } = readKey();
  publish({ key, refused });
}

/** Removes the key from this tab, and what it was answered from the device, to ask for another one. */
export function forgetKey(): void {
  void forgetReplies();
  sessionStorage.removeItem(STORAGE_KEY);
  publish(noKey);
}

/** Marks a key that the service does not accept, or no longer accepts. */
export function refuseKey(key: string): void {
  if (current?.key === key && !current.refused) publish({ ...current, refused: true });
}

/** What names a key on the screen: the public part, or the end of a key that has none. */
export function shownKey(key: string): string {
  return /^mo_[0-9A-Za-z]{8}(?=_)/.exec(key)?.[0] ?? `…${key.slice(-4)}`;
}

function initialKey(): StoredKey {
  const key = sessionStorage.getItem(STORAGE_KEY) || undefined;
  const stored = withLinked({ key, refused: false }, takeFromAddress(window.history.state));
  if (stored.key) void forgetReplies(stored.key);
  return stored;
}

/**
 * Whoever sends a link with a key could have others work in their name. So a key from a link is taken at once only where
 * there is no other that works.
 */
function withLinked(stored: StoredKey, given: string | undefined): StoredKey {
  if (!given || given === stored.key) return stored;
  if (stored.key && !stored.refused) return { ...stored, offered: given };
  sessionStorage.setItem(STORAGE_KEY, given);
  return { key: given, refused: false };
}

/**
 * `#key=…` is read once and removed from the address: a fragment is never sent to a server.
 *
 * @param state State to set on the history entry.
 */
function takeFromAddress(state: unknown): string | undefined {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const given = fragment.get("key") || undefined;
  fragment.delete("key");
  const rest = fragment.toString();
  const { pathname, search } = window.location;
  if (given || state !== window.history.state)
    window.history.replaceState(state, "", pathname + search + (rest ? `#${rest}` : ""));
  return given;
}

function publish(next: StoredKey): void {
  if (next.key && next.key !== current?.key) void forgetReplies(next.key);
  current = next;
  for (const listener of listeners) listener();
}

let watching = false;

/** A link that differs from the page by its fragment alone is opened without loading the page again. */
function watchFragment(): void {
  if (watching) return;
  watching = true;
  // Such a history entry has no state, without which Next's router would write the address as well.
  const { state } = window.history;
  const take = () => {
    const stored = readKey();
    const next = withLinked(stored, takeFromAddress(state));
    if (next !== stored) publish(next);
  };
  window.addEventListener("hashchange", take);
  // A link that was opened after the first reading of the key and before this.
  take();
}
