import { expect, it } from "vitest";
import { destination, distanceKm, finalBearing, initialBearing, toArc } from "./sphere.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const quarter = (Math.PI / 2) * 6371;

it("measures a quarter of the globe to the pole and along the equator, also across 180°", () => {
  expect(distanceKm(at(0, 40), at(90, 0))).toBeCloseTo(quarter, 6);
  expect(distanceKm(at(0, 135), at(0, -135))).toBeCloseTo(quarter, 6);
  expect(distanceKm(at(20, 130), at(20, 130))).toBe(0);
});

it("destination is the inverse of distance and bearing", () => {
  for (const [from, to] of [
    [at(20, 179), at(35, -150)],
    [at(-50, 10), at(40, 60)],
    [at(60, -170), at(62, 170)],
  ] as const) {
    const found = destination(from, initialBearing(from, to), distanceKm(from, to));
    expect(distanceKm(found, to)).toBeLessThan(1e-6);
  }
});

it("gives the initial and the final bearing of a great circle", () => {
  expect(initialBearing(at(0, 0), at(10, 0))).toBeCloseTo(0, 9);
  expect(initialBearing(at(0, 0), at(0, -10))).toBeCloseTo(270, 9);
  expect(initialBearing(at(60, 0), at(60, 10))).toBeCloseTo(85.67, 2);
  expect(finalBearing(at(60, 0), at(60, 10))).toBeCloseTo(94.33, 2);
});

it("finds the nearest point of an arc, within it or at its ends", () => {
  expect(toArc(at(1, 5), at(0, 0), at(0, 10))).toEqual({
    km: expect.closeTo(111.19, 2),
    share: expect.closeTo(0.5, 6),
  });
  expect(toArc(at(0, -1), at(0, 0), at(0, 10)).share).toBe(0);
  expect(toArc(at(0, 11), at(0, 0), at(0, 10))).toEqual({ km: expect.closeTo(111.19, 2), share: 1 });
  expect(toArc(at(0, -170), at(0, 170), at(0, 180)).km).toBeCloseTo(10 * 111.195, 1);
});
