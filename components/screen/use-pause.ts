import { useEffect, useState } from "react";
import { isModifier } from "#components/view-state/modifier-keys.ts";
import { useInteracted } from "#components/view-state/use-interacted.ts";

/** How long after the first sign of use, and after the last press, what may be needed next is read, milliseconds. */
const READ_AHEAD_MS = 800;

/** After this long nothing is held up any more, milliseconds. */
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

/**
 * Until presses have paused, milliseconds; 0 or less where they have. All times are of the page.
 *
 * @param leastMs How long after it became wanted a press is awaited.
 */
export function untilPause(
  wantedAt: number,
  lastPress: number,
  now: number,
  pauseMs: number,
  leastMs = 0,
): number {
  return Math.min(Math.max(lastPress + pauseMs, wantedAt + leastMs), wantedAt + MAX_WAIT_MS) - now;
}

/**
 * Whether somebody uses the page, and nobody is about to press: then what may be needed next is read, and the map's scripts.
 * Earlier they would take the processor, and the link, from the answer to the first presses.
 */
export function useReadsAhead(): boolean {
  return usePause(useInteracted(), READ_AHEAD_MS, READ_AHEAD_MS);
}

/**
 * Whether the presses of buttons and keys have paused since something became wanted: opening a map keeps the page from
 * answering for a moment, which somebody who only moves the mouse does not notice.
 */
export function usePause(isWanted: boolean, pauseMs: number, leastMs = 0): boolean {
  const [hasPaused, setPaused] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    const wantedAt = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const wait = untilPause(wantedAt, pressed, performance.now(), pauseMs, leastMs);
      if (wait <= 0) setPaused(true);
      else timer = setTimeout(look, wait);
    };
    look();
    return () => clearTimeout(timer);
  }, [isWanted, pauseMs, leastMs]);
  return hasPaused;
}
