import { CanvasContext, type Device } from "@luma.gl/core";
import type { Map as MapLibreMap } from "maplibre-gl";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { attachMapEvents, DOUBLE_CLICK_MS, followCanvas, type MapEvents } from "./map-events.ts";

/** What `attachMapEvents` uses of a map; `fire` is what a mouse or a finger does. */
function openFakeMap(drawing = false) {
  const listeners = new Map<string, ((event: unknown) => void)[]>();
  const zooms: boolean[] = [];
  const map = {
    on: (name: string, listener: (event: unknown) => void) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    getCanvas: () => ({ setAttribute: () => undefined, addEventListener: () => undefined, style: {} }),
    getBounds: () => ({ getSouth: () => 0, getNorth: () => 1, getWest: () => 0, getEast: () => 1 }),
    getLayer: () => undefined,
    project: ({ lng: x, lat: y }: { lng: number; lat: number }) => ({ x, y }),
    doubleClickZoom: { enable: () => zooms.push(true), disable: () => zooms.push(false) },
  } as unknown as MapLibreMap;
  const fire = (name: string, longitude = 10, latitude = 50, detail = 1) => {
    const event = {
      originalEvent: { detail, touches: [{}] },
      defaultPrevented: false,
      target: map,
      point: { x: longitude, y: latitude },
      lngLat: { lng: longitude, lat: latitude },
    };
    for (const listener of listeners.get(name) ?? []) listener(event);
  };
  const [onSample, onMenu] = [vi.fn(), vi.fn()];
  const none = () => undefined;
  const events = {
    onMove: none,
    onView: none,
    onPick: none,
    onHover: none,
    onKey: () => false,
    isDrawing: () => drawing,
  } as Partial<MapEvents>;
  attachMapEvents(map, ["storms"], { ...events, onSample, onMenu } as MapEvents);
  const press = (longitude?: number) => {
    fire("mousedown", longitude);
    fire("click", longitude);
  };
  return { map, fire, press, onSample, onMenu, zooms };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("samples where a click stayed alone, once", () => {
  const { press, onSample } = openFakeMap();
  press();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS - 1);
  expect(onSample).not.toHaveBeenCalled();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(onSample.mock.calls).toEqual([[50, 10, { x: 10, y: 50 }]]);
});

it("does not move the sampled point by a double click, which zooms", () => {
  const { fire, press, onSample, zooms } = openFakeMap();
  press();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS - 1);
  press();
  fire("dblclick");
  vi.advanceTimersByTime(5000);
  expect(onSample).not.toHaveBeenCalled();
  expect(zooms).toEqual([]);
});

it("takes two slow clicks as two, and does not zoom by the second", () => {
  const { press, onSample, zooms } = openFakeMap();
  press(10);
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(zooms).toEqual([false]);
  press(11);
  vi.advanceTimersByTime(5000);
  expect(onSample.mock.calls).toEqual([
    [50, 10, { x: 10, y: 50 }],
    [50, 11, { x: 11, y: 50 }],
  ]);
  expect(zooms.at(-1)).toBe(true);
});

it.each(["touchstart", "mousedown"])("does not sample when a pinch or drag begins by %s", (name) => {
  const { fire, press, onSample } = openFakeMap();
  press();
  fire(name);
  vi.advanceTimersByTime(5000);
  expect(onSample).not.toHaveBeenCalled();
});

it("acts at once on the clicks of a drawing, and once on a double click", () => {
  const { fire, press, onSample } = openFakeMap(true);
  press(10);
  press(11);
  fire("click", 11, 50, 2);
  expect(onSample.mock.calls).toEqual([
    [50, 10, { x: 10, y: 50 }],
    [50, 11, { x: 11, y: 50 }],
  ]);
});

it("a finger that lies still opens the menu, unless a layer that listens later takes it to drag", () => {
  const { map, fire, onMenu } = openFakeMap();
  fire("touchstart");
  vi.advanceTimersByTime(1000);
  expect(onMenu.mock.calls).toEqual([
    [
      { latitude: 50, longitude: 10 },
      { x: 10, y: 50 },
    ],
  ]);
  map.on("touchstart", (event) => Object.assign(event, { defaultPrevented: true }));
  fire("touchstart");
  vi.advanceTimersByTime(1000);
  expect(onMenu).toHaveBeenCalledTimes(1);
});

/** luma.gl's own sizes, without a graphics processor. */
class Context extends CanvasContext {
  readonly device = {} as Device;
  readonly handle = undefined;
  readonly [Symbol.toStringTag] = "Context";
  protected override _configureDevice(): void {}
  protected override _getCurrentFramebuffer() {
    return {} as ReturnType<CanvasContext["getCurrentFramebuffer"]>;
  }
}

it("keeps the size that the map gave to its canvas, also while an earlier one has not been drawn", () => {
  const context = new Context({ width: 1060, height: 752 });
  const canvas = context.canvas as HTMLCanvasElement;
  Object.assign(context, { htmlCanvas: canvas });
  const device = { canvasContext: context, props: { onResize: vi.fn() } } as unknown as Device;
  const resize = (height: number) => {
    Object.assign(canvas, { height, clientWidth: 1060, clientHeight: height });
    followCanvas(device);
  };
  resize(816);
  resize(752);
  context.getCurrentFramebuffer();
  expect(canvas.height).toBe(752);
  expect(context.getDrawingBufferSize()).toEqual([1060, 752]);
  expect(context.getCSSSize()).toEqual([1060, 752]);
  expect(device.props.onResize).toHaveBeenCalledTimes(2);
});
