import type { Map as MapLibreMap } from "maplibre-gl";
import { expect, it, vi } from "vitest";
import { addGeojson } from "./map-layer.ts";

it("a source that stays empty is not set again", () => {
  const setData = vi.fn();
  const map = { addSource: vi.fn(), getSource: () => ({ setData }) } as unknown as MapLibreMap;
  const set = addGeojson(map, "lines");
  const point = { type: "Point" as const, coordinates: [0, 0] };
  const none = { type: "FeatureCollection" as const, features: [] };
  for (const data of [undefined, none, point, point, undefined, none, undefined]) set(data);
  expect(setData.mock.calls).toEqual([[point], [point], [none]]);
});
