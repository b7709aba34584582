import { createContext, use, useSyncExternalStore } from "react";
import type { Fix } from "#lib/geo/dead-reckoning.ts";
import { parseShip, writeShip } from "./ship-text.ts";

/** The ship of this device: in localStorage, and sent only in requests for what is near it. */
export interface StoredShip {
  ship: Fix | undefined;
  /** Another ship, which a link brought while there was one: it is not taken unless the user says so. */
  offered?: Fix;
  /** The ship that was forgotten last, to bring it back. */
  forgotten?: Fix;
}

const STORAGE_KEY = "metocean-ship";
const listeners = new Set<() => void>();
const onServer: StoredShip = { ship: undefined };
let current: StoredShip | undefined;

/** Another ship than that of this device, for what is rendered within. */
export const ShipContext = createContext<StoredShip | undefined>(undefined);

/** The ship of this device; none while the page is rendered on the server. */
export function useShip(): StoredShip {
  const given = use(ShipContext);
  const stored = useSyncExternalStore(subscribeToShip, readShip, () => onServer);
  return given ?? stored;
}

export function readShip(): StoredShip {
  current ??= { ship: parseShip(localStorage.getItem(STORAGE_KEY) ?? "") };
  return current;
}

/** Calls the listener whenever the ship changes, in another tab too. */
export function subscribeToShip(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", readAgain);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", readAgain);
  };
}

/** Takes a ship that the user entered or agreed to, rounded as in a link. */
export function keepShip(fix: Fix): void {
  const text = writeShip(fix);
  localStorage.setItem(STORAGE_KEY, text);
  publish({ ship: parseShip(text) });
}

/** Removes the ship from this device. */
export function forgetShip(): void {
  const { ship } = readShip();
  localStorage.removeItem(STORAGE_KEY);
  publish({ ship: undefined, forgotten: ship });
}

/**
 * Takes a ship that a link brought, where this device has none; else it is offered: whoever sends a link could otherwise
 * move the ship that storms are measured from.
 */
export function offerShip(fix: Fix): void {
  const { ship } = readShip();
  if (!ship) keepShip(fix);
  else if (writeShip(ship) !== writeShip(fix)) publish({ ship, offered: fix });
}

/** Keeps the ship of this device, and drops the one that a link brought. */
export function declineShip(): void {
  publish({ ship: readShip().ship });
}

function readAgain({ key }: StorageEvent): void {
  if (key !== null && key !== STORAGE_KEY) return;
  const { offered } = readShip();
  const ship = parseShip(localStorage.getItem(STORAGE_KEY) ?? "");
  publish(ship && offered ? { ship, offered } : { ship });
}

function publish(next: StoredShip): void {
  current = next;
  for (const listener of listeners) listener();
}
