import { expect, it } from "vitest";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { nearestWithValues, placesAround, SEARCH_MILES } from "./nearest-sea.ts";

const here = { latitude: 50.2, longitude: 179.9 };

it("looks around in all directions, the nearest first, across 180° too, and in one request", () => {
  const places = placesAround(here);
  const miles = places.map((place) => distanceKm(here, place) / MILE_KM);
  expect(places.length).toBeLessThanOrEqual(10_000);
  expect(Math.min(...miles)).toBeLessThan(2.1);
  expect(Math.max(...miles)).toBeCloseTo(SEARCH_MILES, 0);
  for (let index = 1; index < miles.length; index++)
    expect(miles[index]).toBeGreaterThan(miles[index - 1]! - 0.02);
  for (const { longitude } of places) expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
});

it("takes the nearest place with all values, else with any, and tells how far and where it is", () => {
  const places = [
    { latitude: 50.2, longitude: 179.8 },
    { latitude: 50.2, longitude: -179.9 },
  ];
  const wave = { Waves_Significant_Height: 2, Currents_Intensity: null };
  const both = { Waves_Significant_Height: 2, Currents_Intensity: 0.5 };
  const none = { Waves_Significant_Height: null, Currents_Intensity: null };
  const find = (...conditions: Record<string, number | null>[]) =>
    nearestWithValues(here, places, conditions, ["wave", "current"]);
  expect(find(wave, both)?.place).toBe(places[1]);
  expect(find(wave, none)?.place).toBe(places[0]);
  expect(find(none, none)).toBeUndefined();
  expect(find(none, both)).toMatchObject({
    bearing: expect.closeTo(90, 0),
    km: expect.closeTo(0.2 * 60 * MILE_KM * Math.cos((50.2 * Math.PI) / 180), 0),
  });
});
