import { expect, it } from "vitest";
import type { DrawableRun, FieldManifest } from "#lib/contract/field-manifest.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import {
  answeringSpans,
  segmentsOf,
  shownFor,
  snapped,
  stepBeside,
  timesAround,
  windowMiddle,
  windowOf,
  withinWindow,
} from "./time-window.ts";

const now = parseInstant("2026-09-15T12:20:00Z");
const at = (text: string) => parseInstant(`${text}:00Z`);
const days = (count: number) => now + count * DAY_S;

it("leaves the days around now only for a time before them, and keeps a window while the time is in it", () => {
  expect(windowMiddle(undefined, undefined, now)).toBeUndefined();
  expect(windowMiddle(undefined, days(-4.9), now)).toBeUndefined();
  expect(windowMiddle(undefined, days(9), now)).toBeUndefined();
  const middle = windowMiddle(undefined, at("2026-03-01T20:00"), now);
  expect(formatInstant(middle!)).toBe("2026-03-01T12:00:00Z");
  expect(windowMiddle(middle, at("2026-02-24T12:00"), now)).toBe(middle);
  expect(windowMiddle(middle, at("2026-03-06T12:00"), now)).toBe(middle);
  expect(windowMiddle(middle, at("2026-03-06T13:00"), now)).toBe(at("2026-03-06T12:00"));
  // Now is never within a window of the past; a manifest that is on its way changes nothing.
  expect(windowMiddle(windowMiddle(undefined, days(-5.01), now), now, now)).toBeUndefined();
  expect(windowMiddle(middle, undefined, undefined)).toBe(middle);
});

it("offers the instants of the window and a day on either side, not those around now", () => {
  const middle = at("2026-03-01T12:00");
  const hours = (from: number, to: number) =>
    Array.from({ length: (to - from) / HOUR_S + 1 }, (_, index) => from + index * HOUR_S);
  const past = hours(middle - 7 * DAY_S, middle + 7 * DAY_S);
  const around = hours(at("2026-09-10T13:00"), at("2026-09-25T12:00"));
  const instants = [...past, ...around];
  const offered = withinWindow(instants, now, middle);
  expect([offered[0], offered.at(-1)]).toEqual([middle - 6 * DAY_S, middle + 6 * DAY_S]);
  expect(windowOf(offered, middle, now)).toEqual({
    from: middle - 5 * DAY_S,
    to: middle + 5 * DAY_S,
    isPast: true,
  });
  expect(withinWindow(instants, now, undefined)).toEqual(around);
  expect(withinWindow(around, now, undefined)).toBe(around);
  const whole = { from: days(-5), to: days(10), isPast: false };
  expect(windowOf(around, undefined, now)).toEqual(whole);
  // A forecast that is still arriving, and a single file.
  expect(windowOf(around.slice(24, 24 * 10), undefined, now)).toEqual(whole);
  const few = around.slice(100, 125);
  expect(windowOf(few, undefined, now)).toEqual({ from: few[0], to: few[24], isPast: false });
  expect(withinWindow([], now, undefined)).toEqual([]);
});

const run = (dataset: string, from: string, to: string): DrawableRun => ({
  dataset,
  run: from,
  source: "gfs",
  model: "GFS",
  reference_time: `${from}:00Z`,
  from: `${from}:00Z`,
  to: `${to}:00Z`,
  times: [`${from}:00Z`],
  frames: "/frames",
  levels: [],
  planes: [],
});
const manifest = (...runs: DrawableRun[]): FieldManifest => ({
  variable: "wind",
  now: formatInstant(now),
  runs,
});

it("divides the window by what answers: hindcast, analysis, forecast, and gaps", () => {
  const window = { from: at("2026-09-08T00:00"), to: at("2026-09-20T00:00") };
  const found = segmentsOf(
    manifest(
      run("Forecast", "2026-09-15T00:00", "2026-09-18T00:00"),
      run("Forecast", "2026-09-12T00:00", "2026-09-15T06:00"),
      run("Hindcast-3M", "2026-09-07T00:00", "2026-09-09T00:00"),
      // Runs of hours that follow each other have no gap.
      run("Hindcast-3M", "2026-09-09T01:00", "2026-09-10T12:00"),
    ),
    window,
    now,
  );
  expect(found.map(({ kind, from, to }) => [kind, formatInstant(from), formatInstant(to)])).toEqual([
    ["hindcast", "2026-09-08T00:00:00Z", "2026-09-10T12:00:00Z"],
    ["gap", "2026-09-10T12:00:00Z", "2026-09-12T00:00:00Z"],
    ["analysis", "2026-09-12T00:00:00Z", "2026-09-15T12:20:00Z"],
    ["forecast", "2026-09-15T12:20:00Z", "2026-09-18T00:00:00Z"],
    ["gap", "2026-09-18T00:00:00Z", "2026-09-20T00:00:00Z"],
  ]);
  expect(segmentsOf(manifest(), window, now)).toEqual([{ ...window, kind: "gap" }]);
  const kinds = segmentsOf({ ...manifest(), fixed: true }, window, now).map(({ kind }) => kind);
  expect(kinds).toEqual(["analysis", "forecast"]);
});

it("takes each dataset of the archive for the ages that are its own", () => {
  const span = (dataset: string, from: string, to: string) => ({
    dataset,
    from: `${from}:00Z`,
    to: `${to}:00Z`,
  });
  const archive = [
    span("Forecast", "2026-03-10T00:00", "2026-10-01T00:00"),
    span("Hindcast-3M", "2026-05-01T00:00", "2026-09-11T00:00"),
    span("Hindcast-3Y", "2020-01-01T00:00", "2024-02-29T18:00"),
    span("Hindcast-3Y", "2024-04-01T00:00", "2026-07-01T00:00"),
  ];
  const found = answeringSpans(archive, now);
  expect(found.map(({ dataset, from, to }) => [dataset, formatInstant(from), formatInstant(to)])).toEqual([
    ["Hindcast-3Y", "2023-09-15T12:20:00Z", "2024-02-29T18:00:00Z"],
    ["Hindcast-3Y", "2024-04-01T00:00:00Z", "2026-06-17T12:19:59Z"],
    ["Hindcast-3M", "2026-06-17T12:20:00Z", "2026-09-10T12:19:59Z"],
    ["Forecast", "2026-09-10T12:20:00Z", "2026-09-25T12:20:00Z"],
  ]);
  const [rain] = answeringSpans(archive.slice(0, 1), now, true);
  expect(formatInstant(rain!.from)).toBe("2026-03-15T12:20:00Z");
});

it("shows the nearest time that is answered, and says why", () => {
  const spans = [
    { from: at("2024-01-01T00:30"), to: at("2024-02-29T18:30") },
    { from: at("2024-04-01T00:00"), to: now - 1 },
    { from: now, to: at("2026-09-22T00:00") },
  ];
  const shown = (text: string, known: typeof spans | null = spans) => {
    const { time, why } = shownFor(at(text), known ?? undefined, now);
    return [formatInstant(time), why];
  };
  expect(shown("2026-09-16T18:00")).toEqual(["2026-09-16T18:00:00Z", undefined]);
  expect(shown("2026-09-24T18:00")).toEqual(["2026-09-22T00:00:00Z", "ahead"]);
  expect(shown("2026-10-24T18:00", null)).toEqual(["2026-09-25T12:00:00Z", "ahead"]);
  expect(shown("2023-12-24T18:00")).toEqual(["2024-01-01T01:00:00Z", "past"]);
  expect(shown("2020-01-01T00:00", null)).toEqual(["2023-09-15T14:00:00Z", "past"]);
  expect(shown("2024-03-02T00:00")).toEqual(["2024-02-29T18:00:00Z", "gap"]);
  expect(shown("2024-03-30T00:00")).toEqual(["2024-04-01T00:00:00Z", "gap"]);
  // Between two datasets that follow each other, whole hours are not moved.
  const seam = [
    { from: at("2026-09-01T00:00"), to: at("2026-09-10T11:40") },
    { from: at("2026-09-10T12:20"), to: at("2026-09-22T00:00") },
  ];
  expect(shown("2026-09-10T12:00", seam)).toEqual(["2026-09-10T12:00:00Z", undefined]);
  expect(shown("2024-03-30T00:00", [])).toEqual(["2024-03-30T00:00:00Z", undefined]);
});

it("steps to whole hours between the steps of the model, over gaps, and to the ends", () => {
  const instants = [0, 1, 2, 3, 6, 9, 12, 18, 60, 63, 64].map((hour) => hour * HOUR_S);
  const step = (from: number, by: 1 | -1, hours: 1 | 3 | 6 | undefined) => {
    const found = stepBeside(instants, from * HOUR_S, by, hours);
    return found === undefined ? undefined : found / HOUR_S;
  };
  expect([step(3, 1, undefined), step(3, 1, 1), step(3, 1, 3), step(3, 1, 6)]).toEqual([6, 4, 6, 6]);
  expect([step(6, -1, undefined), step(6, -1, 1), step(6, -1, 3), step(6, -1, 6)]).toEqual([3, 5, 3, 0]);
  // From between two steps to the next whole hours; over the gap from 18 to 60; to the last instant, and no further.
  expect([step(4.5, 1, 3), step(4.5, -1, 3), step(18, 1, 3), step(60, -1, 3)]).toEqual([6, 3, 60, 18]);
  expect([step(63, 1, 6), step(64, 1, 1), step(0, -1, 6)]).toEqual([64, undefined, undefined]);
});

it("prefetches what comes next: both sides in turn, or ahead while it plays", () => {
  const instants = Array.from({ length: 49 }, (_, hour) => hour * HOUR_S);
  const around = (...rest: [hours: 3 | undefined, reach: number, isPlaying?: boolean]) =>
    timesAround(instants, 46 * HOUR_S, ...rest).map((time) => time / HOUR_S);
  expect(around(undefined, 3)).toEqual([47, 45, 48, 44, 43]);
  expect(around(3, 2)).toEqual([48, 45, 42]);
  expect(around(undefined, 3, true)).toEqual([47, 48]);
});

it("snaps a place on the bar to a whole step that can be shown", () => {
  const instants = [1, 2, 3, 6, 9, 60, 63].map((hour) => hour * HOUR_S);
  const snap = (hour: number, hours: 1 | 6 | undefined) => snapped(instants, hour * HOUR_S, hours)! / HOUR_S;
  expect([snap(4.2, undefined), snap(4.2, 1), snap(4.2, 6), snap(20, 6), snap(-5, 6), snap(99, 6)]).toEqual([
    3, 4, 6, 9, 1, 63,
  ]);
  expect(snapped([], 0, 6)).toBeUndefined();
});
