import { distanceKm, type Place } from "@open-metocean/geo/sphere";
import { expect, it } from "vitest";
import { AROUND_KM, NEAR_KM } from "#lib/tides/limits.ts";
import { Catalog, idOf } from "./catalog.ts";
import { nearestStation, stationsNear } from "./near.ts";

const catalog = new Catalog(false);
const tides = catalog.within("tide");
const streams = catalog.within("stream");
const at = (latitude: number, longitude: number): Place => ({ latitude, longitude });

it.each([
  ["the head of Fundy, for which Port Elgin is 12 miles away over land", at(45.83, -64.35), "Port Elgin"],
  ["Turnagain Arm, with Whittier behind a pass", at(60.85, -149), "Whittier"],
])("no station answers for %s, and the nearest one is named with its side", (_, place, name) => {
  const choose = () => nearestStation(tides, place, NEAR_KM);
  expect(choose).toThrow(/no tide station within 40 km of this place by water/);
  expect(choose).toThrow(
    new RegExp(`${name} \\(.*?\\), \\d+ km away towards \\d{3}°, on the other side of land`),
  );
});

it.each([
  ["Manukau Harbour", at(-36.96, 174.75), "manukau-mnkt", "auckland"],
  ["Chesil Beach", at(50.57, -2.48), "west_bay", "weymouth"],
  ["the middle of Chesil Beach", at(50.64, -2.6), "west_bay", "weymouth"],
])("the tide of %s is that of its own water", (_, place, own, across) => {
  const { station, waterKm } = nearestStation(tides, place, NEAR_KM);
  expect(idOf(station)).toContain(own);
  expect(waterKm).toBeLessThan(NEAR_KM);
  const nearer = tides.filter((one) => distanceKm(place, one) < distanceKm(place, station));
  expect(nearer.some((one) => idOf(one).includes(across))).toBe(true);
});

it("the stream of Hood Canal is not that of Puget Sound, which is nearer over land", () => {
  const belfair = at(47.41, -122.87);
  expect(() => nearestStation(streams, belfair, NEAR_KM)).toThrow(
    /Pickering Passage .* on the other side of land/,
  );
  for (const reach of [AROUND_KM, 500])
    expect(nearestStation(streams, belfair, reach).station.name).toBe("Hazel Point");
});

it("searches no more ways than needed, and finds the same stations", () => {
  for (let number = 0; number < tides.length; number += 500) {
    const place = at(tides[number]!.latitude + 0.05, tides[number]!.longitude - 0.05);
    const named = (count: number) =>
      stationsNear(tides, place, NEAR_KM, count)
        .slice(0, 3)
        .filter(({ waterKm }) => waterKm !== null)
        .map(({ station }) => idOf(station));
    expect(named(1)[0]).toBe(named(tides.length)[0]);
    expect(named(3)).toEqual(named(tides.length));
  }
});

it("lists stations near by water first, then the others, each by distance and once", () => {
  const place = at(-36.96, 174.75);
  const all = stationsNear(tides, place, AROUND_KM, tides.length);
  expect(new Set(all.map(({ station }) => station)).size).toBe(tides.length);
  const first = all.findIndex(({ waterKm }) => waterKm === null);
  expect(all.slice(first).every(({ waterKm }) => waterKm === null)).toBe(true);
  const distances = all.slice(first).map(({ km }) => km);
  expect(distances).toEqual(distances.toSorted((one, other) => one - other));
  expect(all.slice(first, first + 2).map(({ station }) => station.name)).toEqual(["Auckland", "Auckland"]);
});
