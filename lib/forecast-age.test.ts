import { expect, it } from "vitest";
import { forecastAge, oldForecasts } from "./forecast-age.ts";
import { de } from "./messages/generated/de.ts";
import { en } from "./messages/generated/en.ts";
import { HOUR_S } from "./time.ts";

const base = 1_800_000_000;
const sixHourly = { dataset: "Forecast", rhythm: { every: 6, delay: 6 } };
const after = (hours: number, run: Parameters<typeof forecastAge>[0] = sixHourly, latest?: number) => {
  const age = forecastAge(run, base, base + hours * HOUR_S, latest);
  return age && [age.hours, age.isOld, age.isTooOld];
};

it("a forecast is old when one run is missing for six hours more, and too old twelve hours later", () => {
  expect(after(18.9)).toEqual([18, false, false]);
  expect(after(19)).toEqual([19, true, false]);
  expect(after(31)).toEqual([31, true, true]);
});

it("a forecast whose rhythm is not known is not old at 36 h, and is when two more days are missing", () => {
  expect(after(36, { dataset: "Forecast" })).toEqual([36, false, false]);
  expect(after(84, { dataset: "Forecast" })?.[1]).toBe(true);
});

it("what a run said of hours that are past does not age", () => {
  expect(after(96, sixHourly, base + 3 * HOUR_S)).toEqual([3, false, false]);
});

it("only forecasts age", () => {
  expect(after(900, { ...sixHourly, dataset: "Hindcast-3M" })).toBeUndefined();
  expect(after(900, { ...sixHourly, condensed: true })).toBeUndefined();
});

it("each old run of an answer is told once, in the language of the reader", () => {
  const old = {
    notice: "Forecast is 36 h old (GFS 0.25°, 12Z).",
    age_s: 36.4 * HOUR_S,
    model: "GFS 0.25°",
    reference_time: "2026-09-14T12:00:00Z",
  };
  const fresh = { ...old, notice: undefined, model: "SMOC", age_s: HOUR_S };
  expect(oldForecasts([old, old, fresh], en)).toEqual([old.notice]);
  expect(oldForecasts([old], de)).toEqual(["Die Vorhersage ist 36 h alt (GFS 0.25°, 12Z)."]);
});

it("a forecast is old by the rhythm of its source", () => {
  const own = { dataset: "Forecast", rhythm: { every: 3, delay: 2 } };
  expect(after(11, own)).toEqual([11, false, false]);
  expect(after(12, own)).toEqual([12, true, false]);
  expect(after(24, own)).toEqual([24, true, true]);
});
