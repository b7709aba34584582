import { expect, it } from "vitest";
import { planWind } from "./wind-profile.ts";

it("uses a stored height without interpolation", () => {
  expect(planWind(80, [10, 80, 100])).toEqual({ method: "level", height: 80 });
});

it("is linear in the logarithm of height between stored heights", () => {
  expect(planWind(Math.sqrt(10 * 100), [10, 100])).toEqual({
    method: "between",
    lower: 10,
    upper: 100,
    upperShare: expect.closeTo(0.5, 12),
  });
});

it("follows the power law above the highest stored height", () => {
  expect(planWind(100, [10])).toEqual({
    method: "power_law",
    height: 10,
    factor: expect.closeTo(10 ** 0.11, 12),
  });
  expect(planWind(100, [10, 50])).toMatchObject({ method: "power_law", height: 50 });
});
