import { deviceStorage, KEY_NAME as STORAGE_KEY, tabStorage } from "./first-request.ts";
import { forgetReplies, stopSaving } from "./saved-replies.ts";

/** The API key of this tab, and whether the service refused it. */
export interface StoredKey {
  key: string | undefined;
  refused: boolean;
  /** It was refused after it had been accepted: what the page has read with it stays on the screen. */
  revoked?: boolean;
  /** It stays on this device, and not only until the tab is closed. */
  remembered?: boolean;
  /** Another key, which a link brought while this one was in use: it is not used unless the user says so. */
  offered?: string;
  /** The user wants to enter a key although the page goes on without. */
  asked?: boolean;
  /** A link of an e-mail makes a key by this token, when the user says so. */
  newKeyToken?: string;
  /** The service no longer lets visitors in who have no key. */
  guestRefused?: boolean;
}

const listeners = new Set<() => void>();
const noKey: StoredKey = { key: undefined, refused: false };
let current: StoredKey | undefined;
/** The last key that the service accepted since the page was opened. */
let accepted: string | undefined;

/** The key of this tab: in sessionStorage, or by choice in localStorage, never in the URL's query. */
export function readKey(): StoredKey {
  current ??= initialKey();
  return current;
}

export function subscribeToKey(listener: () => void): () => void {
  watchOutside();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Takes a key that the user typed, or agreed to. @param remember Whether it stays on this device. */
export function acceptKey(key: string, remember = false): void {
  const remembered = store(key, remember);
  publish({ key, refused: false, ...(remembered && { remembered }) });
}

/** Lets the key in use stay on this device, or only until the tab is closed. */
export function rememberKey(remember: boolean): void {
  const { key, ...rest } = readKey();
  if (!key) return;
  publish({ ...rest, key, remembered: store(key, remember) });
}

/** Keeps the key in use, and drops the one that a link brought. */
export function declineKey(): void {
  publish({ ...readKey(), offered: undefined });
}

/** Removes the key from this tab and this device, with what it was answered, to ask for another one. */
export function forgetKey(): void {
  void forgetReplies();
  tabStorage.removeItem(STORAGE_KEY);
  deviceStorage.removeItem(STORAGE_KEY);
  publish(noKey);
}

/** Marks a key that the service does not accept, or no longer accepts. */
export function refuseKey(key: string): void {
  if (current?.key !== key || current.refused) return;
  publish({ ...current, refused: true, ...(accepted === key && { revoked: true }) });
}

/** Whether a key was refused: it is not sent again. */
export function isRefused(key: string): boolean {
  return current?.key === key && current.refused;
}

export function noteKeyWorks(key: string): void {
  accepted = key;
}

/** Asks the user for a key, or no longer. */
export function askForKey(asked = true): void {
  publish({ ...readKey(), asked });
}

/** Leaves the link of an e-mail. */
export function dropNewKeyToken(): void {
  publish({ ...readKey(), newKeyToken: undefined });
}

/** Marks that the service lets no visitors in. */
export function refuseGuest(): void {
  if (current && !current.guestRefused) publish({ ...current, guestRefused: true });
}

/** What names a key on the screen: the public part, or the end of a key that has none. */
export function shownKey(key: string): string {
  return /^mo_[0-9A-Za-z]{8}(?=_)/.exec(key)?.[0] ?? `…${key.slice(-4)}`;
}

function initialKey(): StoredKey {
  const ofTab = tabStorage.getItem(STORAGE_KEY) || undefined;
  const ofDevice = deviceStorage.getItem(STORAGE_KEY) || undefined;
  const key = ofTab ?? ofDevice;
  const remembered = key !== undefined && key === ofDevice;
  const stored = withLinked(
    { key, refused: false, ...(remembered && { remembered }) },
    takeFromAddress(window.history.state),
  );
  if (stored.key) void forgetReplies(stored.key);
  return stored;
}

/** @returns Whether the device keeps it: it may be full, or block the data of sites. */
function store(key: string, remember: boolean): boolean {
  if (remember && deviceStorage.setItem(STORAGE_KEY, key)) {
    tabStorage.removeItem(STORAGE_KEY);
    return true;
  }
  tabStorage.setItem(STORAGE_KEY, key);
  // Another key of the device stays for other tabs, unless the service does not accept it.
  const ofDevice = deviceStorage.getItem(STORAGE_KEY);
  if (ofDevice === key || (current?.refused && ofDevice === current.key))
    deviceStorage.removeItem(STORAGE_KEY);
  return false;
}

interface Linked {
  key?: string;
  newKeyToken?: string;
}

/**
 * Whoever sends a link with a key could have others work in their name. So a key from a link is taken at once only where
 * there is no other that works.
 */
function withLinked(before: StoredKey, { key: given, newKeyToken }: Linked): StoredKey {
  const stored = newKeyToken ? { ...before, newKeyToken } : before;
  if (!given || given === stored.key) return stored;
  if (stored.key && !stored.refused) return { ...stored, offered: given };
  store(given, false);
  return { key: given, refused: false };
}

/**
 * `#key=…` and `#new-key=…` are read once and removed from the address: a fragment is never sent to a server.
 *
 * @param state State to set on the history entry.
 */
function takeFromAddress(state: unknown): Linked {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const key = fragment.get("key") || undefined;
  const newKeyToken = fragment.get("new-key") || undefined;
  fragment.delete("key");
  fragment.delete("new-key");
  const rest = fragment.toString();
  const { pathname, search } = window.location;
  if (key || newKeyToken || state !== window.history.state)
    window.history.replaceState(state, "", pathname + search + (rest ? `#${rest}` : ""));
  return { key, newKeyToken };
}

function publish(next: StoredKey): void {
  if (next.key && next.key !== current?.key) void forgetReplies(next.key);
  // Forgotten in another tab, which has deleted what was saved: what is on its way is not saved after that.
  else if (!next.key && current?.key) stopSaving();
  current = next;
  for (const listener of listeners) listener();
}

let watching = false;

/** A link that differs from the page by its fragment alone is opened without loading the page again. */
function watchOutside(): void {
  if (watching) return;
  watching = true;
  window.addEventListener("storage", followDevice);
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

/** Another tab has forgotten the key of this device, or remembers one. */
function followDevice({ key: name, newValue }: StorageEvent): void {
  // Without a name the whole storage was cleared.
  if (name !== null && name !== STORAGE_KEY) return;
  const { key, remembered } = readKey();
  if (remembered && !newValue) publish(noKey);
  else if (newValue && (remembered || !key)) publish({ key: newValue, refused: false, remembered: true });
}

/** Stands for the key of a visitor without one. No key has a space. */
export const GUEST = " guest";

/** There is another session; this service lets no visitors in; or none can be had just now. */
type Renewal = "done" | "refused" | "later";

/** What a service answers that lets no visitors in: any other failure may pass, as an outage or a limit does. */
const refusals = [403, 404, 405];

let renewing: Promise<Renewal> | undefined;

/**
 * Asks for another session of the page, once for all requests that wait for it. The session is a cookie, which no script
 * reads.
 */
export function renewGuestSession(): Promise<Renewal> {
  renewing ??= fetch("/guests/session", { method: "POST" })
    .then(
      ({ ok, status }): Renewal => (ok ? "done" : refusals.includes(status) ? "refused" : "later"),
      (): Renewal => "later",
    )
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}
