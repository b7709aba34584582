import type { Map as MapLibreMap } from "maplibre-gl";

/** Clock, inputs and frames: of the window, or of a test. */
export interface FrameTiming {
  /** Monotonic clock, milliseconds. */
  elapsed(): number;
  /** Calls back in the next frame of the page, in the order in which it was asked to. */
  next(callback: () => void): void;
  later(callback: () => void, ms: number): void;
  /** Calls back when what the map has been told to draw is drawn. */
  drawn(callback: () => void): void;
  /** Calls back before the page answers an input. @returns Ends that. */
  onInput(callback: () => void): () => void;
  /** Calls back when the answer to the input that is being dispatched is on the screen. */
  answered(callback: () => void): void;
}

const inputEvents = ["pointerdown", "pointerup", "keydown", "input"] as const;
/** Nothing answers these alone. */
const modifiers = new Set(["Shift", "Control", "Alt", "Meta"]);

/** How often a graphics processor is asked whether it is done, milliseconds. */
const POLL_MS = 8;
/** An answer that is quicker is not reported; 16 is the least that can be asked for. */
const REPORTED_MS = 16;
/** An answer is not waited for any longer, milliseconds: nothing may have changed on the page. */
const MAX_ANSWER_MS = 300;

/** The window's, and those of a map's canvas. */
export function frameTiming(map: Pick<MapLibreMap, "getCanvas">): FrameTiming {
  return {
    elapsed: () => performance.now(),
    next: (callback) => void requestAnimationFrame(callback),
    later: (callback, ms) => void setTimeout(callback, ms),
    drawn: (callback) => whenDrawn(map.getCanvas(), callback),
    onInput(callback) {
      const listener = (event: Event) => {
        if (!(event instanceof KeyboardEvent && modifiers.has(event.key))) callback();
      };
      for (const type of inputEvents) addEventListener(type, listener, { capture: true, passive: true });
      return () => {
        for (const type of inputEvents) removeEventListener(type, listener, { capture: true });
      };
    },
    answered: whenAnswered,
  };
}

function whenDrawn(canvas: HTMLCanvasElement, callback: () => void): void {
  const gl = canvas.getContext("webgl2");
  const fence = gl?.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (!gl || !fence) {
    inTwoFrames(callback);
    return;
  }
  // The fence itself is sent.
  gl.flush();
  const poll = () => {
    if (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
      setTimeout(poll, POLL_MS);
      return;
    }
    gl.deleteSync(fence);
    callback();
  };
  setTimeout(poll, POLL_MS);
}

/**
 * Browsers that report how long inputs take report it when the answer is on the screen. In others, and where it was too
 * quick to be reported, it is there two frames later.
 */
function whenAnswered(callback: () => void): void {
  const since = window.event?.timeStamp ?? performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let observer: PerformanceObserver | undefined;
  const end = () => {
    observer?.disconnect();
    clearTimeout(timer);
    callback();
  };
  if (!PerformanceObserver.supportedEntryTypes?.includes("event")) {
    inTwoFrames(end);
    return;
  }
  observer = new PerformanceObserver((reports) => {
    if (reports.getEntries().some(({ startTime }) => startTime >= since)) end();
  });
  observer.observe({ type: "event", durationThreshold: REPORTED_MS } as PerformanceObserverInit);
  timer = setTimeout(end, MAX_ANSWER_MS);
}

function inTwoFrames(callback: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(callback)));
}
