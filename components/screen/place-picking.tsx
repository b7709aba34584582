import { useEffect } from "react";
import { Button } from "#components/ui/button.tsx";
import { pickPlace, usePlacePick } from "#components/view-state/place-pick.ts";
import { useWords } from "#components/words/words-context.ts";
import { useScreen } from "./screen-context.tsx";

/**
 * Instructions over the map while a field waits for a place, with a button to cancel. On a phone the panel is
 * lowered.
 */
export function PlacePicking() {
  const { position } = useWords();
  const isPicking = usePlacePick() !== undefined;
  const { panel, map } = useScreen();
  useEffect(() => {
    if (!isPicking) return;
    const { stop } = panel.current();
    panel.change({ stop: "low" });
    map.current?.focus();
    return () => panel.change({ stop });
  }, [isPicking, panel, map]);
  if (!isPicking) return null;
  return (
    <section aria-label={position.pick} className="notice flex items-center gap-2">
      <p role="status" className="min-w-0 flex-1">
        {position.picking}
      </p>
      <Button onClick={() => pickPlace(undefined)}>{position.cancelPick}</Button>
    </section>
  );
}
