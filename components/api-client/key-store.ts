import { pageStorage } from "#lib/page-storage.ts";
import { createStore } from "#lib/store.ts";
import { forgetReplies, stopSaving } from "./saved-replies.ts";

/** The API key of this tab, and whether the service refused it. */
export interface StoredKey {
  key: string | undefined;
  refused: boolean;
  /** The key was refused after it had been accepted; data read with it stays on the screen. */
  revoked?: boolean;
  /** The key is stored on this device, not only until the tab is closed. */
  remembered?: boolean;
  /**
   * Another key, from a link that was opened while this one was in use. It is used only if the user agrees.
   */
  offered?: string;
  /** The user wants to enter a key although the page works without one. */
  asked?: boolean;
  /** Token from a link in an e-mail that creates a key when the user agrees. */
  newKeyToken?: string;
  /** The service no longer admits visitors without a key. */
  guestRefused?: boolean;
}

/** Name of the key in the storages of the browser. */
const STORAGE_KEY = "metocean-key";

/** Where the key is, if anywhere: a browser that blocks the data of sites has neither. */
const [tabStorage, deviceStorage] = [
  pageStorage(() => globalThis.sessionStorage),
  pageStorage(() => globalThis.localStorage),
];

const noKey: StoredKey = { key: undefined, refused: false };
const tabKey = createStore(initialKey, watchOutside);
/** The last key that the service has accepted since the page was opened; empty if there is none. */
const acceptedKey = createStore(() => "");

/**
 * The key of this tab, from sessionStorage or by choice from localStorage, never from the query of the URL.
 */
export const readKey = tabKey.read;
export const subscribeToKey = tabKey.subscribe;

/** The key of this tab; none outside a browser. */
const knownKey = (): StoredKey => (typeof window === "undefined" ? noKey : readKey());

/** Accepts a key that the user typed or agreed to. @param remember Whether to store it on this device. */
export function acceptKey(key: string, remember = false): void {
  const remembered = store(key, remember, knownKey());
  publish({ key, refused: false, ...(remembered && { remembered }) });
}

/** Stores the key in use on this device, or only until the tab is closed. */
export function rememberKey(remember: boolean): void {
  const before = readKey();
  const { key } = before;
  if (key) publish({ ...before, key, remembered: store(key, remember, before) });
}

/** Continues with the key in use and drops the one from a link. */
export function declineKey(): void {
  publish({ ...readKey(), offered: undefined });
}

/**
 * Removes the key, and the replies to it, from this tab and this device, so that the user is asked for
 * another one.
 */
export function forgetKey(): void {
  void forgetReplies();
  tabStorage.removeItem(STORAGE_KEY);
  deviceStorage.removeItem(STORAGE_KEY);
  publish(noKey);
}

/** Marks a key that the service does not accept, or no longer accepts. */
export function refuseKey(key: string): void {
  const known = knownKey();
  if (known.key !== key || known.refused) return;
  publish({ ...known, refused: true, ...(acceptedKey.read() === key && { revoked: true }) });
}

/** Whether a key was refused and is therefore not sent again. */
export function isRefused(key: string): boolean {
  const known = knownKey();
  return known.key === key && known.refused;
}

export function noteKeyWorks(key: string): void {
  acceptedKey.set(key);
}

/** Starts or stops asking the user for a key. */
export function askForKey(asked = true): void {
  publish({ ...readKey(), asked });
}

/** Drops the token from an e-mail link. */
export function dropNewKeyToken(): void {
  publish({ ...readKey(), newKeyToken: undefined });
}

/** Marks that the service does not admit visitors. */
export function refuseGuest(): void {
  if (!readKey().guestRefused) publish({ ...readKey(), guestRefused: true });
}

/** How the screen identifies a key: its public part, or the last characters of a key without one. */
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

/**
 * @param before The key that it replaces. @returns Whether the device stored it; its storage may be full or
 * blocked.
 */
function store(key: string, remember: boolean, before: StoredKey): boolean {
  if (remember && deviceStorage.setItem(STORAGE_KEY, key)) {
    tabStorage.removeItem(STORAGE_KEY);
    return true;
  }
  tabStorage.setItem(STORAGE_KEY, key);
  // A different key on the device is kept for other tabs, unless the service refuses it.
  const ofDevice = deviceStorage.getItem(STORAGE_KEY);
  if (ofDevice === key || (before.refused && ofDevice === before.key)) deviceStorage.removeItem(STORAGE_KEY);
  return false;
}

interface Linked {
  key?: string;
  newKeyToken?: string;
}

/**
 * A key from a link is accepted immediately only if no other working key exists; otherwise the sender of a
 * link could make others work under the sender's name.
 */
function withLinked(before: StoredKey, { key: given, newKeyToken }: Linked): StoredKey {
  const stored = newKeyToken ? { ...before, newKeyToken } : before;
  if (!given || given === stored.key) return stored;
  if (stored.key && !stored.refused) return { ...stored, offered: given };
  store(given, false, before);
  return { key: given, refused: false };
}

/**
 * `#key=…` and `#new-key=…` are read once and removed from the address. Browsers never send a fragment to a
 * server.
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
  const { key } = knownKey();
  if (next.key && next.key !== key) void forgetReplies(next.key);
  // If another tab forgot the key, it has deleted the saved replies; replies still on their way must not be
  // saved afterwards.
  else if (!next.key && key) stopSaving();
  tabKey.set(next);
}

/** A link that differs from the page only in its fragment is opened without reloading the page. */
function watchOutside(): void {
  window.addEventListener("storage", followDevice);
  // The history entry of such a link has no state; without a state Next's router would also write the
  // address.
  const { state } = window.history;
  const take = () => {
    const stored = readKey();
    const next = withLinked(stored, takeFromAddress(state));
    if (next !== stored) publish(next);
  };
  window.addEventListener("hashchange", take);
  // This also takes a link that was opened between the first reading of the key and the subscription.
  take();
}

/** Follows another tab that has forgotten the key on this device or stored one. */
function followDevice({ key: name, newValue }: StorageEvent): void {
  // A null name means that the whole storage was cleared.
  if (name !== null && name !== STORAGE_KEY) return;
  const { key, remembered } = readKey();
  if (remembered && !newValue) publish(noKey);
  else if (newValue && (remembered || !key)) publish({ key: newValue, refused: false, remembered: true });
}

/**
 * `done`: there is a new session; `refused`: this service does not admit visitors; `later`: no session is
 * available at the moment.
 */
type Renewal = "done" | "refused" | "later";

/**
 * Statuses of a service that does not admit visitors. Any other failure, such as an outage or a limit, may be
 * temporary.
 */
const refusals = [403, 404, 405];

let renewing: Promise<Renewal> | undefined;

/**
 * Requests a new page session, once for all requests that wait for it. The session is a cookie that scripts
 * cannot read.
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
