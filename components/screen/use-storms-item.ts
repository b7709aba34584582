import { useCallback, useEffect, useMemo } from "react";
import { useStorms } from "#components/storms/storms-context.tsx";
import { useScreen } from "./screen-context.tsx";
import { takeStormsFragment } from "./storms-fragment.ts";

/** The storms of the bar at the bottom of a phone: opens their list, half as high as the screen, as does a link to it. */
export function useStormsItem() {
  const { setTab, setPanelOpen, setPanelStop } = useScreen();
  const { entries } = useStorms();
  const onOpen = useCallback(() => {
    setTab("storms");
    setPanelOpen(true);
    setPanelStop("half");
  }, [setTab, setPanelOpen, setPanelStop]);
  useEffect(() => {
    if (takeStormsFragment()) onOpen();
  }, [onOpen]);
  return useMemo(() => ({ count: entries.length, onOpen }), [entries.length, onOpen]);
}
