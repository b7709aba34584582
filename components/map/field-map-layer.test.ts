import { expect, it, vi } from "vitest";
import { fakeMap, frameOf, steady } from "#test/map.ts";
import type { FieldLayer } from "./field-layer.ts";
import { fieldMapLayer } from "./field-map-layer.ts";
import type { MapHost } from "./map-layer.ts";
import type { Scene } from "./scene.ts";

it("shows no colours before the land of the first view and of one that is far away is read, and goes on showing them near it", () => {
  vi.stubGlobal("window", { location: { search: "" } });
  let isLoaded = false;
  let view = [0, 0, 0, 0];
  const map = fakeMap({
    isSourceLoaded: () => isLoaded,
    getBounds: () => {
      const [south, west, north, east] = view;
      return { getSouth: () => south, getWest: () => west, getNorth: () => north, getEast: () => east };
    },
  });
  const layer = fieldMapLayer({ map, probe: true } as unknown as MapHost);
  const pair = steady(frameOf({ eastward_wind_10m: 10, northward_wind_10m: 0 }));
  const scene = { theme: "light", field: { variable: "wind", pair } } as Scene;
  const isShown = (at: [south: number, west: number, north: number, east: number], loaded: boolean) => {
    [view, isLoaded] = [at, loaded];
    return (layer.layers?.(scene)[0] as FieldLayer | undefined)?.props.isShown?.();
  };
  expect(isShown([40, 170, 50, 190], false)).toBe(false);
  expect(isShown([40, 170, 50, 190], true)).toBe(true);
  // The map is moved by half a view across 180°, and zoomed out by two steps.
  expect(isShown([40, -180, 50, -160], false)).toBe(true);
  expect(isShown([25, 140, 65, 220], false)).toBe(true);
  // It jumps far away, is moved on there, and is zoomed out by three steps.
  expect(isShown([-50, 0, -40, 20], false)).toBe(false);
  expect(isShown([-50, 2, -40, 22], false)).toBe(false);
  expect(isShown([-50, 2, -40, 22], true)).toBe(true);
  expect(isShown([-85, -68, -5, 92], false)).toBe(false);
});
