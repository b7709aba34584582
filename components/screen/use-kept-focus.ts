import { useEffect } from "react";

const focusable =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";

/**
 * Keeps the focus in the page: what had it may be removed or disabled by its own action, and the browser then starts again
 * at the top of the document. It goes to the control beside it, or to what contained it. A click on plain text takes it
 * away, as everywhere.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** What had the focus last, and what contained it, from the inside. */
    let path: HTMLElement[] = [];
    let frame: number | undefined;
    const note = (event: FocusEvent) => {
      path = event.composedPath().filter((one): one is HTMLElement => one instanceof HTMLElement);
      // Without the body and the document.
      path = path.filter(({ parentElement }) => document.body.contains(parentElement));
    };
    const leave = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(focusable)) path = [];
    };
    const check = () => {
      frame = undefined;
      const { activeElement: focused, body } = document;
      // The browser takes the focus from a disabled control after this frame.
      if (focused === null || focused === body || focused.matches(":disabled")) moveFocus(path);
    };
    // In the next frame: who opened something has moved the focus by then.
    const observer = new MutationObserver(() => {
      if (path.length > 0) frame ??= requestAnimationFrame(check);
    });
    const attributeFilter = ["disabled", "hidden", "inert"];
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter });
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", leave);
    return () => {
      observer.disconnect();
      if (frame !== undefined) cancelAnimationFrame(frame);
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", leave);
    };
  }, []);
}

/** Moves the focus to the nearest that can have it. @param path What had it, and what contained that, from the inside. */
function moveFocus([last, ...containers]: readonly HTMLElement[]): void {
  const target = (last && isShown(last) && enabledBeside(last)) || containers.find(isShown);
  if (!target) return;
  if (!target.matches(focusable)) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** A control itself, or one beside it where it is disabled. */
function enabledBeside(control: HTMLElement): HTMLElement | undefined {
  if (control.matches(focusable)) return control;
  return [...(control.parentElement?.querySelectorAll<HTMLElement>(focusable) ?? [])].find(isShown);
}

function isShown(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}
