import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { frameTiming } from "./frame-timing.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A map whose graphics processor is done when the test says so. */
class DrawnMap {
  isDrawn = false;
  isLost = false;
  fences = 0;
  readonly #canvas = { getContext: () => this.#gl } as unknown as HTMLCanvasElement;
  readonly #gl = {
    SIGNALED: 1,
    fenceSync: () => ({ id: ++this.fences }),
    flush: () => undefined,
    isContextLost: () => this.isLost,
    getSyncParameter: () => (this.isDrawn ? 1 : 0),
    deleteSync: () => this.fences--,
  };

  getCanvas(): HTMLCanvasElement {
    return this.#canvas;
  }
}

function watch(map: DrawnMap) {
  const drawn = vi.fn();
  frameTiming(map).drawn(drawn);
  return drawn;
}

it("a frame is drawn when the graphics processor is done with it, however long that takes", () => {
  const map = new DrawnMap();
  const drawn = watch(map);
  vi.advanceTimersByTime(5000);
  expect(drawn).not.toHaveBeenCalled();
  map.isDrawn = true;
  vi.advanceTimersByTime(8);
  expect(drawn).toHaveBeenCalledOnce();
  expect(map.fences).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

it("nothing is waited for once the graphics context is lost", () => {
  const map = new DrawnMap();
  const drawn = watch(map);
  map.isLost = true;
  vi.advanceTimersByTime(8);
  expect(drawn).toHaveBeenCalledOnce();
});
