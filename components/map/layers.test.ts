import type { Map as MapLibreMap } from "maplibre-gl";
import { expect, it, vi } from "vitest";
import { lazyMapLayer } from "./layers.ts";
import { addGeojson, type MapHost, type MapLayer } from "./map-layer.ts";
import type { Scene } from "./scene.ts";

const scene = (needed: boolean) => ({ sample: needed ? { latitude: 1, longitude: 2 } : null }) as Scene;

function opened(load: () => Promise<() => MapLayer>) {
  const works: Promise<unknown>[] = [];
  const host = { waitFor: (work: Promise<unknown>) => works.push(work) } as unknown as MapHost;
  const layer = lazyMapLayer(load, ({ sample }) => sample !== null)(host);
  return { layer, settled: () => Promise.allSettled(works) };
}

it("is loaded with the first scene that needs it, once, and then drawn as it is by then", async () => {
  const draw = vi.fn();
  const load = vi.fn(async () => () => ({ draw }));
  const { layer, settled } = opened(load);
  layer.draw?.(scene(false), undefined);
  expect(load).not.toHaveBeenCalled();
  const [one, other, third] = [scene(true), scene(true), scene(false)];
  layer.draw?.(one, undefined);
  layer.draw?.(other, one);
  await settled();
  layer.draw?.(third, other);
  expect(load).toHaveBeenCalledTimes(1);
  expect(draw.mock.calls).toEqual([
    [other, undefined],
    [third, other],
  ]);
});

it("that did not come is asked for again", async () => {
  const load = vi.fn(async (): Promise<() => MapLayer> => Promise.reject(new Error("offline")));
  const { layer, settled } = opened(load);
  layer.draw?.(scene(true), undefined);
  await settled();
  layer.draw?.(scene(true), undefined);
  expect(load).toHaveBeenCalledTimes(2);
  await settled();
});

it("of a map that is closed meanwhile is not opened", async () => {
  const open = vi.fn(() => ({}));
  const { layer, settled } = opened(async () => open);
  layer.draw?.(scene(true), undefined);
  layer.close?.();
  await settled();
  expect(open).not.toHaveBeenCalled();
});

it("a source that stays empty is not set again", () => {
  const setData = vi.fn();
  const map = { addSource: vi.fn(), getSource: () => ({ setData }) } as unknown as MapLibreMap;
  const set = addGeojson(map, "lines");
  const point = { type: "Point" as const, coordinates: [0, 0] };
  const none = { type: "FeatureCollection" as const, features: [] };
  for (const data of [undefined, none, point, point, undefined, none, undefined]) set(data);
  expect(setData.mock.calls).toEqual([[point], [point], [none]]);
});
