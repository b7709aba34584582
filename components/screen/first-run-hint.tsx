import { useEffect, useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { initialPlace, namesPlace } from "#components/view-state/first-view.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { useScreen } from "./screen-context.tsx";

const STORAGE_KEY = "metocean-hint";
const ZOOM = 3.5;

/** How to begin, in the first session until it is closed. A visit without a link starts at sea with a sampled place. */
export function FirstRunHint() {
  const { hint } = useWords().screen;
  const key = useApiKey();
  const { changeView } = useView();
  const { map } = useScreen();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    setOpen(localStorage.getItem(STORAGE_KEY) !== "seen");
    if (namesPlace(window.location.search)) return;
    const place = initialPlace(new Date().getTimezoneOffset());
    changeView({ c: place, z: ZOOM, p: place });
    map.current?.goTo(place, ZOOM);
  }, []);
  const isShown = open && key !== undefined;
  // Once: who has read it need not put it away in each session.
  useEffect(() => {
    if (isShown) localStorage.setItem(STORAGE_KEY, "seen");
  }, [isShown]);
  const close = () => {
    setOpen(false);
    map.current?.focus();
  };
  return isShown ? (
    // It speaks of clicks and keys.
    <div className="notice flex items-center gap-2 max-md:hidden pointer-coarse:hidden">
      <p>{hint.text}</p>
      <button type="button" className="button plain" aria-label={hint.close} onClick={close}>
        <Icon name="close" className="size-4" />
      </button>
    </div>
  ) : null;
}
