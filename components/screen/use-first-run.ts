import { useEffect, useState } from "react";
import { initialPlace, namesPlace } from "#components/view-state/first-view.ts";
import type { ChangeView } from "#components/view-state/view-url.ts";

const STORED_AS = "metocean-hint";
const ZOOM = 3.5;

/** Gives who comes without a link a place at sea, already sampled, and a hint until it is put away. */
export function useFirstRun(
  change: (to: Parameters<ChangeView>[0]) => unknown,
  goTo: (place: ReturnType<typeof initialPlace>, zoom: number) => void,
) {
  const [hint, setHint] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    setHint(localStorage.getItem(STORED_AS) !== "seen");
    if (namesPlace(window.location.search)) return;
    const place = initialPlace(new Date().getTimezoneOffset());
    change({ c: place, z: ZOOM, p: place });
    goTo(place, ZOOM);
  }, []);
  return {
    hint,
    putAway() {
      localStorage.setItem(STORED_AS, "seen");
      setHint(false);
    },
  };
}
