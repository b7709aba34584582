import type { Map as MapLibreMap } from "maplibre-gl";

/** A frame of the map that takes longer keeps the page from answering, milliseconds. */
const SLOW_MS = 70;
/** Longest time from one frame of the map to the next that is wanted, milliseconds. */
const MAX_GAP_MS = 500;
/** People who step in time do so again and again: after an input only one frame of the map begins in so long, milliseconds. */
const INPUT_GAP_MS = 650;

/** Share of the cost of earlier frames that counts after a quicker one. */
const DECAY = 0.8;

type Paced = Pick<MapLibreMap, "on" | "isMoving" | "triggerRepaint">;

/** Clock, input and callbacks: of the window, or of a test. */
interface Frames {
  /** Monotonic clock, milliseconds. */
  elapsed(): number;
  /** Calls back in the next frame of the page. */
  next(callback: () => void): void;
  later(callback: () => void, ms: number): void;
  /** Calls back before the page answers an input. @returns Ends that. */
  onInput(callback: () => void): () => void;
}

const inputEvents = ["pointerdown", "pointerup", "keydown", "input"] as const;
/** Nothing answers these alone. */
const modifiers = new Set(["Shift", "Control", "Alt", "Meta"]);

const ofWindow: Frames = {
  elapsed: () => performance.now(),
  next: (callback) => void requestAnimationFrame(callback),
  later: (callback, ms) => void setTimeout(callback, ms),
  onInput(callback) {
    const listener = (event: Event) => {
      if (!(event instanceof KeyboardEvent && modifiers.has(event.key))) callback();
    };
    for (const type of inputEvents) addEventListener(type, listener, { capture: true, passive: true });
    return () => {
      for (const type of inputEvents) removeEventListener(type, listener, { capture: true });
    };
  },
};

/**
 * Where a frame of the map is slow to draw, as without a graphics processor, delays the next one so that drawing takes at
 * most half of the time, or, where even that is too rare, draws twice a second. A step of the time bar changes colours,
 * arrows, lines and labels one after the other, and a frame for each would keep the page from answering. An input is
 * answered by the page first: the map is drawn when the answer is on the screen. While the map moves, every frame is drawn.
 */
export function paceRepaints(map: Paced, { elapsed, next, later, onInput }: Frames = ofWindow): void {
  const repaint = map.triggerRepaint.bind(map);
  /** Decaying maximum over the last frames, milliseconds: the first of two in a row seems quick, as it has only begun. */
  let cost = 0;
  let rendered = Number.NEGATIVE_INFINITY;
  /** Time of the last input that did not move the map. */
  let pressed = Number.NEGATIVE_INFINITY;
  let isMeasuring = false;
  /** A frame that is to come later; after an input as soon as is allowed, for it may show what was asked for. */
  let waiting: object | undefined;
  let isAnswering = false;
  /** A frame is wanted as soon as the input is answered. */
  let isHeld = false;
  map.on("render", () => {
    rendered = elapsed();
    if (isMeasuring) return;
    isMeasuring = true;
    const begun = rendered;
    // The browser prepares one frame while the last one is still being drawn; the frame after that waits for it.
    next(() =>
      next(() => {
        cost = Math.max(elapsed() - begun, DECAY * cost);
        isMeasuring = false;
      }),
    );
  });
  const end = onInput(() => {
    pressed = elapsed();
    isHeld ||= waiting !== undefined;
    waiting = undefined;
    // Keys that repeat must not hold the map for ever.
    if (isAnswering) return;
    isAnswering = true;
    // The first of two frames has the answer.
    next(() =>
      next(() =>
        later(() => {
          isAnswering = false;
          if (!isHeld) return;
          isHeld = false;
          map.triggerRepaint();
        }, 0),
      ),
    );
  });
  map.triggerRepaint = () => {
    if (map.isMoving()) pressed = Number.NEGATIVE_INFINITY;
    if (cost < SLOW_MS || map.isMoving()) return repaint();
    if (isAnswering) {
      isHeld = true;
      return;
    }
    if (waiting) return;
    const isAnswered = rendered > pressed && elapsed() - pressed < INPUT_GAP_MS;
    const gap = isAnswered ? INPUT_GAP_MS : Math.min(2 * cost, MAX_GAP_MS);
    const wait = rendered + gap - elapsed();
    if (wait <= 0) return repaint();
    const own = {};
    waiting = own;
    later(() => {
      if (waiting !== own) return;
      waiting = undefined;
      map.triggerRepaint();
    }, wait);
  };
  map.on("remove", end);
}
