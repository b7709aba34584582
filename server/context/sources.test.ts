import { expect, it } from "vitest";
import { forecastAge } from "#lib/forecast-age.ts";
import { HOUR_S } from "#lib/time.ts";
import { readEnv } from "#server/platform/env.ts";
import { knownSources, sourceChecks } from "./sources.ts";

const { about } = knownSources({});

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
  ["ecmwfaifs", 13.4, 6],
  ["ecmwfaifswave", 13.4, 6],
  ["ukmo", 13, 6],
  ["arpege", 11, 6],
  ["dwdgwam", 21, 12],
  ["hycom", 60, 24],
  ["oisst", 72, 24],
  ["cmems", 36, 24],
])(
  "a forecast of %s is not old at %d h, as on every day, and is when two runs are missing",
  (source, age, every) => {
    const run = { dataset: "Forecast", ...about.get(source) };
    const at = (hours: number) => forecastAge(run, 0, hours * HOUR_S);
    expect(at(age)).toMatchObject({ isOld: false, isTooOld: false });
    expect(at(age + 2 * every)).toMatchObject({ isOld: true });
  },
);

it("completes an order of sources that a setting gives by the default one", () => {
  const { sourceOrder } = readEnv({ SOURCES_WIND: "ecmwf", SOURCES_CURRENT: "hycom, smoc" });
  const { order } = knownSources(sourceOrder);
  expect(order.wind.slice(0, 3)).toEqual(["ecmwf", "gfs", "cmems"]);
  expect(order.current).toEqual(["hycom", "smoc", "cmems"]);
  expect(order.rain.slice(0, 2)).toEqual(["gfs", "ecmwf"]);
});

it.each(["oisst", "gfs,gfs", "gfs,,ecmwf", "gsf"])(
  "refuses the order of sources %s for the wind",
  (order) => {
    expect(() => readEnv({ SOURCES_WIND: order }, sourceChecks)).toThrow(
      /SOURCES_WIND: names among gfs, ecmwf, cmems, .*best first, such as "ecmwf,gfs"/,
    );
  },
);
