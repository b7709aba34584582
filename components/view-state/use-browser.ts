import { useEffect, useState, useSyncExternalStore } from "react";
import { createStore } from "#lib/store.ts";

/** Events that show that someone uses the page; only then data is loaded that may be needed next. */
const signs = ["pointerdown", "pointermove", "wheel", "keydown", "touchstart"] as const;

const interacted = createStore(() => false, watchSigns);

/** Whether the user has interacted with the page since it was opened. */
export function useInteracted(): boolean {
  return useSyncExternalStore(interacted.subscribe, interacted.read, () => false);
}

function watchSigns(): void {
  const options = { capture: true, passive: true };
  const take = () => {
    for (const sign of signs) window.removeEventListener(sign, take, options);
    // The direct result of the first event is painted first.
    requestAnimationFrame(() => setTimeout(() => interacted.set(true)));
  };
  for (const sign of signs) window.addEventListener(sign, take, options);
}

const nothingChanges = () => () => undefined;

/** Whether the page runs in a browser and is hydrated; false on the server. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    nothingChanges,
    () => true,
    () => false,
  );
}

/** Whether the browser has a network; true on the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribeOnline,
    () => navigator.onLine,
    () => true,
  );
}

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

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

/** System clock, milliseconds since 1970, precise enough for "12 min ago". */
export function useMachineClock(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 20_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
