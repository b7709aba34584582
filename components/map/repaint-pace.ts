import type { Map as MapLibreMap } from "maplibre-gl";

/** A frame of the map that takes longer keeps the page from answering, milliseconds. */
const SLOW_MS = 70;
/** Longest time from one frame of the map to the next that is wanted, milliseconds. */
const MAX_GAP_MS = 500;

/** Share of the cost of earlier frames that counts after a quicker one. */
const DECAY = 0.8;

type Paced = Pick<MapLibreMap, "on" | "isMoving" | "triggerRepaint">;

/** Clock and callbacks: of the window, or of a test. */
interface Frames {
  /** Monotonic clock, milliseconds. */
  elapsed(): number;
  /** Calls back in the next frame of the page. */
  next(callback: () => void): void;
  later(callback: () => void, ms: number): void;
}

const ofWindow: Frames = {
  elapsed: () => performance.now(),
  next: (callback) => void requestAnimationFrame(callback),
  later: (callback, ms) => void setTimeout(callback, ms),
};

/**
 * Where a frame of the map is slow to draw, as without a graphics processor, delays the next one so that drawing takes at
 * most half of the time, or, where even that is too rare, draws twice a second. A step of the time bar changes colours,
 * arrows, lines and labels one after the other, and a frame for each would keep the page from answering. While the map
 * moves, every frame is drawn.
 */
export function paceRepaints(map: Paced, { elapsed, next, later }: Frames = ofWindow): void {
  const repaint = map.triggerRepaint.bind(map);
  /** Decaying maximum over the last frames, milliseconds: the first of two in a row seems quick, as it has only begun. */
  let cost = 0;
  let rendered = Number.NEGATIVE_INFINITY;
  let isMeasuring = false;
  let isWaiting = false;
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
  map.triggerRepaint = () => {
    const wait = rendered + Math.min(2 * cost, MAX_GAP_MS) - elapsed();
    if (cost < SLOW_MS || wait <= 0 || map.isMoving()) return repaint();
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      repaint();
    }, wait);
  };
}
