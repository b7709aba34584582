import { expect, it } from "vitest";
import { edgeDistance } from "./ring.ts";
import { DEGREE_KM, destination, distanceKm, toArc } from "./sphere.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const square = [at(-1, 179), at(-1, -179), at(1, -179), at(1, 179), at(-1, 179)];

it("measures to the nearest edge or corner, from inside and outside, across 180°", () => {
  const distance = edgeDistance(square);
  expect(distance(at(0, 180))).toBeCloseTo(DEGREE_KM, 3);
  expect(distance(at(0, 176))).toBeCloseTo(3 * DEGREE_KM, 3);
  expect(distance(at(0, -174))).toBeCloseTo(5 * DEGREE_KM, 3);
  expect(distance(at(3, -176))).toBeCloseTo(distanceKm(at(3, -176), at(1, -179)), 6);
  expect(distance(at(1, 179))).toBeCloseTo(0, 6);
});

it("is the least of the distances to the arcs", () => {
  const ring = Array.from({ length: 13 }, (_, index) => destination(at(-35, 20), -30 * index, 400));
  const distance = edgeDistance(ring);
  for (let bearing = 5; bearing < 360; bearing += 37) {
    for (const km of [50, 390, 900, 5000]) {
      const place = destination(at(-35, 20), bearing, km);
      const least = Math.min(...ring.slice(1).map((to, index) => toArc(place, ring[index]!, to).km));
      expect(distance(place)).toBeCloseTo(least, 6);
    }
  }
});
