import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { acceptedTimes, datasetByAge, inForecastArchive, timeRule } from "./datasets.ts";

const now = parseInstant("2026-08-31T12:00:00Z");
const DAY = 86_400;

it.each([
  { age: -10 * DAY, dataset: "Forecast" },
  { age: 5 * DAY, dataset: "Forecast" },
  { age: 5 * DAY + 1, dataset: "Hindcast-3M" },
  { age: 90 * DAY, dataset: "Hindcast-3M" },
  { age: 90 * DAY + 1, dataset: "Hindcast-3Y" },
])("answers an age of $age s from $dataset", ({ age, dataset }) => {
  expect(datasetByAge(now - age, now)).toBe(dataset);
});

it("keeps the forecast archive for six calendar months, the end included", () => {
  const end = parseInstant("2026-02-28T12:00:00Z");
  expect(inForecastArchive(end, now)).toBe(true);
  expect(inForecastArchive(end - 1, now)).toBe(false);
});

it("says what is wrong with other times, both ends included", () => {
  const rule = timeRule(now);
  const { first, last } = acceptedTimes(now);
  expect([first, last].map(rule)).toEqual([undefined, undefined]);
  const wrong =
    "Input should be from 2023-08-31T12:00:00Z (3 years back) to 2026-09-10T12:00:00Z (10 days ahead)";
  expect([first - 1, last + 1].map(rule)).toEqual([wrong, wrong]);
});
