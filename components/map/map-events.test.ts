import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeMap } from "#test/map.ts";
import { attachMapEvents, DOUBLE_CLICK_MS, type MapEvents } from "./map-events.ts";

/** A map with events; `fire` simulates a mouse or a finger. Places equal their pixels. */
function openMap(drawing = false) {
  const listeners = new Map<string, ((event: unknown) => void)[]>();
  const zooms: boolean[] = [];
  const map = fakeMap({
    on: (name: string, listener: (event: unknown) => void) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    getCanvas: () => fakeMap({ style: {} }),
    getBounds: () => fakeMap({}),
    project: ({ lng: x, lat: y }: { lng: number; lat: number }) => ({ x, y }),
    doubleClickZoom: { enable: () => zooms.push(true), disable: () => zooms.push(false) },
  });
  const fire = (name: string, longitude = 10, detail = 1) => {
    const event = {
      originalEvent: { detail, touches: [{}] },
      defaultPrevented: false,
      target: map,
      point: { x: longitude, y: 50 },
      lngLat: { lng: longitude, lat: 50 },
    };
    for (const listener of listeners.get(name) ?? []) listener(event);
  };
  const sampled: number[] = [];
  const onMenu = vi.fn();
  const onSample: MapEvents["onSample"] = (_latitude, longitude) => sampled.push(longitude);
  const events = { onView: () => undefined, isDrawing: () => drawing, onSample, onMenu };
  attachMapEvents(map, ["storms"], events as unknown as MapEvents);
  const press = (longitude?: number) => {
    fire("mousedown", longitude);
    fire("click", longitude);
  };
  return { map, fire, press, sampled, onMenu, zooms };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("samples where a click stayed alone, once", () => {
  const { press, sampled } = openMap();
  press();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS - 1);
  expect(sampled).toEqual([]);
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(sampled).toEqual([10]);
});

it("does not move the sampled point by a double click, which zooms", () => {
  const { fire, press, sampled, zooms } = openMap();
  press();
  vi.advanceTimersByTime(DOUBLE_CLICK_MS - 1);
  press();
  fire("dblclick");
  vi.advanceTimersByTime(5000);
  expect([sampled, zooms]).toEqual([[], []]);
});

it("takes two slow clicks as two, and does not zoom by the second", () => {
  const { press, sampled, zooms } = openMap();
  press(10);
  vi.advanceTimersByTime(DOUBLE_CLICK_MS);
  expect(zooms).toEqual([false]);
  press(11);
  vi.advanceTimersByTime(5000);
  expect([sampled, zooms.at(-1)]).toEqual([[10, 11], true]);
});

it.each(["touchstart", "mousedown"])("does not sample when a pinch or drag begins by %s", (name) => {
  const { fire, press, sampled } = openMap();
  press();
  fire(name);
  vi.advanceTimersByTime(5000);
  expect(sampled).toEqual([]);
});

it("acts at once on the clicks of a drawing, and once on a double click", () => {
  const { fire, press, sampled } = openMap(true);
  press(10);
  press(11);
  fire("click", 11, 2);
  expect(sampled).toEqual([10, 11]);
});

it("a finger that lies still opens the menu, unless a layer that listens later takes it to drag", () => {
  const { map, fire, onMenu } = openMap();
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
