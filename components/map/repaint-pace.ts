import type { Map as MapLibreMap } from "maplibre-gl";
import { type FrameTiming, frameTiming } from "./frame-timing.ts";

/** A frame of the map that takes longer keeps the page from answering, milliseconds. */
const SLOW_MS = 70;
/** Longest time from one frame of the map to the next that is wanted, milliseconds. */
const MAX_GAP_MS = 500;
/** People who step in time do so again and again: lines and labels are drawn when no input has come for so long, milliseconds. */
const QUIET_MS = 900;

/** Share of the cost of earlier frames that counts after a quicker one. */
const DECAY = 0.8;

type Paced = Pick<MapLibreMap, "on" | "isMoving" | "triggerRepaint" | "getCanvas">;

/** What the pace of a map is told. */
export interface RepaintPace {
  /** Whether frames of the map are slow. */
  isSlow(): boolean;
  /** What the next frame draws was asked for by the last input: it need not wait until no other input comes. */
  expect(): void;
}

/**
 * Where a frame of the map is slow to draw, as without a graphics processor, delays the next one so that drawing takes at
 * most half of the time, or, where even that is too rare, draws twice a second. A step of the time bar changes colours,
 * arrows, lines and labels one after the other, and a frame for each would keep the page from answering. An input is
 * answered by the page first: the map is drawn when the answer is on the screen. No frame begins while another one is being
 * drawn: an input would wait for both. While the map moves, it is drawn again as soon as it is drawn.
 */
export function paceRepaints(map: Paced, timing: FrameTiming = frameTiming(map)): RepaintPace {
  const { elapsed, next, later } = timing;
  const request = map.triggerRepaint.bind(map);
  /** Decaying maximum over the last frames, milliseconds. */
  let cost = 0;
  let rendered = Number.NEGATIVE_INFINITY;
  /** Time of the last input that did not move the map. */
  let pressed = Number.NEGATIVE_INFINITY;
  /** What it asked for has not been drawn. */
  let isDue = false;
  /** A frame is to come in the next frame of the page. */
  let isRequested = false;
  /** A frame is being drawn. */
  let isDrawing = false;
  let isMeasuring = false;
  let isAnswering = false;
  /** A frame is wanted as soon as the input is answered, or the last frame is drawn. */
  let isHeld = false;
  /** A frame that is to come later; after an input as soon as is allowed, for it may show what was asked for. */
  let waiting: object | undefined;
  const end = () => {
    isMeasuring = false;
    isDrawing = false;
    release();
  };
  const release = () => {
    if (!isHeld || isAnswering || isDrawing) return;
    isHeld = false;
    map.triggerRepaint();
  };
  const repaint = () => {
    if (!isRequested) {
      isRequested = true;
      // Before the map's own callback, of quick frames too: a movement asks for its next frame in each one. What changes
      // from there on, the frame may not show.
      next(() => {
        isRequested = false;
        isDrawing = true;
        next(() => {
          // There was no frame: the map has no style yet.
          if (!isMeasuring) end();
        });
      });
    }
    request();
  };
  map.on("render", () => {
    rendered = elapsed();
    if (!isAnswering) isDue = false;
    if (isMeasuring) return;
    isMeasuring = true;
    isDrawing = true;
    const begun = rendered;
    timing.drawn(() => {
      cost = Math.max(elapsed() - begun, DECAY * cost);
      end();
    });
  });
  const stop = timing.onInput(() => {
    pressed = elapsed();
    isDue = true;
    isHeld ||= waiting !== undefined;
    waiting = undefined;
    // Keys that repeat must not hold the map for ever.
    if (isAnswering) return;
    isAnswering = true;
    timing.answered(() => {
      isAnswering = false;
      release();
    });
  });
  const waitFor = (ms: number) => {
    const own = {};
    waiting = own;
    later(() => {
      if (waiting !== own) return;
      waiting = undefined;
      map.triggerRepaint();
    }, ms);
  };
  map.triggerRepaint = () => {
    const isMoving = map.isMoving();
    if (isMoving) pressed = Number.NEGATIVE_INFINITY;
    // A frame that is to come shows it too. It is requested again: the map drops a request while it has no style.
    if (cost < SLOW_MS || isRequested) return repaint();
    if (isDrawing || (isAnswering && !isMoving)) {
      isHeld = true;
      return;
    }
    if (isMoving) return repaint();
    if (waiting) return;
    const sincePressed = elapsed() - pressed;
    const afterInput = isDue ? 0 : QUIET_MS - sincePressed;
    const afterFrame = rendered + Math.min(2 * cost, MAX_GAP_MS) - elapsed();
    const wait = sincePressed < QUIET_MS ? afterInput : afterFrame;
    if (wait <= 0) repaint();
    else waitFor(wait);
  };
  map.on("remove", stop);
  return {
    isSlow: () => cost >= SLOW_MS,
    expect() {
      isDue = true;
      if (!waiting) return;
      waiting = undefined;
      map.triggerRepaint();
    },
  };
}
