import type { Map as MapLibreMap } from "maplibre-gl";

/** From here on a frame of the map delays what the page itself is to show, milliseconds. */
const SLOW_MS = 70;
/** At least so often the map shows what has changed, milliseconds. */
const MAX_GAP_MS = 500;

/** What is left of the cost of a slow frame after a quick one. */
const FORGOTTEN = 0.8;

type Paced = Pick<MapLibreMap, "on" | "isMoving" | "triggerRepaint">;

/** What a window offers, and a test in its place. */
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
 * Where a frame of the map takes long to draw, as without a graphics processor, draws it for at most half of the time: a
 * step of the time bar changes colours, arrows, lines and their labels one after the other, and a frame for each would keep
 * the page from answering. While a hand moves the map every frame is drawn.
 */
export function paceRepaints(map: Paced, { elapsed, next, later }: Frames = ofWindow): void {
  const repaint = map.triggerRepaint.bind(map);
  /** Of the slowest of the last frames, milliseconds: of two in a row the first seems quick, because it is only begun. */
  let cost = 0;
  let rendered = Number.NEGATIVE_INFINITY;
  let isMeasuring = false;
  let isWaiting = false;
  map.on("render", () => {
    rendered = elapsed();
    if (isMeasuring) return;
    isMeasuring = true;
    const begun = rendered;
    // One frame may be on its way to the screen while the next is made; the one after that waits for it.
    next(() =>
      next(() => {
        cost = Math.max(elapsed() - begun, FORGOTTEN * cost);
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
