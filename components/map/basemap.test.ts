import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { describe, expect, it, vi } from "vitest";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { coastOf } from "./basemap.ts";
import { basemapMapLayer } from "./basemap-map-layer.ts";
import type { LandScale } from "./fetch-land.ts";
import type { MapHost } from "./map-layer.ts";
import type { Outline } from "./outline.ts";
import type { Scene } from "./scene.ts";

describe.each(["110m", "50m"])("the coast of land-%s", (resolution) => {
  const file = new URL(`../../public/basemap/land-${resolution}.json`, import.meta.url);
  const coast = coastOf(JSON.parse(readFileSync(file, "utf8")) as MultiPolygon);

  it("never crosses the map, and does not follow the antimeridian or the pole", () => {
    // One expectation for all: half a million of them take as many seconds as the test has.
    const wrong = coast.coordinates.flatMap((line) =>
      line.filter(([x = 0, y = 0], index) => {
        const [lastX = x, lastY = y] = line[index - 1] ?? [];
        const follows = Math.abs(x) === 180 && Math.abs(lastX) === 180 && y !== lastY;
        return Math.abs(x - lastX) >= 180 || follows || Math.min(y, lastY) <= -90;
      }),
    );
    expect(wrong).toEqual([]);
    expect(coast.coordinates.length).toBeGreaterThan(100);
    expect(Math.max(...coast.coordinates.map((line) => line.length))).toBeLessThanOrEqual(2000);
  });
});

const loads = vi.hoisted(() => ({ outline: (_: LandScale): Promise<Outline> => Promise.reject() }));
vi.mock("./outline.ts", async (original) => ({
  ...(await original<typeof import("./outline.ts")>()),
  loadOutline: (scale: LandScale = "50m") => loads.outline(scale),
}));

/** A map at a zoom, what its sources were given, and the work that it waits for. */
function openAt(zoom: number) {
  const shown = new Map<string, unknown>();
  const view = { zoom };
  const veiled: string[] = [];
  const moved: string[][] = [];
  const work: Promise<unknown>[] = [];
  const map = {
    addSource: () => undefined,
    addLayer: () => undefined,
    getSource: (id: string) => ({ setData: (data: unknown) => shown.set(id, data) }),
    getZoom: () => view.zoom,
    on: () => undefined,
    off: () => undefined,
    setPaintProperty: () => undefined,
    setLayoutProperty: (...change: string[]) => void veiled.push(change.join(" ")),
    moveLayer: (id: string, before: string) => void moved.push([id, before]),
  };
  const firstField = Promise.resolve();
  const waitFor = (of: Promise<unknown>) => void work.push(of);
  const layer = basemapMapLayer({ map, firstField, waitFor } as unknown as MapHost);
  const settled = async () => {
    for (let done = 0; done < work.length; done++) await work[done]?.catch(() => undefined);
  };
  return { shown, view, settled, layer, moved, veiled };
}

const outlineOf = (scale: LandScale): Outline => ({ onLand: () => false, coast: `coast-${scale}` });

it("draws the coarse coast from afar", async () => {
  loads.outline = async (scale) => outlineOf(scale);
  const { shown, settled } = openAt(2);
  await settled();
  expect(shown).toEqual(new Map([["coast", "coast-110m"]]));
});

it.each([
  ["loads", async () => outlineOf("110m")],
  ["fails", () => Promise.reject(new Error("The outline of the land could not be read."))],
])("draws the fine one where the map comes nearer while the coarse one %s", async (_, coarse) => {
  const { shown, view, settled } = openAt(2);
  loads.outline = (scale) => {
    if (scale === "50m") return Promise.resolve(outlineOf(scale));
    view.zoom = 5;
    return coarse();
  };
  await settled();
  expect(shown.get("coast")).toBe("coast-50m");
  expect(shown.get("land")).toBe("/basemap/land-50m.json");
});

it("lies below the colours of what there is over land, veiled, and above those of the sea", async () => {
  loads.outline = async (scale) => outlineOf(scale);
  const { layer, moved, veiled, settled } = openAt(2);
  await settled();
  const scene = (variable: DrawnVariable, other?: DrawnVariable) =>
    ({ theme: "light", field: { variable }, compared: other && { field: { variable: other } } }) as Scene;
  const [wave, rain] = [scene("wave"), scene("rain")];
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
  layer.draw?.(wave, undefined);
  layer.draw?.(rain, wave);
  layer.draw?.(scene("temp"), rain);
  layer.draw?.(scene("rain", "wave"), rain);
  expect(moved).toEqual([
    ["land", "end-of-covered-land"],
    ["land", "borders"],
  ]);
  expect(veiled).toEqual(["veil visibility visible", "veil visibility none"]);
});
