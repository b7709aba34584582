import { useSyncExternalStore } from "react";

/** Whether a media query matches; undefined until the page runs in a browser. */
export function useMediaQuery(text: string): boolean | undefined {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(text);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(text).matches,
    () => undefined,
  );
}
