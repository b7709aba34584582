import { useEffect, useState } from "react";
import { isModifier } from "#components/view-state/modifier-keys.ts";
import { useInteracted } from "#components/view-state/use-interacted.ts";

/** Fields that may be needed next are read this long after the first sign of use and the last press, milliseconds. */
export const READ_AHEAD_MS = 800;

/**
 * Scripts that may be needed next, the map's among them, are loaded this long after the last press, milliseconds: to
 * evaluate them takes as long as to draw a field, and both at once would keep a second press waiting. Where nothing was
 * pressed yet, as while a pointer moves over the map, they come with the fields.
 */
export const SCRIPTS_PAUSE_MS = 1500;

/** A wait for a pause ends after this long, milliseconds. */
const MAX_WAIT_MS = 15_000;

/** A pointer that moves over one of them is about to press it. Over the map it is moved to read it. */
const CONTROLS = "a, button, input, label, select, summary, [role=slider], [role=tab]";

/** Time of the last press, or of the last sign that one follows, milliseconds of the page. */
let pressed = Number.NEGATIVE_INFINITY;

if (typeof window !== "undefined") {
  const note = (event: Event) => {
    if (isPress(event)) pressed = performance.now();
  };
  for (const type of ["pointerdown", "pointermove", "keydown"])
    window.addEventListener(type, note, { capture: true, passive: true });
}

/** Whether an event is a press, or tells that one may follow. */
export function isPress(event: Event): boolean {
  if (event.type !== "pointermove") return !isModifier(event);
  return event.target instanceof Element && event.target.closest(CONTROLS) !== null;
}

/**
 * Until presses have paused, milliseconds; 0 or less where they have. All times are of the page.
 *
 * @param minWaitMs Counts from when it became wanted: a press may follow.
 */
export function untilPause(
  wantedAt: number,
  lastPress: number,
  now: number,
  pauseMs: number,
  minWaitMs = 0,
): number {
  return Math.min(Math.max(lastPress + pauseMs, wantedAt + minWaitMs), wantedAt + MAX_WAIT_MS) - now;
}

/**
 * Whether somebody uses the page, and nobody is about to press: then fields that may be needed next are read. Earlier they
 * would take the processor, and the link, from the answer to the first presses.
 */
export function useReadsAhead(): boolean {
  return usePause(useInteracted(), READ_AHEAD_MS, READ_AHEAD_MS);
}

/**
 * Whether the presses of buttons and keys have paused, and no pointer moves over a button, since something became wanted:
 * opening a map keeps the page from answering for a moment, which somebody who moves the mouse over it does not notice.
 */
export function usePause(isWanted: boolean, pauseMs: number, minWaitMs = 0): boolean {
  const [hasPaused, setPaused] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    const wantedAt = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const wait = untilPause(wantedAt, pressed, performance.now(), pauseMs, minWaitMs);
      if (wait <= 0) setPaused(true);
      else timer = setTimeout(look, wait);
    };
    look();
    return () => clearTimeout(timer);
  }, [isWanted, pauseMs, minWaitMs]);
  return hasPaused;
}
