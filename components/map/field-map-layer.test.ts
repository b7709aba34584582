import { expect, it, vi } from "vitest";
import { fakeMap, frameOf, steady } from "#test/map.ts";
import { fieldMapLayer } from "./field-map-layer.ts";
import type { MapHost } from "./map-layer.ts";
import type { Scene } from "./scene.ts";

it("shows no colours before the land of the first view is read or cannot be, and then redraws once", () => {
  vi.stubGlobal("window", { location: { search: "" } });
  let isLoaded = false;
  const listeners = new Map<string, () => void>();
  const map = fakeMap({
    isSourceLoaded: () => isLoaded,
    on: (event: string, listener: () => void) => listeners.set(event, listener),
    off: (event: string) => listeners.delete(event),
  });
  const redraw = vi.fn();
  const layer = fieldMapLayer({ map, redraw, probe: true } as unknown as MapHost);
  const pair = steady(frameOf({ eastward_wind_10m: 10, northward_wind_10m: 0 }));
  const scene = { theme: "light", field: { variable: "wind", pair } } as Scene;
  const isVisible = () => layer.layers?.(scene)[0]?.props.visible;
  listeners.get("sourcedata")?.();
  expect([isVisible(), redraw.mock.calls.length]).toEqual([false, 0]);
  isLoaded = true;
  listeners.get("idle")?.();
  expect([isVisible(), redraw.mock.calls.length, listeners.size]).toEqual([true, 1, 0]);
});
