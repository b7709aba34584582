import type { LayerSpecification } from "maplibre-gl";
import { expect, it } from "vitest";
import { fakeMap } from "#test/map.ts";
import { paintLayers, setImages } from "./paint-map.ts";

it("adds each layer and image once, below what it belongs below, and gives it the colours of each theme", () => {
  const calls: unknown[][] = [];
  const known = new Set<string>();
  const map = fakeMap({
    hasImage: (name: string) => known.has(name),
    addImage: (name: string, ...rest: unknown[]) =>
      void calls.push(["addImage", known.add(name) && name, ...rest]),
    updateImage: (...image: unknown[]) => void calls.push(["updateImage", ...image]),
    getLayer: (id: string) => known.has(id) || undefined,
    addLayer: ({ id }: LayerSpecification, before: string) =>
      void calls.push(["addLayer", known.add(id) && id, before]),
    setPaintProperty: (...paint: unknown[]) => void calls.push(["paint", ...paint]),
  });
  const [day, night] = [{}, {}] as [ImageData, ImageData];
  for (const [colour, image] of [
    ["black", day],
    ["white", night],
  ] as const) {
    const way: LayerSpecification = {
      id: "way",
      type: "line",
      source: "ship",
      paint: { "line-color": colour },
    };
    paintLayers(map, [way], ({ type }) => `end of ${type}`);
    setImages(map, [["ship", image]], 2);
  }
  expect(calls).toEqual([
    ["addLayer", "way", "end of line"],
    ["paint", "way", "line-color", "black"],
    ["addImage", "ship", day, { pixelRatio: 2 }],
    ["paint", "way", "line-color", "white"],
    ["updateImage", "ship", night],
  ]);
});
