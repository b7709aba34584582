import { expect, it } from "vitest";
import { forecastAge, oldForecasts } from "./forecast-age.ts";
import { HOUR_S } from "./time.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";

const base = 1_800_000_000;
const gfs = { dataset: "Forecast", source: "gfs" };
const after = (hours: number, run: Parameters<typeof forecastAge>[0] = gfs, latest?: number) => {
  const age = forecastAge(run, base, base + hours * HOUR_S, latest);
  return age && [age.hours, age.isOld, age.isTooOld];
};

it("a forecast is old when two runs are missing, and too old when four are", () => {
  expect(after(12.9)).toEqual([12, false, false]);
  expect(after(13)).toEqual([13, true, false]);
  expect(after(25)).toEqual([25, true, true]);
});

it("a source of one run a day has a day more", () => {
  const smoc = { dataset: "Forecast", source: "smoc" };
  expect(after(36, smoc)).toEqual([36, false, false]);
  expect(after(37, smoc)).toEqual([37, true, false]);
  expect(after(49, smoc)).toEqual([49, true, true]);
});

it("what a run said of hours that are past does not age", () => {
  expect(after(96, gfs, base + 3 * HOUR_S)).toEqual([3, false, false]);
});

it("only forecasts age", () => {
  expect(after(900, { dataset: "Hindcast-3M", source: "gfs" })).toBeUndefined();
  expect(after(900, { ...gfs, condensed: true })).toBeUndefined();
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
