import { expect, it, vi } from "vitest";
import type { MapHost } from "./map-layer.ts";
import { planMapLayer } from "./plan-map-layer.ts";
import type { Scene } from "./scene.ts";

/** A map with a plan, and what happens on it. */
function openPlan(isDrawing: boolean) {
  const listeners = new Map<string, (event: unknown) => void>();
  const element = new EventTarget();
  vi.stubGlobal("window", element);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
  const map = {
    addSource: () => undefined,
    getSource: () => ({ setData: () => undefined }),
    getLayer: () => undefined,
    addLayer: () => undefined,
    setPaintProperty: () => undefined,
    project: () => ({ x: 0, y: 0 }),
    doubleClickZoom: { disable: vi.fn(), enable: vi.fn() },
    on: (type: string, ...rest: unknown[]) =>
      void listeners.set(type, rest.at(-1) as (event: unknown) => void),
  };
  const onMove = vi.fn();
  const waypoint = { latitude: 47, longitude: -8, leg: "great_circle" as const };
  const plan = { route: [waypoint], marked: undefined, boat: undefined, storms: [], isDrawing, onMove };
  const layer = planMapLayer({ map, element } as unknown as MapHost);
  layer.draw?.({ plan, theme: "light" } as unknown as Scene, undefined);
  const press = (type: string, originalEvent: object) =>
    listeners.get(type)?.({
      originalEvent,
      point: { x: 0, y: 0 },
      features: [{ geometry: { coordinates: [-8, 47] }, properties: { id: "0" } }],
      preventDefault: () => undefined,
    });
  const drag = (type: string) => listeners.get(type)?.({ lngLat: { lat: 46, lng: -9 } });
  return { map, onMove, press, drag, release: () => element.dispatchEvent(new Event("mouseup")), listeners };
}

it("a mouse drags a waypoint without the mode of drawing, in which two clicks do not enlarge the map", () => {
  const { map, onMove, press, drag, release } = openPlan(false);
  press("mousedown", { button: 0 });
  drag("mousemove");
  release();
  expect(onMove).toHaveBeenCalledExactlyOnceWith(0, { latitude: 46, longitude: -9 });
  expect(map.doubleClickZoom.disable).not.toHaveBeenCalled();
  expect(openPlan(true).map.doubleClickZoom.disable).toHaveBeenCalled();
});

it.each([
  [false, 0],
  [true, 1],
])("a finger drags one only while a route is drawn: %s", (isDrawing, moves) => {
  const { onMove, press, drag, listeners } = openPlan(isDrawing);
  press("touchstart", { touches: [{}] });
  drag("touchmove");
  listeners.get("touchend")?.({});
  expect(onMove).toHaveBeenCalledTimes(moves);
});
