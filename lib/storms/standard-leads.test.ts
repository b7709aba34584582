import { expect, it } from "vitest";
import { BASE } from "#test/storms.ts";
import { errorsByStandardLead, type ForecastError } from "./forecast-error.ts";

const HOUR = 3600;
const place = { latitude: 20, longitude: 180 };

/** A forecast that was `miles` wrong. @param issued Hours after the base time. */
const errorOf = (issued: number, fhr: number, miles: number): ForecastError => ({
  issuedAt: BASE + issued * HOUR,
  fhr,
  time: BASE + (issued + fhr) * HOUR,
  forecast: place,
  observed: place,
  miles,
  alongMiles: miles,
  crossMiles: 0,
  windKt: -5,
});

it("counts leads of 45, 69, 93 and 117 h under 48, 72, 96 and 120 h, and states them", () => {
  const { summaries } = errorsByStandardLead([45, 69, 93, 117].map((fhr) => errorOf(3, fhr, fhr)));
  expect(summaries.map(({ fhr, leads, count, meanMiles }) => [fhr, leads, count, meanMiles])).toEqual([
    [48, [45, 45], 1, 45],
    [72, [69, 69], 1, 69],
    [96, [93, 93], 1, 93],
    [120, [117, 117], 1, 117],
  ]);
});

it("counts a forecast that is issued again three hours later once, with its standard lead", () => {
  const { summaries } = errorsByStandardLead([
    errorOf(3, 45, 70),
    errorOf(0, 48, 80),
    errorOf(6, 48, 40),
    errorOf(9, 45, 10),
  ]);
  expect(summaries).toMatchObject([{ fhr: 48, leads: [48, 48], count: 2, meanMiles: 60 }]);
});

it("keeps forecasts of other valid times with an odd lead", () => {
  const { summaries } = errorsByStandardLead([errorOf(0, 48, 80), errorOf(9, 45, 20)]);
  expect(summaries).toMatchObject([{ fhr: 48, leads: [45, 48], count: 2, meanMiles: 50 }]);
});

it("leaves out leads between the standard ones and counts them; the analysis is no forecast", () => {
  const errors = [0, 1, 6, 8, 9, 15, 18, 21, 30, 84].map((fhr) => errorOf(0, fhr, 10));
  const { summaries, uncounted } = errorsByStandardLead(errors);
  expect(summaries.map(({ fhr, leads }) => [fhr, leads])).toEqual([
    [12, [9, 15]],
    [24, [21, 21]],
  ]);
  // 1, 6, 8, 18, 30 and 84 h.
  expect(uncounted).toBe(6);
  expect(errorsByStandardLead([])).toEqual({ summaries: [], uncounted: 0 });
});
