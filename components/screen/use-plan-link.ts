import { useEffect, useRef } from "react";
import { useView } from "#components/view-state/view-context.tsx";
import { useScreen } from "./screen-context.tsx";
import { useNavigation } from "./use-navigation.ts";

/** Opens the plan that a link brings, and takes it out of the address: other links are without it. */
export function usePlanLink(): void {
  const { view, changeView } = useView();
  const { setPanelOpen, setPanelStop } = useScreen();
  const { showRoute } = useNavigation();
  const { plan: text } = view;
  const open =
    useRef<(openLinkedPlan: typeof import("#components/passage/route-link.ts").openLinkedPlan) => void>(
      undefined,
    );
  useEffect(() => {
    open.current = (openLinkedPlan) => {
      if (text === null) return;
      // A link with a zoom shows what its sender saw.
      const isPlaced = /[?&]z=/.test(window.location.search);
      const route = openLinkedPlan(text);
      changeView({ plan: null, tab: "passage" });
      setPanelOpen(true);
      setPanelStop("half");
      if (route && !isPlaced) showRoute(route);
    };
  });
  useEffect(() => {
    // What reads a plan is loaded with the first one.
    if (text !== null)
      void import("#components/passage/route-link.ts").then((file) => open.current?.(file.openLinkedPlan));
  }, [text]);
}
