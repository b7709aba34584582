import { readFileSync } from "node:fs";
import type { FeatureCollection, Point } from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import { expect, it, vi } from "vitest";
import { type GazetteerFile, placesOfFile } from "#lib/places/gazetteer.ts";
import { fakeMap } from "#test/map.ts";
import type { MapHost } from "./map-layer.ts";
import { namesMapLayer } from "./names-map-layer.ts";
import { nearNames } from "./near-names.ts";
import type { Scene } from "./scene.ts";

const text = (name: string) => readFileSync(`public/basemap/${name}`, "utf8");
const places = placesOfFile(JSON.parse(text("places.json")) as GazetteerFile);
const { features } = nearNames(places);

it.each([
  ["Brittany", ["Camaret-sur-Mer", "Concarneau", "Douarnenez", "Le Conquet", "Roscoff"]],
  ["Cornwall", ["Falmouth", "Fowey", "Newlyn", "Padstow", "Penzance"]],
  ["Lofoten", ["Leknes", "Svolvær"]],
  ["Norway and Sweden, with their letters", ["Ålesund", "Bodø", "Göteborg", "Tønsberg"]],
])("names the harbour towns of %s at zoom 9", (_, towns) => {
  const shown = features.filter(({ properties }) => properties?.z <= 9).map((one) => one.properties?.name);
  expect(shown).toEqual(expect.arrayContaining(towns));
});

it("names the great ports, capes and waters of a coast from zoom 6 and 7 on", () => {
  const shown = (zoom: number) =>
    features.filter(({ properties }) => properties?.z <= zoom).map((one) => one.properties?.name);
  expect(shown(6)).toEqual(expect.arrayContaining(["Channel Islands", "Rabat"]));
  expect(shown(7)).toEqual(expect.arrayContaining(["Lorient", "Pointe du Raz", "Iroise Sea"]));
  expect(shown(6).length).toBeLessThan(600);
});

it("names the larger countries and the great ports on the opening, at zoom 3.5", () => {
  const { features: own } = JSON.parse(text("names-en.json")) as FeatureCollection<Point>;
  const shown = own.filter(({ properties }) => properties?.z <= 3.5).map((one) => one.properties?.name);
  expect(shown).toEqual(expect.arrayContaining(["France", "Spain", "United Kingdom", "Brest", "Lisbon"]));
});

it("names the towns of a coast with few of them from zoom 8 on", () => {
  const shown = features.filter(({ properties }) => properties?.z <= 8).map((one) => one.properties?.name);
  expect(shown).toEqual(expect.arrayContaining(["Ancud", "Castro", "Chaitén", "Quellón"]));
});

it("repeats no port and no cape that the map names at every zoom", () => {
  const own = (JSON.parse(text("names-en.json")) as FeatureCollection<Point>).features;
  const keyOf = ({ properties, geometry }: (typeof own)[number]) =>
    `${properties?.name} ${geometry.coordinates}`;
  const points = own.filter(({ properties }) => ["port", "cape"].includes(properties?.kind));
  const keys = new Set(features.map(keyOf));
  const twice = points.filter((one) => keys.has(keyOf(one)));
  // The island has the name and the place of its port; the map draws one of two names at a place.
  expect(twice.map(({ properties }) => properties?.name)).toEqual(["Bermuda"]);
});

it("reads the gazetteer once, when the map with its names comes near, and again only if that failed", async () => {
  const reply = vi.fn(async () => new Response(text("places.json")));
  reply.mockRejectedValueOnce(new Error("offline"));
  vi.stubGlobal("fetch", reply);
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
  let zoom = 5.9;
  const listeners: (() => void)[] = [];
  const works: Promise<unknown>[] = [];
  const added: LayerSpecification[] = [];
  const setData = vi.fn();
  const pen = new Proxy({}, { get: () => () => undefined, set: () => true });
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => pen }) });
  const map = fakeMap({
    addSource: () => undefined,
    getSource: () => ({ setData }),
    getLayer: () => undefined,
    addLayer: (layer: LayerSpecification) => void added.push(layer),
    setLayoutProperty: () => undefined,
    getZoom: () => zoom,
    on: (_: string, listener: () => void) => listeners.push(listener),
  });
  const host = { map, words: { language: "en" }, waitFor: (work: Promise<unknown>) => works.push(work) };
  const layer = namesMapLayer(host as unknown as MapHost);
  const calls: number[] = [];
  const at = async (nextZoom: number) => {
    zoom = nextZoom;
    for (const listener of listeners) listener();
    await Promise.allSettled(works);
    calls.push(reply.mock.calls.length);
  };
  layer.draw?.({ theme: "light", overlays: [] } as unknown as Scene, undefined);
  await at(6);
  // The map places the names of the uppermost layer first.
  const ids = added.map(({ id }) => id);
  expect(ids.indexOf("names-town")).toBeLessThan(ids.indexOf("names-port"));
  // A name moves to where it has room, and the dot at its place does not.
  for (const { id, layout } of added) {
    const isPoint = ["names-port", "names-cape", "names-town"].includes(id);
    expect(layout).toMatchObject({ "text-field": ["get", "name"] });
    expect(Object.keys(layout ?? {}).filter((key) => key.startsWith("icon-"))).toEqual(
      isPoint ? ["icon-image", "icon-allow-overlap"] : [],
    );
  }
  layer.draw?.({ theme: "light", overlays: ["names"] } as unknown as Scene, undefined);
  await at(5);
  for (const nextZoom of [6, 6, 5, 9]) await at(nextZoom);
  expect(calls).toEqual([0, 1, 2, 2, 2, 2]);
  expect(setData).toHaveBeenCalledTimes(1);
});
