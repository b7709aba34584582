import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { expect, it, vi } from "vitest";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { fakeMap } from "#test/map.ts";
import { coastOf } from "./basemap.ts";
import { basemapMapLayer } from "./basemap-map-layer.ts";
import type { LandScale } from "./fetch-land.ts";
import type { MapHost } from "./map-layer.ts";
import type { Outline } from "./outline.ts";
import type { Scene } from "./scene.ts";

it.each(["110m", "50m"])(
  "the coast of land-%s follows neither the antimeridian nor the pole",
  (resolution) => {
    const land = JSON.parse(readFileSync(`public/basemap/land-${resolution}.json`, "utf8")) as MultiPolygon;
    const { coordinates } = coastOf(land);
    // A single expectation covers all points: half a million of them would take as long as the test may.
    const wrong = coordinates.flatMap((line) =>
      line.filter(([x = 0, y = 0], index) => {
        const [lastX = x, lastY = y] = line[index - 1] ?? [];
        const follows = Math.abs(x) === 180 && Math.abs(lastX) === 180 && y !== lastY;
        return Math.abs(x - lastX) >= 180 || follows || Math.min(y, lastY) <= -90;
      }),
    );
    expect(wrong).toEqual([]);
    expect(coordinates.length).toBeGreaterThan(100);
    expect(Math.max(...coordinates.map((line) => line.length))).toBeLessThanOrEqual(2000);
  },
);

const loads = vi.hoisted(() => ({ outline: (_: LandScale): Promise<Outline> => Promise.reject() }));
vi.mock("./outline.ts", async (original) => ({
  ...(await original<typeof import("./outline.ts")>()),
  loadOutline: (scale: LandScale = "50m") => loads.outline(scale),
}));
const outlineOf = async (scale: LandScale): Promise<Outline> => ({ onLand: () => false, coast: scale });

/** The layer of a map at zoom 2, and its effect on the map after its loads have ended. */
function openLayer() {
  const shown = new Map<string, unknown>();
  const changed: string[] = [];
  const work: Promise<unknown>[] = [];
  const view = { zoom: 2 };
  const map = fakeMap({
    getSource: (id: string) => ({ setData: (data: unknown) => shown.set(id, data) }),
    getZoom: () => view.zoom,
    setLayoutProperty: (...change: string[]) => void changed.push(change.join(" ")),
    moveLayer: (...move: string[]) => void changed.push(move.join(" to ")),
  });
  const waitFor = (of: Promise<unknown>) => void work.push(of);
  const layer = basemapMapLayer({ map, firstField: Promise.resolve(), waitFor } as unknown as MapHost);
  return { shown, changed, view, layer, work };
}

it.each([
  ["stays afar", 2, outlineOf, "110m", undefined],
  ["comes nearer meanwhile", 5, outlineOf, "50m", "/basemap/land-50m.json"],
  [
    "comes nearer and the coarse coast fails",
    5,
    () => Promise.reject(new Error("no")),
    "50m",
    "/basemap/land-50m.json",
  ],
])("draws the coast that suits the zoom where the map %s", async (_, zoom, coarse, coast, land) => {
  const { shown, view, work } = openLayer();
  loads.outline = (scale) => {
    view.zoom = zoom;
    return scale === "50m" ? outlineOf(scale) : coarse(scale);
  };
  for (let done = 0; done < work.length; done++) await work[done]?.catch(() => undefined);
  expect([shown.get("coast"), shown.get("land")]).toEqual([coast, land]);
});

it("lies below the colours of what there is over land, veiled, and above those of the sea", async () => {
  loads.outline = outlineOf;
  const { layer, changed } = openLayer();
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
