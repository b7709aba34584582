import { expect, it } from "vitest";
import { rhumbBetween, rhumbDestination } from "./rhumb.ts";
import { distanceKm } from "./sphere.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

it("has a constant course: due east stays on the parallel, where a great circle would leave it", () => {
  const there = rhumbDestination(at(60, 175), 90, 556);
  expect(there.latitude).toBeCloseTo(60, 9);
  expect(there.longitude).toBeCloseTo(-175, 1);
});

it("ends where a great circle ends over short distances", () => {
  for (let course = 0; course < 360; course += 30) {
    const there = rhumbDestination(at(40, 179.9), course, 20);
    expect(distanceKm(at(40, 179.9), there)).toBeCloseTo(20, 3);
  }
});

it("divides a leg in proportion, the shorter way around", () => {
  const middle = rhumbBetween(at(0, 170), at(0, -170), 0.75);
  expect(middle).toEqual(at(0, expect.closeTo(-175, 9)));
  const leg = [at(10, -30), at(40, -60)] as const;
  const third = rhumbBetween(...leg, 1 / 3);
  expect(third.latitude).toBeCloseTo(20, 9);
  expect(rhumbBetween(...leg, 1)).toEqual(at(expect.closeTo(40, 9), expect.closeTo(-60, 9)));
});

it.each([90, -90])("interpolates a leg that begins or ends at %d°", (pole) => {
  for (const course of [0, 45, 90, 180, 270]) {
    const there = rhumbDestination(at(pole, 30), course, 100);
    expect(distanceKm(at(pole, 30), there)).toBeLessThan(102);
  }
  for (const share of [0, 0.5, 1]) {
    expect(rhumbBetween(at(pole, 10), at(0, 20), share).latitude).toBeCloseTo(pole * (1 - share), 9);
    expect(rhumbBetween(at(0, 10), at(pole, 20), share).longitude).toBeCloseTo(
      [10, 10.94, 20][share * 2]!,
      1,
    );
  }
});
