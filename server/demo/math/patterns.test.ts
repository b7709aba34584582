import { expect, it } from "vitest";
import { HOURS_OF_FORECAST, memoByTime } from "./patterns.ts";

it("the systems of an hour are found once, however many fields are read through all hours of a forecast", () => {
  const found: number[] = [];
  const systems = memoByTime((_seed, time) => {
    found.push(time);
    return { time };
  }, HOURS_OF_FORECAST);
  const hours = Array.from({ length: 265 }, (_, hour) => hour * 3600);
  for (const field of ["wind", "rain", "waves"])
    for (const time of hours) expect({ field, ...systems(1, time) }).toEqual({ field, time });
  expect(found).toEqual(hours);
});
