import { expect, it, vi } from "vitest";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { fakeMap } from "#test/map.ts";
import { basemapMapLayer } from "./basemap-map-layer.ts";
import type { MapHost } from "./map-layer.ts";
import type { Scene } from "./scene.ts";

it("lies below the colours of what there is over land, veiled, and above those of the sea", () => {
  const changed: string[] = [];
  const map = fakeMap({
    addSource: () => undefined,
    setLayoutProperty: (...change: string[]) => void changed.push(change.join(" ")),
    moveLayer: (...move: string[]) => void changed.push(move.join(" to ")),
  });
  const firstField = new Promise<void>(() => undefined);
  const layer = basemapMapLayer({ map, firstField, waitFor: () => undefined } as unknown as MapHost);
  const scene = (variable: DrawnVariable, other?: DrawnVariable) =>
    ({ theme: "light", field: { variable }, compared: other && { field: { variable: other } } }) as Scene;
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
  const scenes = [scene("wave"), scene("rain"), scene("temp"), scene("rain", "wave")];
  for (const [index, one] of scenes.entries()) layer.draw?.(one, scenes[index - 1]);
  expect(changed).toEqual([
    "land to end-of-covered-land",
    "veil visibility visible",
    "land to borders",
    "veil visibility none",
  ]);
});
