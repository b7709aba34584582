import { expect, it } from "vitest";
import type { DrawableRun, FieldManifest } from "#lib/contract/field-manifest.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import {
  answeredTime,
  hoursAround,
  instantBeside,
  nearestIndex,
  offeredInstants,
  reachHours,
  stepsAt,
  stepsOf,
  timelineOf,
} from "./timeline.ts";

const hour = 3600;
const start = parseInstant("2026-01-01T00:00:00Z");
const at = (hours: number) => formatInstant(start + hours * hour);
const axis = { start: 0, step: 1, count: 2 };

function run(name: string, from: number, to: number, steps: number[]): DrawableRun {
  return {
    dataset: "Forecast",
    run: name,
    source: "gfs",
    model: "GFS",
    reference_time: at(0),
    from: at(from),
    to: at(to),
    times: steps.map(at),
    frames: "/frames",
    levels: [{ level: "1", grid: { latitude: axis, longitude: axis }, chunk: { rows: 2, columns: 2 } }],
    planes: [],
  };
}

const manifest: FieldManifest = {
  variable: "wind",
  now: at(0),
  runs: [run("new", 6, 12, [6, 9, 12]), run("old", 0, 12, [0, 6, 12])],
};

it("offers every step that some run covers, once, in order", () => {
  expect(timelineOf(manifest)).toEqual([0, 6, 9, 12].map((hours) => start + hours * hour));
  // Steps before `from` belong to another dataset, by their age.
  expect(timelineOf({ ...manifest, runs: [run("aged", 3, 6, [0, 3, 6])] })).toHaveLength(2);
});

it("ends where the service does, ten days ahead, whatever a run has", () => {
  const far = { ...manifest, runs: [run("far", 0, 384, [0, 240, 243, 384])] };
  expect(timelineOf(far)).toEqual([0, 240].map((hours) => start + hours * hour));
});

it("takes a time beyond those that are answered as the last or first of them", () => {
  const now = start + 0.4 * hour;
  expect(answeredTime(start + 5000, now)).toBe(start + 5000);
  expect(answeredTime(now + 240 * hour, now)).toBe(now + 240 * hour);
  expect(answeredTime(start + 500 * hour, now)).toBe(start + 240 * hour);
  expect(formatInstant(answeredTime(0, now))).toBe("2023-01-01T02:00:00Z");
});

it("takes the first run that covers the instant, as the API does, and the steps around it", () => {
  expect(stepsAt(manifest, start + 3 * hour)).toMatchObject({
    run: { run: "old" },
    before: at(0),
    after: at(6),
    later: 0.5,
  });
  expect(stepsAt(manifest, start + 6 * hour)).toMatchObject({
    run: { run: "new" },
    before: at(6),
    after: at(6),
    later: 0,
  });
  expect(stepsAt(manifest, start + 13 * hour)).toBeUndefined();
});

it("uses the last step for as long as its run is valid", () => {
  const daily = { ...manifest, runs: [run("analysis", 0, 24, [0])] };
  expect(stepsAt(daily, start + 20 * hour)).toMatchObject({ before: at(0), after: at(0), later: 0 });
});

it("offers whole hours for a static field, also around a time long past", () => {
  const now = start + 0.4 * hour;
  const hours = hoursAround(now, undefined);
  expect([hours[0], hours.at(-1), hours.length]).toEqual([start - 119 * hour, start + 240 * hour, 360]);
  const long = hoursAround(now, start - 1000 * hour);
  expect(long.slice(289)).toEqual(hours);
  expect([long[0], long[288]]).toEqual([start - 1144 * hour, start - 856 * hour]);
  // Where both ranges meet, no hour occurs twice.
  const near = hoursAround(now, start - 125 * hour);
  expect(new Set(near).size).toBe(near.length);
  expect([...near].sort((one, other) => one - other)).toEqual(near);
});

it("shows a field without time at any instant, from its one step", () => {
  const fixed = { ...run("relief", 0, 0, []), from: "1970-01-01T00:00:00Z", to: "9999-12-31T23:59:59Z" };
  const relief = { ...manifest, runs: [{ ...fixed, times: ["1970-01-01T00:00:00Z"] }] };
  for (const hours of [-9000, 0, 100]) {
    expect(stepsAt(relief, start + hours * hour)).toMatchObject({
      before: "1970-01-01T00:00:00Z",
      after: "1970-01-01T00:00:00Z",
      later: 0,
    });
  }
});

it("offers the hours that a daily layer covers, and the steps of any other", () => {
  const days = [run("new", 6, 54, [6, 24, 48, 54]), run("old", -24, 6, [-24, 0, 6])];
  const daily = { ...manifest, runs: days };
  const hours = offeredInstants(daily, undefined);
  expect([hours[0], hours.at(-1), hours.length]).toEqual([start - 24 * hour, start + 54 * hour, 79]);
  expect(offeredInstants({ ...manifest, runs: [run("long", 0, 384, [0, 192, 384])] }, undefined).at(-1)).toBe(
    start + 240 * hour,
  );
  expect(offeredInstants(manifest, undefined)).toEqual(timelineOf(manifest));
  expect(offeredInstants({ ...manifest, fixed: true }, undefined)).toEqual(hoursAround(start, undefined));
});

it("finds the instant beside a time, also between two", () => {
  const instants = [0, 3, 6];
  expect([4, 3, 0].map((time) => instantBeside(instants, time, -1))).toEqual([3, 0, undefined]);
  expect([4, 3, 6].map((time) => instantBeside(instants, time, 1))).toEqual([6, 6, undefined]);
});

it("finds the nearest step", () => {
  expect(nearestIndex(timelineOf(manifest), start + 8 * hour)).toBe(2);
  expect(nearestIndex([], start)).toBe(-1);
});

it("finds the steps of several times, and leaves out those that no run covers", () => {
  const found = stepsOf(
    manifest,
    [9, 0, 13].map((hours) => start + hours * hour),
  );
  expect(found.map(({ run, before }) => [run.run, before])).toEqual([
    ["new", at(9)],
    ["old", at(0)],
  ]);
});

it("tells how far a forecast reaches that arrives in parts, and not those before it", () => {
  const earlier = { ...run("earlier", 0, 240, [0, 240]), reference_time: at(-6) };
  const parts = [run("first", 0, 6, [0, 3, 6]), run("second", 6, 120, [6, 120]), earlier];
  expect(reachHours({ ...manifest, runs: parts }, parts[0]!)).toBe(120);
  expect(reachHours({ ...manifest, runs: parts }, earlier)).toBe(246);
});
