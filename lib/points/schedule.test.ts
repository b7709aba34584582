import { expect, it } from "vitest";
import { readSpeed, scheduled } from "./schedule.ts";

it("arrives an hour later every sixty miles at sixty knots, also across 180°", () => {
  const points = [
    { latitude: 0, longitude: 179.5 },
    { latitude: 0, longitude: -179.5 },
    { latitude: 1, longitude: -179.5 },
  ];
  const times = scheduled(points, 1_000_000, 60).map(({ time }) => time);
  expect(times[0]).toBe(1_000_000);
  // A degree is 60.04 nautical miles on the mean sphere.
  expect(times[1]! - 1_000_000).toBeCloseTo(3602, -1);
  expect(times[2]! - 1_000_000).toBeCloseTo(7205, -1);
});

it("does not change the times of a list, and gives every point the departure time without a speed", () => {
  const at = (latitude: number) => ({ latitude, longitude: 0 });
  expect(scheduled([{ ...at(0), time: 5 }], 1_000_000, 10)).toEqual([{ ...at(0), time: 5 }]);
  expect(scheduled([at(0), at(9)], 7, 0).map(({ time }) => time)).toEqual([7, 7]);
});

it("leaves a point at its planned time, but not before it is there", () => {
  const points = [0, 1, 2].map((latitude) => ({ latitude, longitude: 0 }));
  const hoursAt = (left: number) =>
    scheduled(points, 0, 60, [Number.NaN, left]).map(({ time }) => Math.round(time / 3600));
  expect(hoursAt(10 * 3600)).toEqual([0, 1, 11]);
  expect(hoursAt(600)).toEqual([0, 1, 2]);
});

it("reads 0 and speeds that are not too low", () => {
  expect(["6", " 6,5 ", "0"].map(readSpeed)).toEqual([6, 6.5, 0]);
  for (const text of ["", "fast", "-6", "−6", "1e-10", "1e400"]) expect(readSpeed(text), text).toBeNaN();
});
