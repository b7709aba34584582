import { type RefObject, useEffect, useRef } from "react";

interface PanelView {
  /** Content of the panel below its tabs. */
  body: RefObject<HTMLElement | null>;
  /** The storm whose card is open. */
  storm: string | null;
  /** The station whose card is shown. */
  tide: string | null;
  /** Whether the sampled point is known. */
  hasPoint: boolean;
  /** Increases each time that the user requests the panel by a key. */
  asked: number;
  focusMap(): void;
}

/**
 * Moves the focus to what the user opens in the panel, and back to the opener when it is closed. Sampling a
 * point leaves the focus on the map, where the next point is sampled; the conditions are announced.
 *
 * @returns Must be called before Escape closes the content, so that the focus can return to the map if it
 * came from there.
 */
export function usePanelFocus({ body, storm, tide, hasPoint, asked, focusMap }: PanelView) {
  const shown = useRef({ storm, tide, hasPoint, asked });
  /** The element outside the panel from which it was opened. */
  const opener = useRef<HTMLElement>(undefined);
  const acted = useRef(false);
  const last = useRef<HTMLElement>(undefined);
  const escaped = useRef(false);
  /** Ends the waiting for what is being opened. The view changes after the request, in a rendering of its own. */
  const stopWaiting = useRef<() => void>(undefined);
  useEffect(() => () => stopWaiting.current?.(), []);
  useEffect(() => {
    const act = () => {
      acted.current = true;
    };
    const note = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) last.current = target;
    };
    const kinds = ["keydown", "pointerdown", "popstate"] as const;
    for (const kind of kinds) window.addEventListener(kind, act, { capture: true });
    document.addEventListener("focusin", note);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, act, { capture: true });
      document.removeEventListener("focusin", note);
    };
  }, []);

  useEffect(() => {
    const before = shown.current;
    shown.current = { storm, tide, hasPoint, asked };
    const panel = body.current;
    // Content opened by a link does not take the focus.
    if (!panel || !acted.current) return;
    const { activeElement: focused } = document;
    const isLost = focused === null || focused === document.body;
    const isInPanel = panel.contains(focused);
    if (asked !== before.asked || (storm !== null && storm !== before.storm)) {
      if (last.current?.isConnected && !panel.contains(last.current)) opener.current = last.current;
      else if (before.storm === null && (asked === before.asked || tide !== before.tide))
        opener.current = undefined;
      stopWaiting.current?.();
      stopWaiting.current = focusOpened(panel);
      return;
    }
    const closed = (storm === null ? before.storm : null) ?? (tide === null ? before.tide : null);
    if (closed !== null && (isLost || isInPanel)) {
      stopWaiting.current?.();
      const row = panel.querySelector<HTMLElement>(`[data-opens="${CSS.escape(closed)}"]`);
      const outside = opener.current?.isConnected ? opener.current : undefined;
      (escaped.current ? (outside ?? row) : (row ?? outside ?? panel))?.focus();
      escaped.current = false;
    } else if (!hasPoint && before.hasPoint && isLost) focusMap();
  }, [body, storm, tide, hasPoint, asked, focusMap]);

  return () => {
    escaped.current = true;
  };
}

/** Longest loading time after which opened content still takes the focus, ms. */
const LOADING_MS = 10_000;

/**
 * Focuses the heading of what was opened in the panel as soon as it exists, and the panel until then. The heading of the
 * tab before may still be there, so the focus that is lost with it goes to the next one.
 */
function focusOpened(panel: HTMLElement): () => void {
  const focusHeading = () => {
    const heading = panel.querySelector<HTMLElement>("[data-opened]");
    if (!heading) return false;
    heading.tabIndex = -1;
    heading.focus();
    return true;
  };
  const tab = document.getElementById(panel.getAttribute("aria-labelledby") ?? "");
  // On a phone the panel may be too low to show it.
  if (panel.getClientRects().length > 0) panel.focus();
  else tab?.focus();
  focusHeading();
  const observer = new MutationObserver(() => {
    const { activeElement: focused } = document;
    const isLost = focused === null || focused === document.body;
    if (isLost || focused === panel) focusHeading();
    else if (!focused.hasAttribute("data-opened")) observer.disconnect();
  });
  observer.observe(panel, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), LOADING_MS);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
