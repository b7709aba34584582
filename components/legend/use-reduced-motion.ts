import { useSyncExternalStore } from "react";

const QUERY = "(prefers-reduced-motion: reduce)";

/** Whether the user asked the system for less motion. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const asked = window.matchMedia(QUERY);
      asked.addEventListener("change", changed);
      return () => asked.removeEventListener("change", changed);
    },
    () => window.matchMedia(QUERY).matches,
    () => false,
  );
}
