import { useEffect, useState } from "react";
import { isModifier } from "#components/view-state/modifier-keys.ts";

/** After this long the map is not held up any more, milliseconds. */
const MAX_WAIT_MS = 15_000;

/** Time of the last press, milliseconds of the page. */
let pressed = Number.NEGATIVE_INFINITY;

if (typeof window !== "undefined") {
  const note = (event: Event) => {
    if (!isModifier(event)) pressed = performance.now();
  };
  for (const type of ["pointerdown", "keydown"])
    window.addEventListener(type, note, { capture: true, passive: true });
}

/** Until presses have paused, milliseconds; 0 or less where they have. All times are of the page. */
export function untilPause(wantedAt: number, lastPress: number, now: number, pauseMs: number): number {
  return Math.min(lastPress + pauseMs, wantedAt + MAX_WAIT_MS) - now;
}

/**
 * Whether the presses of buttons and keys have paused since something became wanted: opening a map keeps the page from
 * answering for a moment, which somebody who only moves the mouse does not notice.
 */
export function usePause(isWanted: boolean, pauseMs: number): boolean {
  const [hasPaused, setPaused] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    const wantedAt = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const wait = untilPause(wantedAt, pressed, performance.now(), pauseMs);
      if (wait <= 0) setPaused(true);
      else timer = setTimeout(look, wait);
    };
    look();
    return () => clearTimeout(timer);
  }, [isWanted, pauseMs]);
  return hasPaused;
}
