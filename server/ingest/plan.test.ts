import type { Grid } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import { grib, type Source, sum, unchanged, variable } from "#server/ingest/sources/source.ts";
import { findInput, planRuns, type RecordsAt, unusableRecords } from "./plan.ts";
import type { FieldRecord, GribRecord, NetcdfRecord } from "./record.ts";

const grid: Grid = { latitude: { start: 0, step: 1, count: 2 }, longitude: { start: 0, step: 1, count: 2 } };
const elsewhere: Grid = { ...grid, latitude: { start: 10, step: 1, count: 2 } };

const source: Source = {
  name: "invented",
  title: "An invented feed",
  dataset: "Forecast",
  model: () => "Invented",
  rules: [
    {
      field: "surface_eastward_sea_water_velocity",
      choices: [
        { needs: [variable("total", "m s-1")], convert: unchanged },
        {
          needs: [variable("mean", "m s-1"), variable("tide", "m s-1")],
          convert: sum,
          comment: "without Stokes drift",
        },
      ],
    },
    { field: "sea_surface_temperature", choices: [{ needs: [variable("sst", "degC")], convert: unchanged }] },
  ],
};

function record(name: string, validTime: number, more: Partial<NetcdfRecord> = {}): FieldRecord {
  const units = name === "sst" ? "degC" : "m s-1";
  const place = { kind: "netcdf" as const, file: "a.nc", grid, validTime, referenceTime: undefined, units };
  return { ...place, variable: name, nearestSurface: true, step: 0, levelIndex: 0, ...more };
}

describe("planning runs", () => {
  it("takes the best choice at each step and adds a comment for others", () => {
    const [run] = planRuns(source, [
      record("tide", 0),
      record("mean", 0),
      record("total", 3600),
      record("mean", 3600),
    ]);
    const [field] = run!.fields;
    expect(run?.times).toEqual([0, 3600]);
    expect(
      field?.steps.map(({ inputs }) =>
        inputs.map(({ record }) => record.kind === "netcdf" && record.variable),
      ),
    ).toEqual([["mean", "tide"], ["total"]]);
    expect(field?.comment).toBe("without Stokes drift (at 1 of 2 steps)");
  });

  it("makes no step from incomplete inputs", () => {
    expect(planRuns(source, [record("mean", 0)])).toEqual([]);
  });

  it("takes the first or the last step as base time if the files name none", () => {
    const records = [record("sst", 86_400), record("sst", 0), record("sst", 43_200)];
    expect(planRuns(source, records)[0]?.referenceTime).toBe(0);
    expect(planRuns({ ...source, baseTimeFrom: "last" }, records)[0]?.referenceTime).toBe(86_400);
  });

  it("takes the base time of the caller for records without one, and only the wanted steps", () => {
    const records = [record("sst", 0), record("sst", 10, { referenceTime: 5 }), record("sst", 20)];
    const runs = planRuns(source, records, { referenceTime: 7, times: new Set([10, 20]) });
    expect(runs.map(({ referenceTime, times }) => [referenceTime, times])).toEqual([
      [5, [10]],
      [7, [20]],
    ]);
  });

  it("makes one run per base time and grid", () => {
    const runs = planRuns(source, [
      record("sst", 10, { referenceTime: 0 }),
      record("sst", 20, { referenceTime: 5 }),
      record("sst", 20, { referenceTime: 5, grid: elsewhere }),
    ]);
    expect(runs.map((run) => [run.referenceTime, run.grid.latitude.start, run.times])).toEqual([
      [0, 0, [10]],
      [5, 0, [20]],
      [5, 10, [20]],
    ]);
  });

  it("takes the level nearest to the surface", () => {
    const [run] = planRuns(source, [
      record("sst", 0, { level: 50, nearestSurface: false }),
      record("sst", 0, { level: 0.5 }),
    ]);
    expect(run?.fields[0]?.steps[0]?.inputs[0]?.record).toMatchObject({ level: 0.5 });
  });

  it("rejects unknown units", () => {
    const plan = planRuns(source, [
      record("sst", 0, { units: "degF" }),
      record("total", 0, { units: undefined }),
    ]);
    expect(unusableRecords(plan).map(({ reason }) => reason)).toEqual([
      "it has no units where m s-1 is expected",
      'it has the units "degF" where degC is expected',
    ]);
  });

  it("rejects a record without a time, except of a field that does not change", () => {
    const depth: Source = {
      ...source,
      rules: [
        {
          field: "sea_floor_depth_below_sea_surface",
          choices: [{ needs: [variable("total", "m s-1")], convert: unchanged }],
        },
      ],
    };
    const records = [record("total", 0, { timeless: true })];
    expect(unusableRecords(planRuns(source, records)).map(({ reason }) => reason)).toEqual([
      "it has no time: neither a time axis nor a scalar coordinate of time",
    ]);
    expect(unusableRecords(planRuns(depth, records))).toEqual([]);
  });
});

const HOUR = 3600;
const rain = grib({ codes: [0, 1, 8], element: "APCP" }, { type: 1, words: "surface" }, "accumulation");

/** A sum from hour `start` to hour `end`. */
function sumOf(start: number, end: number): GribRecord {
  const time = { kind: "accumulation", start: start * HOUR, end: end * HOUR };
  const level = { type: 1, value: 0 };
  const field = { discipline: 0, category: 1, parameter: 8, level, time };
  return { kind: "grib2", validTime: end * HOUR, field } as GribRecord;
}

function at(hour: number, ...records: GribRecord[]): RecordsAt {
  return { time: hour * HOUR, records };
}

/** The windows of the chosen records, hours. */
function chosen(now: RecordsAt, before?: RecordsAt) {
  const input = findInput(rain, now, before);
  const windowOf = (record: GribRecord["field"]["time"]) => [record.start / HOUR, record.end / HOUR];
  const found = [input?.record, input?.before].filter((record) => record?.kind === "grib2");
  return input && found.map((record) => windowOf(record.field.time));
}

describe("the window of a step", () => {
  it.each([
    { name: "a bucket of its own", now: [sumOf(0, 7), sumOf(6, 7)], before: [sumOf(0, 6)], use: [[6, 7]] },
    {
      name: "the shortest, less the one before",
      now: [sumOf(0, 8), sumOf(6, 8)],
      before: [sumOf(0, 7), sumOf(6, 7)],
      use: [
        [6, 8],
        [6, 7],
      ],
    },
    {
      name: "the one since the start where the bucket has no neighbour",
      now: [sumOf(0, 8), sumOf(6, 8)],
      before: [sumOf(0, 7)],
      use: [
        [0, 8],
        [0, 7],
      ],
    },
    { name: "none without its neighbour", now: [sumOf(6, 8)], before: [], use: undefined },
    {
      name: "none whose neighbour has another start",
      now: [sumOf(6, 8)],
      before: [sumOf(0, 7)],
      use: undefined,
    },
  ])("is $name", ({ now, before, use }) => {
    const end = now[0]!.validTime / HOUR;
    expect(chosen(at(end, ...now), at(end - 1, ...before))).toEqual(use);
  });

  it("is complete at the first step if it is a usual bucket, and none if it is the whole forecast", () => {
    expect(chosen(at(120, sumOf(114, 120)))).toEqual([[114, 120]]);
    expect(chosen(at(120, sumOf(0, 120)))).toBeUndefined();
  });

  it("is none if it has no length", () => {
    expect(chosen(at(0, sumOf(0, 0)))).toBeUndefined();
  });
});

describe("a component along the columns and rows of its grid", () => {
  const level = { type: 1, value: 0 };
  const record = (codes: [number, number, number], kind = "instant"): GribRecord => {
    const [discipline, category, parameter] = codes;
    const time = { kind, start: 0, end: kind === "instant" ? 0 : HOUR };
    const projected = { section: { offset: 0, length: 0 }, isGridRelative: true };
    const field = { discipline, category, parameter, level, time, projected };
    return { kind: "grib2", validTime: time.end, field } as GribRecord;
  };
  const select = (codes: [number, number, number], time?: "average") =>
    grib({ codes, element: "" }, { type: 1, words: "" }, time);

  it("is not averaged, because a mean would not be turned", () => {
    const records = [record([0, 2, 2], "average"), record([0, 2, 3], "average")];
    expect(findInput(select([0, 2, 2], "average"), { time: HOUR, records }, undefined)).toBeUndefined();
  });

  it("is turned depending on the name of its field; eastward current is never turned, by definition", () => {
    const [x, y] = [record([10, 1, 192]), record([10, 1, 193])];
    const of = (codes: [number, number, number], other: [number, number, number], records: GribRecord[]) =>
      findInput(
        { ...select(codes), component: { toward: "east", other: select(other) } },
        { time: 0, records },
        undefined,
      );
    expect(of([10, 1, 192], [10, 1, 193], [x, y])).toMatchObject({ partner: { record: y, toward: "east" } });
    expect(of([10, 1, 192], [10, 1, 193], [x])).toBeUndefined();
    const eastward = record([10, 1, 5]);
    expect(of([10, 1, 5], [10, 1, 6], [eastward])).toMatchObject({ record: eastward, partner: undefined });
  });
});
