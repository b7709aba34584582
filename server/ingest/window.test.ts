import { describe, expect, it } from "vitest";
import { grib } from "#server/ingest/sources/source.ts";
import { findInput, type RecordsAt } from "./plan.ts";
import type { GribRecord } from "./record.ts";

const HOUR = 3600;
const rain = grib({ codes: [0, 1, 8], element: "APCP" }, { type: 1, words: "surface" }, "accumulation");

/** A sum from hour `start` to hour `end`. */
function sum(start: number, end: number): GribRecord {
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
    { name: "a bucket of its own", now: [sum(0, 7), sum(6, 7)], before: [sum(0, 6)], use: [[6, 7]] },
    {
      name: "the shortest, less the one before",
      now: [sum(0, 8), sum(6, 8)],
      before: [sum(0, 7), sum(6, 7)],
      use: [
        [6, 8],
        [6, 7],
      ],
    },
    {
      name: "the one since the start where the bucket has no neighbour",
      now: [sum(0, 8), sum(6, 8)],
      before: [sum(0, 7)],
      use: [
        [0, 8],
        [0, 7],
      ],
    },
    { name: "none without its neighbour", now: [sum(6, 8)], before: [], use: undefined },
    { name: "none whose neighbour has another start", now: [sum(6, 8)], before: [sum(0, 7)], use: undefined },
  ])("is $name", ({ now, before, use }) => {
    const end = now[0]!.validTime / HOUR;
    expect(chosen(at(end, ...now), at(end - 1, ...before))).toEqual(use);
  });

  it("is whole at the first step if it is a usual bucket, and none if it is the whole forecast", () => {
    expect(chosen(at(120, sum(114, 120)))).toEqual([[114, 120]]);
    expect(chosen(at(120, sum(0, 120)))).toBeUndefined();
  });

  it("is none if it has no length", () => {
    expect(chosen(at(0, sum(0, 0)))).toBeUndefined();
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

  it("is not taken as an average: the mean would not be turned", () => {
    const records = [record([0, 2, 2], "average"), record([0, 2, 3], "average")];
    expect(findInput(select([0, 2, 2], "average"), { time: HOUR, records }, undefined)).toBeUndefined();
  });

  it("is turned by the name of its field, but not eastward current, which is that by definition", () => {
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
