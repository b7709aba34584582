import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openNetcdfRecords } from "#server/ingest/netcdf-file.ts";
import { describeWithSamples } from "#test/samples.ts";
import { CfFile, readTimeUnits } from "./cf.ts";
import type { Attributes, NetcdfFile, NetcdfVariable } from "./file.ts";
import { openNetcdf3 } from "./netcdf3.ts";
import { openNetcdf4 } from "./netcdf4.ts";

const fixtures = join(import.meta.dirname, "fixtures");

interface Digest {
  missing: number;
  sum: number;
  weighted: number;
  picks: Record<string, number | null>;
}

interface Expected {
  south: number;
  west: number;
  rows: number;
  columns: number;
  times: number[];
  /** Digests by "step/level". */
  steps: Record<string, Digest>;
}

const oracle = JSON.parse(readFileSync(join(fixtures, "oracle.json"), "utf8")) as Record<
  "samples" | "fixtures",
  Record<string, Record<string, Expected>>
>;

async function open(path: string): Promise<CfFile> {
  const bytes = readFileSync(path);
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const file: NetcdfFile =
    bytes[0] === 0x43 ? openNetcdf3({ size: bytes.length, read }) : await openNetcdf4(path);
  return new CfFile(file);
}

function digest(values: Float32Array, picks: string[]): Digest {
  let [missing, sum, weighted] = [0, 0, 0];
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) missing++;
    else {
      sum += value;
      weighted += value * (i % 97);
    }
  }
  const at = (i: string) => (Number.isNaN(values[+i]!) ? null : values[+i]!);
  return { missing, sum, weighted, picks: Object.fromEntries(picks.map((i) => [i, at(i)])) };
}

async function compare(path: string, expected: Record<string, Expected>): Promise<void> {
  const file = await open(path);
  for (const [name, { south, west, rows, columns, times, steps }] of Object.entries(expected)) {
    const found = file.gridded.find((variable) => variable.name === name);
    expect(found?.grid.latitude).toMatchObject({ start: expect.closeTo(south, 5), count: rows });
    expect(found?.grid.longitude).toMatchObject({ start: expect.closeTo(west, 4), count: columns });
    expect(found?.times ?? [0]).toEqual(times);
    for (const [key, value] of Object.entries(steps)) {
      const [step, level] = key.split("/").map(Number);
      const found = digest(file.readStep(name, step!, level!), Object.keys(value.picks));
      expect(found.missing, `${name} ${key}`).toBe(value.missing);
      const size = Math.abs(value.sum) + Math.abs(value.weighted);
      expect(Math.abs(found.sum - value.sum) / size, `${name} ${key}`).toBeLessThan(1e-6);
      expect(Math.abs(found.weighted - value.weighted) / size, `${name} ${key}`).toBeLessThan(1e-6);
      for (const [i, pick] of Object.entries(value.picks)) {
        if (pick === null) expect(found.picks[i]).toBeNull();
        else expect(found.picks[i]).toBeCloseTo(pick, 4);
      }
    }
  }
  file.close();
}

describe("reading NetCDF by the CF conventions", () => {
  it.each(Object.keys(oracle.fixtures))("finds in %s what netCDF4 and xarray find", async (name) => {
    await compare(join(fixtures, name), oracle.fixtures[name]!);
  });

  it.each([
    ["calendar-noleap.nc", "sst", /calendar "noleap" is not read/],
    ["irregular.nc", "z", /latitude is not evenly spaced: 1 stands where 1\.33333 belongs/],
  ])("rejects %s with the reason", async (name, variable, reason) => {
    const file = await open(join(fixtures, name));
    expect(file.gridded).toEqual([]);
    expect(file.rejected).toEqual([{ variable, reason: expect.stringMatching(reason) }]);
  });

  it("reads the Gregorian calendars", async () => {
    const file = await open(join(fixtures, "calendar-gregorian.nc"));
    expect(file.gridded[0]?.times).toEqual([Date.UTC(2000, 0, 1) / 1000]);
  });
});

describe("a forecast_reference_time that cannot be read", () => {
  const values: Record<string, Float64Array> = {
    lat: Float64Array.of(0, 1),
    lon: Float64Array.of(10, 11),
    time: Float64Array.of(6),
    base: Float64Array.of(Number.NaN),
    sst: Float64Array.of(1, 2, 3, 4),
  };

  function fileWithBase(attributes: Attributes, length = 1, ofFile: Attributes = {}): NetcdfFile {
    const variable = (name: string, dimensions: [string, number][], more: Attributes): NetcdfVariable => ({
      name,
      dimensions: dimensions.map(([name, length]) => ({ name, length })),
      attributes: more,
      numeric: true,
      float: true,
    });
    const variables = [
      variable("lat", [["lat", 2]], { units: "degrees_north" }),
      variable("lon", [["lon", 2]], { units: "degrees_east" }),
      variable("time", [["time", 1]], { units: "hours since 2026-07-15" }),
      variable("base", [["base", length]], { standard_name: "forecast_reference_time", ...attributes }),
      variable(
        "sst",
        [
          ["time", 1],
          ["lat", 2],
          ["lon", 2],
        ],
        { units: "degC" },
      ),
    ];
    return {
      attributes: ofFile,
      variables: new Map(variables.map((each) => [each.name, each])),
      read: (name) => values[name]!,
      close() {},
    };
  }

  it.each([
    ["the start", { START_DATE: "2026-07-14_12:00:00" }, Date.UTC(2026, 6, 14, 12) / 1000],
    [
      "the same start twice",
      { START_DATE: "2026-07-14_12:00:00", SIMULATION_START_DATE: "2026-07-14_12:00:00" },
      Date.UTC(2026, 6, 14, 12) / 1000,
    ],
    [
      "a restart",
      { START_DATE: "2026-07-14_12:00:00", SIMULATION_START_DATE: "2026-07-14_00:00:00" },
      undefined,
    ],
  ])("is replaced by the attributes of WRF: %s", (_, ofFile, time) => {
    expect(new CfFile(fileWithBase({}, 1, ofFile)).referenceTime).toBe(time);
  });

  it.each([
    [
      "a calendar",
      { units: "hours since 2026-07-15", calendar: "noleap" },
      1,
      /calendar "noleap" is not read/,
    ],
    ["units", { units: "fortnights since launch" }, 1, /time units "fortnights since launch" are not read/],
    ["no units", {}, 1, /time units "" are not read/],
    ["a value that is missing", { units: "hours since 2026-07-15" }, 1, /its value is NaN/],
    ["no value", { units: "hours since 2026-07-15" }, 0, /its value is undefined/],
  ])("for %s is reported and leaves the fields of the file readable", (_, attributes, length, reason) => {
    const file = new CfFile(fileWithBase(attributes, length));
    expect(file.referenceTime).toBeUndefined();
    expect(file.gridded.map(({ name }) => name)).toEqual(["sst"]);
    expect([...file.readStep("sst", 0, 0)]).toEqual([1, 2, 3, 4]);
    expect(file.rejected).toEqual([{ variable: "base", reason: expect.stringMatching(reason) }]);
  });
});

describeWithSamples("reading real NetCDF files", (samples) => {
  it.each(Object.keys(oracle.samples))("finds in %s what xarray finds", async (name) => {
    await compare(join(samples, "netcdf", name), oracle.samples[name]!);
  });

  it("finds the places of the values of the curvilinear Nordic grid", async () => {
    const file = await open(join(samples, "netcdf", "Nordic_subset_day1.nc"));
    const { latitude, longitude } = file.gridded.find(({ name }) => name === "aice")!.grid;
    expect([latitude.start, longitude.step > 0, file.nodes("aice")!.columns > 10]).toEqual([
      66.711,
      true,
      true,
    ]);
  });

  it("reads the smallest possible file, and reports that it has no field", () => {
    const path = join(samples, "netcdf", "tiny.nc");
    const bytes = readFileSync(path);
    const file = openNetcdf3({
      size: bytes.length,
      read: (offset, length) => bytes.subarray(offset, offset + length),
    });
    expect([...file.read("tiny", [0], [5])]).toEqual([0, 1, 2, 3, 4]);
    const { rejected } = openNetcdfRecords(path, file, 2 ** 28).scan();
    expect(rejected.map(({ reason }) => reason)).toEqual([
      "the file has no variable on latitudes and longitudes",
    ]);
  });
});

const instant = (text: string) => Date.parse(text) / 1000;

it.each([
  ["hours since 2023-07-20T10:00:00", "2023-07-20T10:00:00Z", 3600],
  ["days since 1978-01-01 12:00:00", "1978-01-01T12:00:00Z", 86_400],
  ["seconds since 1970-01-01 00:00:00.0 UTC", "1970-01-01T00:00:00Z", 1],
  ["Hours since 1950-1-1", "1950-01-01T00:00:00Z", 3600],
  ["minutes since 2020-02-29 00:00:00 +05:30", "2020-02-28T18:30:00Z", 60],
])("reads %s", (units, since, seconds) => {
  expect(readTimeUnits(units)).toEqual({ since: instant(since), seconds });
});

// cftime.date2num and xarray read them in the same way.
it.each([
  [1e-3, ["milliseconds", "millisecond", "millisecs", "millisec", "msecs", "msec", "ms"]],
  [1, ["seconds", "second", "secs", "sec", "s"]],
  [60, ["minutes", "minute", "mins", "min"]],
  [3600, ["hours", "hour", "hrs", "hr", "h"]],
  [86_400, ["days", "day", "d"]],
])("reads every spelling of a unit of %f s", (seconds, spellings) => {
  for (const spelling of spellings) {
    expect(readTimeUnits(`${spelling} since 2024-01-01`)).toEqual({ since: instant("2024-01-01"), seconds });
  }
});

it.each([
  ["months since 2000-01-01", "standard", /not read/],
  ["hours since launch", "standard", /not read/],
  ["days since 2023-02-30", "standard", /no real day/],
  ["days since 2000-01-01", "360_day", /calendar "360_day" is not read/],
  ["hours since 0001-01-01", "gregorian", /Julian calendar/],
])("rejects %s in the %s calendar", (units, calendar, reason) => {
  expect(() => readTimeUnits(units, calendar)).toThrow(reason);
});

it("reads ancient reference times in the proleptic calendar", () => {
  expect(readTimeUnits("hours since 0001-01-01", "proleptic_gregorian").since).toBe(-62_135_596_800);
});
