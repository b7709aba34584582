import { expect, it } from "vitest";
import { faultsByFeed } from "./fault-schedule.ts";

it.each([
  ["/noaa-gefs-pds/gefs.20260901/00/wave/gridded/gefs.wave.t00z.p07.global.0p25.f006.grib2", "gefswave"],
  ["/data.ecmwf.int/forecasts/20260901/00z/ifs/0p25/enfo/20260901000000-6h-enfo-ef.grib2", "ecmwfens"],
  ["/data.ecmwf.int/forecasts/20260901/00z/ifs/0p25/waef/20260901000000-6h-waef-ef.grib2", "ecmwfenswave"],
  [
    "/data.ecmwf.int/forecasts/20260901/00z/aifs-ens/0p25/enfo/20260901000000-6h-enfo-pf.grib2",
    "ecmwfaifsens",
  ],
])("a spoiled answer counts for statistics as for members: %s", (url, source) => {
  const names = [`${source}-members`, `${source}-statistics`];
  expect([...faultsByFeed([{ url, faults: ["cut"] }]).keys()].sort()).toEqual(names);
});

it("a spoiled deterministic forecast of ECMWF is one of its ensemble's control too", () => {
  const url = "/data.ecmwf.int/forecasts/20260901/00z/ifs/0p25/oper/20260901000000-6h-oper-fc.grib2";
  expect([...faultsByFeed([{ url, faults: ["cut"] }]).keys()].sort()).toEqual([
    "ecmwf",
    "ecmwfens-members",
    "ecmwfens-statistics",
  ]);
});
