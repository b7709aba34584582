import { expect, it } from "vitest";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { drawableRun } from "#test/map.ts";
import {
  answeredTime,
  earlierRuns,
  earlierStepsAt,
  hoursAround,
  instantBeside,
  nearestIndex,
  offeredInstants,
  reachHours,
  stepsAt,
  stepsOf,
  timelineOf,
} from "./timeline.ts";

const start = parseInstant("2026-01-01T00:00:00Z");
const after = (hours: number) => start + hours * HOUR_S;
const at = (hours: number) => formatInstant(after(hours));

const run = (name: string, from: number, to: number, steps: number[], issued = 0) =>
  drawableRun({ run: name, reference_time: at(issued), from: at(from), to: at(to), times: steps.map(at) });
const manifestOf = (...runs: FieldManifest["runs"]): FieldManifest => ({
  variable: "wind",
  now: at(0),
  runs,
});
const manifest = manifestOf(run("new", 6, 12, [6, 9, 12]), run("old", 0, 12, [0, 6, 12]));

it.each([
  ["every step that some run covers, once, in order", manifest, [0, 6, 9, 12]],
  [
    "no step before `from`: it belongs to another dataset, by its age",
    manifestOf(run("aged", 3, 6, [0, 3, 6])),
    [3, 6],
  ],
  ["nothing beyond ten days ahead", manifestOf(run("far", 0, 384, [0, 240, 243, 384])), [0, 240]],
])("offers %s", (_, of, hours) => {
  expect(timelineOf(of)).toEqual(hours.map(after));
});

it("finds the runs before the one that answers: of its source, covering the time, newest first", () => {
  const all = manifestOf(
    run("new", 6, 30, [6, 18, 30], 6),
    run("before", 0, 24, [0, 12, 24], 0),
    run("part", 0, 24, [0, 12, 24], 0),
    run("ended", -12, 3, [-12, 3], -12),
    { ...run("other", -6, 18, [-6, 18], -6), source: "ecmwf" },
    { ...run("shortest", -6, 18, [-6, 18], -6), condensed: true },
    run("first", -24, 18, [-24, 18], -24),
  );
  expect(earlierRuns(all, after(12))).toEqual([at(0), at(-24)]);
  expect(earlierStepsAt(all, after(12), 1)?.run.run).toBe("before");
  expect(earlierStepsAt(all, after(12), 2)?.run.run).toBe("first");
  expect(earlierStepsAt(all, after(12), 3)).toBeUndefined();
  expect(earlierRuns(all, after(20))).toEqual([at(0)]);
  expect(earlierRuns(all, after(50))).toEqual([]);
});

it("takes a time beyond those that are answered as the last or first of them", () => {
  const now = after(0.4);
  for (const time of [start + 5000, after(240.4)]) expect(answeredTime(time, now)).toBe(time);
  expect(answeredTime(after(500), now)).toBe(after(240));
  expect(formatInstant(answeredTime(0, now))).toBe("2023-01-01T02:00:00Z");
});

const relief = drawableRun({
  run: "relief",
  from: "1970-01-01T00:00:00Z",
  to: "9999-12-31T23:59:59Z",
  times: ["1970-01-01T00:00:00Z"],
});
it.each([
  [
    "the first run that covers it, as the API does",
    manifest,
    3,
    { run: { run: "old" }, before: at(0), after: at(6), later: 0.5 },
  ],
  ["a step itself", manifest, 6, { run: { run: "new" }, before: at(6), after: at(6), later: 0 }],
  [
    "the last step for as long as its run is valid",
    manifestOf(run("daily", 0, 24, [0])),
    20,
    { before: at(0), after: at(0), later: 0 },
  ],
  [
    "the one step of a field without time",
    manifestOf(relief),
    -9000,
    { before: relief.from, after: relief.from, later: 0 },
  ],
])("takes for an instant %s", (_, of, hours, steps) => {
  expect(stepsAt(of, after(hours))).toMatchObject(steps);
});

it("takes nothing for an instant that no run covers", () => {
  expect(stepsAt(manifest, after(13))).toBeUndefined();
  const found = stepsOf(manifest, [9, 0, 13].map(after));
  expect(found.map(({ run, before }) => [run.run, before])).toEqual([
    ["new", at(9)],
    ["old", at(0)],
  ]);
});

it("offers whole hours for a static field, also around a time long past, each once", () => {
  const now = after(0.4);
  const hours = hoursAround(now, undefined);
  expect([hours[0], hours.at(-1), hours.length]).toEqual([after(-119), after(240), 360]);
  const long = hoursAround(now, after(-1000));
  expect(long.slice(289)).toEqual(hours);
  expect([long[0], long[288]]).toEqual([after(-1144), after(-856)]);
  const near = hoursAround(now, after(-125));
  expect(near).toEqual([...new Set(near)].sort((one, other) => one - other));
  expect(offeredInstants({ ...manifest, fixed: true }, undefined)).toEqual(hoursAround(start, undefined));
});

it("offers the hours that a daily layer covers, and the steps of any other", () => {
  expect(offeredInstants(manifest, undefined)).toEqual(timelineOf(manifest));
  const daily = manifestOf(run("new", 6, 54, [6, 24, 48, 54]), run("old", -24, 6, [-24, 0, 6]));
  const hours = offeredInstants(daily, undefined);
  expect([hours[0], hours.at(-1), hours.length]).toEqual([after(-24), after(54), 79]);
  expect(offeredInstants(manifestOf(run("long", 0, 384, [0, 192, 384])), undefined).at(-1)).toBe(after(240));
});

it("finds the instant beside a time, also between two, and the nearest step", () => {
  const instants = [0, 3, 6];
  expect([4, 3, 0].map((time) => instantBeside(instants, time, -1))).toEqual([3, 0, undefined]);
  expect([4, 3, 6].map((time) => instantBeside(instants, time, 1))).toEqual([6, 6, undefined]);
  expect([nearestIndex(timelineOf(manifest), after(8)), nearestIndex([], start)]).toEqual([2, -1]);
});

it("tells how far a forecast reaches that arrives in parts, and not those before it", () => {
  const earlier = run("earlier", 0, 240, [0, 240], -6);
  const first = run("first", 0, 6, [0, 3, 6]);
  const parts = manifestOf(first, run("second", 6, 120, [6, 120]), earlier);
  expect([reachHours(parts, first), reachHours(parts, earlier)]).toEqual([120, 246]);
});
