import { expect, it } from "vitest";
import { tidesNowQuery } from "#components/api-client/tide-queries.ts";
import type { TidesNow } from "#lib/contract/tides.ts";
import { en } from "#lib/messages/generated/en.ts";
import { parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { quantisedBox, useTideStations } from "./tide-scene.ts";
import { tideShapes } from "./tides-map-layer.ts";

const stations: TidesNow = {
  at: "2026-09-14T07:00:00Z",
  tides: {
    id: ["a", "b", "c"],
    name: ["Brest", "Low", "Baltic"],
    latitude: [48, 0, 0],
    longitude: [-4, 0, 0],
    height_m: [6.58, -0.21, 0.04],
    trend: [1, -1, 0],
  },
  streams: {
    id: ["d", "e"],
    name: ["Narrows", "Pool"],
    latitude: [0, 0],
    longitude: [0, 0],
    speed_kt: [4, 0.05],
    direction: [90, 270],
  },
  total: 5,
  attribution: [],
};
const shapes = (units = defaultUnits) =>
  tideShapes({ stations, units, words: en }).features.map(({ properties }) => properties);

it("marks a tide as rising, falling or hardly any, with its height in the unit that is chosen", () => {
  expect(shapes().slice(0, 3)).toMatchObject([
    { id: "a", icon: "tide-rising", label: "6.6", name: "Brest\n6.6 m", order: 0 },
    { id: "b", icon: "tide-falling", label: "−0.2", order: 1 },
    { id: "c", icon: "tide-none", label: "0.0" },
  ]);
  expect(shapes({ ...defaultUnits, length: "ft" })[0]).toMatchObject({ label: "21.6" });
});

it("turns the arrow of a stream to where it goes, longer the faster; slack water has none", () => {
  const [fast, slack] = shapes().slice(3);
  expect(fast).toMatchObject({ icon: "stream-44", direction: 90, name: "Narrows\n4.0 kn" });
  expect(slack).toMatchObject({ icon: "stream-0" });
});

it("asks for the same box while the map moves a little, around the view also across 180°", () => {
  const view = { west: -10, south: 46, east: 2, north: 51 };
  const moved = { west: -9.5, south: 46.2, east: 2.5, north: 51.2 };
  expect(quantisedBox(view, 6)).toBe("-11.25,45,5.625,53.438");
  expect(quantisedBox(moved, 6.4)).toBe(quantisedBox(view, 6));
  expect(quantisedBox({ west: 178, south: -20, east: 184, north: -15 }, 6)).toBe(
    "174.375,-22.5,-174.375,-14.063",
  );
});

it("on a metered link asks for no time that is only passed", () => {
  const time = parseInstant(stations.at);
  const box = { west: -10, south: 46, east: 2, north: 51 };
  const cache = filledCache(tidesNowQuery(TEST_KEY, quantisedBox(box, 6), time), stations);
  function Total({ isPlaying, isLight }: { isPlaying: boolean; isLight: boolean }) {
    return useTideStations({ apiKey: TEST_KEY, box, zoom: 6, time, isPlaying, isLight })?.total ?? "none";
  }
  const total = (isPlaying: boolean, isLight: boolean) =>
    renderInPage(<Total isPlaying={isPlaying} isLight={isLight} />, { cache });
  expect([total(true, false), total(false, true), total(true, true)]).toEqual(["5", "5", "none"]);
});
