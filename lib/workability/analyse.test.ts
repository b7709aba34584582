import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import {
  allMissing,
  analyseWorkability,
  levelsBetween,
  membersDuring,
  membersWithWindow,
  statesOf,
  type WorkabilitySeries,
} from "./analyse.ts";
import { placeCount, workPlaces } from "./places.ts";

interface Case {
  start: string;
  stepHours: number;
  windowHours: number;
  limits: { max?: number; min?: number }[];
  levels: number[][];
  series: (number | null)[][];
  expected: unknown;
}

const cases = JSON.parse(readFileSync(new URL("fixtures/oracle.json", import.meta.url), "utf8")) as Case[];

function seriesOf(start: string, stepHours: number, columns: (number | null)[][], rules: object[]) {
  const quantities = columns.map((column, at) => {
    const values = Float64Array.from(column, (value) => value ?? Number.NaN);
    const isMissing = Uint8Array.from(values, (value) => Number(Number.isNaN(value)));
    return { most: values, least: values, isMissing, levels: [], ...rules[at] };
  });
  return { start: parseInstant(start), stepHours, count: columns[0]!.length, quantities };
}

/** Plain JSON for comparison: NaN as null, numbers to 9 digits. */
const plain = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, one) => (typeof one === "number" ? Number(one.toPrecision(9)) : one)),
  );

it.each(cases)(
  "counts as numpy does: $series.0.length steps of $stepHours h, windows of $windowHours h",
  ({ start, stepHours, windowHours, limits, levels, series, expected }) => {
    const rules = limits.map((limit, at) => ({ ...limit, levels: levels[at] }));
    const found = analyseWorkability(seriesOf(start, stepHours, series, rules), windowHours);
    expect(plain({ ...found, longestWait: found.longestWait ?? null })).toEqual(plain(expected));
  },
);

const START = "2025-03-01T00:00:00Z";

it("a known value beyond a limit decides though another is missing; else a missing one ends a window", () => {
  const columns = [
    [9, 1, 1, null, 1, 1],
    [null, ...Array(5).fill(1)],
  ];
  const series = seriesOf(START, 1, columns, [{ max: 2 }, { max: 2 }]);
  const { rows, windows, longestWait } = analyseWorkability(series, 2);
  expect(rows[0]).toMatchObject({ hours: 6, missingHours: 1, withinHours: 4, withinShare: 0.8 });
  expect(windows.map(({ hours, isCut }) => [hours, isCut])).toEqual([
    [2, true],
    [2, true],
  ]);
  // From 02:00 the next start is 04:00; one hour in between is unknown.
  expect(longestWait).toMatchObject({ from: parseInstant(START) + 2 * HOUR_S, hours: 2, missingHours: 1 });
});

it("a mean wait is of the waits whose end the series has", () => {
  // A 2 h operation can begin at 02:00 only: the waits are 2, 1 and 0 h, then at least 3, 2 and 1 h.
  const series = seriesOf(START, 1, [[5, 5, 1, 1, 5, 5, 5]], [{ max: 2 }]);
  expect(analyseWorkability(series, 2).rows[0]).toMatchObject({
    meanWaitHours: 1,
    longestWaitHours: 3,
    waitIsLowerBound: true,
  });
});

it("nothing known is no share, and not 0 %", () => {
  const series: WorkabilitySeries = seriesOf(START, 1, [[null, null]], [{ max: 2, levels: [1] }]);
  expect(analyseWorkability(series, 1).rows[0]).toMatchObject({
    missingHours: 2,
    withinShare: Number.NaN,
    quantities: [{ mean: Number.NaN, exceeded: [Number.NaN] }],
  });
});

it("levels are round, at most a dozen, and the limits among them", () => {
  expect(levelsBetween(0.13, 5.8, [2.2])).toEqual([0.5, 1, 1.5, 2, 2.2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5]);
  expect(levelsBetween(980, 980, [1000])).toEqual([1000]);
});

it("places of a box cross 180° and lie from edge to edge", () => {
  const box = (latitude: [number, number], longitude: [number, number], spacing_deg: number) =>
    ({ type: "box", latitude, longitude, spacing_deg }) as const;
  const longitudes = (area: ReturnType<typeof box>) => [
    ...new Set(workPlaces(area).map(({ longitude }) => longitude)),
  ];
  const across = box([-1, 0], [179.5, -179.5], 0.5);
  expect([workPlaces(across).length, placeCount(across)]).toEqual([9, 9]);
  expect(longitudes(across)).toEqual([179.5, -180, -179.5]);
  expect(longitudes(box([46.1, 46.1], [-8.3, -8.1], 0.1))).toEqual([-8.3, -8.2, -8.1]);
});

it("a member keeps, breaks or leaves open a time and a window, by what is known of it", () => {
  const members = [
    [1, 1, 1, 1],
    [1, 9, 1, 1],
    [1, null, 1, 1],
    [9, null, 1, 9],
  ].map((column) => statesOf(seriesOf(START, 1, [column], [{ max: 2 }])));
  expect(membersDuring(members, 0, 4)).toEqual({ keep: 1, break: 2, not_known: 1 });
  expect(membersDuring(members, 1, 3)).toEqual({ keep: 1, break: 1, not_known: 2 });
  expect(membersDuring(members, 2, 3)).toEqual({ keep: 4, break: 0, not_known: 0 });
  expect(membersWithWindow(members, 2)).toEqual({ keep: 3, break: 0, not_known: 1 });
  expect(membersWithWindow(members, 3)).toEqual({ keep: 1, break: 2, not_known: 1 });
  expect(membersWithWindow([allMissing(4)], 5)).toEqual({ keep: 0, break: 1, not_known: 0 });
});
