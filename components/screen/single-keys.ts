import { useSyncExternalStore } from "react";

const STORED_AS = "metocean-single-keys";
const listeners = new Set<() => void>();

/** Whether single keys act on the map; people who speak or tremble may turn them off (WCAG 2.1.4). */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(STORED_AS) !== "off",
    () => true,
  );
}

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(STORED_AS, on ? "on" : "off");
  for (const listener of listeners) listener();
}
