import { expect, it } from "vitest";
import { bearingFrom, bearingTo } from "./vector.ts";

it.each([
  { u: 0, v: -5, from: 0, wind: "northerly" },
  { u: -5, v: 0, from: 90, wind: "easterly" },
  { u: 0, v: 5, from: 180, wind: "southerly" },
  { u: 5, v: 0, from: 270, wind: "westerly" },
  { u: 5, v: 5, from: 225, wind: "south-westerly" },
])("names a $wind by where it comes from", ({ u, v, from }) => {
  expect(bearingFrom(u, v)).toBeCloseTo(from, 10);
});

it("names a current by where it goes", () => {
  expect(bearingTo(1, 0)).toBe(90);
  expect(bearingTo(0, -1)).toBe(180);
});

it("has no direction in a calm, rather than a false north", () => {
  expect(bearingFrom(0, 0)).toBeNaN();
  expect(bearingFrom(Number.NaN, 1)).toBeNaN();
});
