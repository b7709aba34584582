import type { LayerSpecification, Map as MapLibreMap } from "maplibre-gl";
import { expect, it } from "vitest";
import { paintLayers, setImages } from "./paint-map.ts";

function recorder() {
  const calls: unknown[][] = [];
  const known = new Set<string>();
  const record =
    (call: string, adds = false) =>
    (first: unknown, ...rest: unknown[]) => {
      const id = adds && typeof first === "object" ? (first as LayerSpecification).id : String(first);
      if (adds) known.add(id);
      calls.push([call, id, ...rest]);
    };
  const map = {
    hasImage: (name: string) => known.has(name),
    addImage: record("addImage", true),
    updateImage: record("updateImage"),
    getLayer: (id: string) => (known.has(id) ? {} : undefined),
    addLayer: record("addLayer", true),
    setPaintProperty: record("setPaintProperty"),
  };
  return { map: map as unknown as MapLibreMap, calls };
}

it("adds each layer once, below the one that it belongs below, and gives it the colours of each theme", () => {
  const { map, calls } = recorder();
  const layer = (colour: string): LayerSpecification => ({
    id: "way",
    type: "line",
    source: "ship",
    paint: { "line-color": colour },
  });
  paintLayers(map, [layer("black")], ({ type }) => `end of ${type}`);
  paintLayers(map, [layer("white")], ({ type }) => `end of ${type}`);
  expect(calls).toEqual([
    ["addLayer", "way", "end of line"],
    ["setPaintProperty", "way", "line-color", "black"],
    ["setPaintProperty", "way", "line-color", "white"],
  ]);
});

it("adds each image once, and draws it again in the colours of another theme", () => {
  const { map, calls } = recorder();
  const [day, night] = [{}, {}] as [ImageData, ImageData];
  setImages(map, [["ship", day]], 2);
  setImages(map, [["ship", night]], 2);
  expect(calls).toEqual([
    ["addImage", "ship", day, { pixelRatio: 2 }],
    ["updateImage", "ship", night],
  ]);
});
