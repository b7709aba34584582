import { expect, it } from "vitest";
import { forecastAge, oldForecasts } from "./forecast-age.ts";
import { de } from "./messages/generated/de.ts";
import { en } from "./messages/generated/en.ts";
import { HOUR_S } from "./time.ts";

const base = 1_800_000_000;
const gfs = { dataset: "Forecast", source: "gfs" };
const after = (hours: number, run: Parameters<typeof forecastAge>[0] = gfs, latest?: number) => {
  const age = forecastAge(run, base, base + hours * HOUR_S, latest);
  return age && [age.hours, age.isOld, age.isTooOld];
};

it("a forecast is old when one run is missing for six hours more, and too old twelve hours later", () => {
  expect(after(18.9)).toEqual([18, false, false]);
  expect(after(19)).toEqual([19, true, false]);
  expect(after(31)).toEqual([31, true, true]);
});

it.each([
  // Greatest age of each source's forecast, just before the next run arrives, and hours between runs.
  ["gfs", 11.7, 6],
  ["gfswave", 11.7, 6],
  ["ecmwf", 14, 6],
  // Only two of the four daily runs reach beyond a lead of 144 h.
  ["ecmwf", 20, 6],
  ["ecmwfwave", 20, 6],
  ["smoc", 38, 24],
  ["cmemswave", 25, 12],
  ["hycom", 60, 24],
  ["oisst", 72, 24],
  ["cmems", 36, 24],
  ["own", 36, 24],
])(
  "a forecast of %s is not old at %d h, as on every day, and is when two runs are missing",
  (source, age, every) => {
    const of = { dataset: "Forecast", source };
    expect(after(age, of)?.slice(1)).toEqual([false, false]);
    expect(after(age + 2 * every, of)?.[1]).toBe(true);
  },
);

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

it("a source of one's own is old by the rhythm that it states", () => {
  const own = { dataset: "Forecast", source: "own", rhythm: { every: 3, delay: 2 } };
  expect(after(11, own)).toEqual([11, false, false]);
  expect(after(12, own)).toEqual([12, true, false]);
  expect(after(24, own)).toEqual([24, true, true]);
});
