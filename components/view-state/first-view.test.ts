import { expect, it } from "vitest";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { initialPlace, linkedSight, namesPlace, openingPlace } from "./first-view.ts";
import type { Place } from "./view-url.ts";

it("takes a visitor for one at sea near the longitude of the time zone, in each, north or south by its name", () => {
  const { line } = knownCoast();
  for (const zone of ["Europe/Paris", "Australia/Sydney"]) {
    for (let offset = -720; offset <= 840; offset += 30) {
      const place = initialPlace(offset, zone);
      expect(line.isLand(place), `${zone} ${place.latitude}, ${place.longitude}`).toBe(false);
      const far = Math.abs(((place.longitude + offset / 4 + 540) % 360) - 180);
      expect(far, `${zone} ${offset}`).toBeLessThanOrEqual(15);
    }
  }
  const latitude = (offset: number, zone: string) => initialPlace(offset, zone).latitude;
  expect(initialPlace(300, "America/New_York").longitude).toBe(-72);
  expect(latitude(-120, "Africa/Johannesburg")).toBeLessThan(-30);
  expect(latitude(-120, "Africa/Cairo")).toBeGreaterThan(30);
  expect(latitude(-120, "Europe/Athens")).toBeGreaterThan(30);
  expect(latitude(180, "America/Sao_Paulo")).toBeLessThan(-20);
  expect(latitude(600, "Pacific/Honolulu")).toBeGreaterThan(20);
  expect(latitude(0, "")).toBeGreaterThan(30);
});

const home = { latitude: 47, longitude: -8 };

it.each([
  [
    "a gale before a stronger breeze nearby",
    [
      [48, -10, 33],
      [60, -40, 35],
    ],
    [60, -40],
  ],
  [
    "the nearer of two gales",
    [
      [48, -12, 40],
      [25, -45, 41],
    ],
    [48, -12],
  ],
  [
    "a hurricane before a gale nearby",
    [
      [48, -12, 36],
      [25, -45, 90],
    ],
    [25, -45],
  ],
  [
    "nothing farther than 3,000 n mi",
    [
      [-47, 172, 60],
      [40, -20, 12],
    ],
    [40, -20],
  ],
  ["across the antimeridian", [[47, -179, 50]], [47, -179], { latitude: 45, longitude: 170 }],
  ["the visitor's place where no wind is known", [], [47, -8]],
] as const)("opens on %s", (_, winds, [latitude, longitude], from: Place = home) => {
  expect(openingPlace(from, winds)).toEqual({ latitude, longitude });
});

it.each([
  ["?c=1,2", true],
  ["?p=1,2&l=wave", true],
  ["?plan=BF", true],
  ["?storm=AL222026", true],
  ["?tide=noaa:8443970", true],
  ["?l=wave&th=night", false],
])("leaves the position of a link alone: %s, %s", (search, names) => {
  expect(namesPlace(search)).toBe(names);
});

it.each([
  ["?storm=AL222026", "storm"],
  ["?storm=AL222026&tide=noaa:8443970", "tide"],
  ["?storm=AL222026&c=1,2", undefined],
  ["?l=wave", undefined],
])("goes to what a link without a position shows: %s, %s", (search, sight) => {
  expect(linkedSight(search)).toBe(sight);
});
