import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { Span } from "#components/view-state/time-window.ts";
import { HOUR_S } from "#lib/time.ts";

/** How long a finger rests before it moves the time by hours, ms. */
const REST_MS = 350;

/** A finger that moves less than this rests, CSS pixels. */
const REST_PX = 6;

/** Distance that a finger moves for an hour after it has rested, CSS pixels. */
const HOUR_PX = 10;

/** Margin of the scale at both ends of the bar, CSS pixels. */
const MARGIN_PX = 8;

/** A finger that is on the bar. */
interface Finger {
  /** CSS pixels from the left edge of the bar. */
  x: number;
  /** It has rested, and moves the time by hours. */
  isFine: boolean;
  /** Time when it came down, Unix seconds. */
  start: number | undefined;
}

interface Options {
  /** The ends of the bar, Unix seconds. */
  window: Span;
  /** Unix seconds. */
  time: number | undefined;
  /** Unix seconds. */
  onTime(time: number): void;
}

/**
 * Changes the time with a finger anywhere on the bar. A tap chooses the time below the finger, and a drag takes the
 * time along. Once the finger has rested, it moves the time by hours from where it is, however short the bar is.
 */
export function useFinger({ window: { from, to }, time, onTime }: Options) {
  const [finger, setFinger] = useState<Finger>();
  /** Where the finger last came to rest, CSS pixels, and the time from which it moves by hours. */
  const rested = useRef<{ x: number; isDragging: boolean; isFine: boolean; time?: number }>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const placeOf = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const x = Math.max(MARGIN_PX, Math.min(width - MARGIN_PX, clientX - left));
    return { x, time: from + ((x - MARGIN_PX) / (width - 2 * MARGIN_PX)) * (to - from) };
  };
  const show = (event: PointerEvent, isFine: boolean) => {
    const { x } = placeOf(event);
    setFinger((last) => ({ x, isFine, start: last ? last.start : time }));
  };
  const startRest = ({ clientX }: PointerEvent, isDragging: boolean) => {
    const rest = { x: clientX, isDragging, isFine: false };
    rested.current = rest;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      rest.isFine = true;
      setFinger((last) => last && { ...last, isFine: true });
    }, REST_MS);
  };
  const end = () => {
    clearTimeout(timer.current);
    rested.current = undefined;
    setFinger(undefined);
  };
  return {
    finger,
    handlers: {
      onPointerDown(event: PointerEvent) {
        // Except on touch screens, the slider follows the pointer itself.
        if (event.target instanceof HTMLInputElement || !event.isPrimary || event.button !== 0 || from === to)
          return;
        event.currentTarget.setPointerCapture(event.pointerId);
        show(event, false);
        startRest(event, false);
      },
      onPointerMove(event: PointerEvent) {
        const rest = rested.current;
        if (!rest || !event.isPrimary) return;
        const pixels = event.clientX - rest.x;
        if (rest.isFine) {
          rest.time ??= time;
          if (rest.time === undefined) return;
          show(event, true);
          onTime(rest.time + Math.round(pixels / HOUR_PX) * HOUR_S);
          return;
        }
        const isMoved = Math.abs(pixels) > REST_PX;
        if (isMoved) startRest(event, true);
        if (!isMoved && !rest.isDragging) return;
        show(event, false);
        onTime(placeOf(event).time);
      },
      onPointerUp(event: PointerEvent) {
        const rest = rested.current;
        if (rest && event.isPrimary && !rest.isDragging && !rest.isFine) onTime(placeOf(event).time);
        if (event.isPrimary) end();
      },
      onPointerCancel: end,
    },
  };
}
