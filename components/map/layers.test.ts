import { expect, it, vi } from "vitest";
import { fakeMap } from "#test/map.ts";
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

it("a lazy layer is loaded with the first scene that needs it, once, and then drawn as it is by then", async () => {
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

it("a lazy layer that did not come is asked for again, and not opened on a map that is closed meanwhile", async () => {
  const open = vi.fn(() => ({}));
  const load = vi.fn(async () => open).mockRejectedValueOnce(new Error("offline"));
  const { layer, settled } = opened(load);
  layer.draw?.(scene(true), undefined);
  await settled();
  layer.draw?.(scene(true), undefined);
  layer.close?.();
  await settled();
  expect([load.mock.calls.length, open.mock.calls.length]).toEqual([2, 0]);
});

it("a source that stays empty is not set again", () => {
  const setData = vi.fn();
  const set = addGeojson(fakeMap({ getSource: () => ({ setData }) }), "lines");
  const point = { type: "Point" as const, coordinates: [0, 0] };
  const none = { type: "FeatureCollection" as const, features: [] };
  for (const data of [undefined, none, point, point, undefined, none, undefined]) set(data);
  expect(setData.mock.calls).toEqual([[point], [point], [none]]);
});
