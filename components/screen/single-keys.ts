import { useSyncExternalStore } from "react";

const STORAGE_KEY = "metocean-single-keys";
const listeners = new Set<() => void>();

/** Whether single keys act on the map; they can be turned off for speech input and tremor (WCAG 2.1.4). */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(STORAGE_KEY) !== "off",
    () => true,
  );
}

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
  for (const listener of listeners) listener();
}
