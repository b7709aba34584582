import { useEffect, useState } from "react";
import { initialPlace, namesPlace } from "#components/view-state/first-view.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useScreen } from "./screen-context.tsx";

const STORAGE_KEY = "metocean-hint";
const ZOOM = 3.5;

/** A visit without a link starts at sea with a sampled place; a hint is shown until it is closed. */
export function useFirstRun() {
  const { changeView } = useView();
  const { map } = useScreen();
  const [hint, setHint] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    setHint(localStorage.getItem(STORAGE_KEY) !== "seen");
    if (namesPlace(window.location.search)) return;
    const place = initialPlace(new Date().getTimezoneOffset());
    changeView({ c: place, z: ZOOM, p: place });
    map.current?.goTo(place, ZOOM);
  }, []);
  return {
    hint,
    closeHint() {
      localStorage.setItem(STORAGE_KEY, "seen");
      setHint(false);
    },
  };
}
