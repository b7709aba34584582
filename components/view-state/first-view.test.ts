import { expect, it } from "vitest";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { initialPlace, namesPlace } from "./first-view.ts";

it("opens at sea near the longitude of the device's time zone, in each", () => {
  const { line } = knownCoast();
  for (let offset = -720; offset <= 840; offset += 30) {
    const place = initialPlace(offset);
    expect(line.isLand(place), `${place.latitude}, ${place.longitude}`).toBe(false);
  }
  expect([300, 720].map((offset) => initialPlace(offset).longitude)).toEqual([-72, -175]);
});

it.each([
  ["?c=1,2", true],
  ["?p=1,2&l=wave", true],
  ["?plan=BF", true],
  ["?l=wave&th=night", false],
])("leaves the position of a link alone: %s, %s", (search, names) => {
  expect(namesPlace(search)).toBe(names);
});
