import { expect, it } from "vitest";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { drawableRun } from "#test/map.ts";
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
/** @param text A time to the minute, or a day. */
const at = (text: string) => parseInstant(text.includes("T") ? `${text}:00Z` : `${text}T00:00:00Z`);
const days = (count: number) => now + count * DAY_S;
const ofHours = (...hours: number[]) => hours.map((hour) => hour * HOUR_S);
const hoursFrom = (from: number, to: number) =>
  Array.from({ length: (to - from) / HOUR_S + 1 }, (_, index) => from + index * HOUR_S);

it("leaves the days around now only for a time before them, and keeps a window while the time is in it", () => {
  for (const time of [undefined, days(-4.9), days(9)])
    expect(windowMiddle(undefined, time, now)).toBeUndefined();
  const middle = windowMiddle(undefined, at("2026-03-01T20:00"), now);
  expect(middle).toBe(at("2026-03-01T12:00"));
  for (const time of ["2026-02-24T12:00", "2026-03-06T12:00"])
    expect(windowMiddle(middle, at(time), now)).toBe(middle);
  expect(windowMiddle(middle, at("2026-03-06T13:00"), now)).toBe(at("2026-03-06T12:00"));
  // Now is never within a past window; a manifest that is still loading changes nothing.
  expect(windowMiddle(windowMiddle(undefined, days(-5.01), now), now, now)).toBeUndefined();
  expect(windowMiddle(middle, undefined, undefined)).toBe(middle);
});

it("offers the instants of the window and a day on either side, not those around now", () => {
  const middle = at("2026-03-01T12:00");
  const around = hoursFrom(at("2026-09-10T13:00"), at("2026-09-25T12:00"));
  const instants = [...hoursFrom(middle - 7 * DAY_S, middle + 7 * DAY_S), ...around];
  const offered = withinWindow(instants, now, middle);
  expect([offered[0], offered.at(-1)]).toEqual([middle - 6 * DAY_S, middle + 6 * DAY_S]);
  const past = { from: middle - 5 * DAY_S, to: middle + 5 * DAY_S, isPast: true };
  expect(windowOf(offered, middle, now)).toEqual(past);
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

it("without the service the hours of a saved area are part of a whole window, whose other hours are not saved", () => {
  const saved = hoursFrom(at("2026-09-15T06:00"), at("2026-09-16T06:00"));
  const window = windowOf(saved, undefined, now, true);
  expect(window).toEqual({ from: days(-5), to: days(10), isPast: false });
  const run = drawableRun({ from: formatInstant(saved[0]!), to: formatInstant(saved.at(-1)!) });
  const manifest = { variable: "wind", now: formatInstant(now), runs: [run] };
  expect(segmentsOf(manifest, window, now, true)).toEqual([
    { from: days(-5), to: saved[0], kind: "unsaved" },
    { from: saved[0], to: now, kind: "analysis" },
    { from: now, to: saved.at(-1), kind: "forecast" },
    { from: saved.at(-1), to: days(10), kind: "unsaved" },
  ]);
});

it("divides the window by what answers: hindcast, analysis, forecast, and gaps", () => {
  const window = { from: at("2026-09-08"), to: at("2026-09-20") };
  const run = (dataset: string, from: string, to: string) =>
    drawableRun({ dataset, from: formatInstant(at(from)), to: formatInstant(at(to)) });
  const runs = [
    run("Forecast", "2026-09-15", "2026-09-18"),
    run("Forecast", "2026-09-12", "2026-09-15T06:00"),
    run("Hindcast-3M", "2026-09-07", "2026-09-09"),
    // Consecutive hourly runs have no gap.
    run("Hindcast-3M", "2026-09-09T01:00", "2026-09-10T12:00"),
  ];
  const manifest = { variable: "wind", now: formatInstant(now), runs };
  expect(segmentsOf(manifest, window, now)).toEqual([
    { kind: "hindcast", from: window.from, to: at("2026-09-10T12:00") },
    { kind: "gap", from: at("2026-09-10T12:00"), to: at("2026-09-12") },
    { kind: "analysis", from: at("2026-09-12"), to: now },
    { kind: "forecast", from: now, to: at("2026-09-18") },
    { kind: "gap", from: at("2026-09-18"), to: window.to },
  ]);
  expect(segmentsOf({ ...manifest, runs: [] }, window, now)).toEqual([{ ...window, kind: "gap" }]);
  const kinds = segmentsOf({ ...manifest, runs: [], fixed: true }, window, now).map(({ kind }) => kind);
  expect(kinds).toEqual(["analysis", "forecast"]);
});

it("takes each dataset of the archive for the ages that are its own", () => {
  const span = (dataset: string, from: string, to: string) => ({
    dataset,
    from: formatInstant(at(from)),
    to: formatInstant(at(to)),
  });
  const archive = [
    span("Forecast", "2026-03-10", "2026-10-01"),
    span("Hindcast-3M", "2026-05-01", "2026-09-11"),
    span("Hindcast-3Y", "2020-01-01", "2024-02-29T18:00"),
    span("Hindcast-3Y", "2024-04-01", "2026-07-01"),
  ];
  expect(answeringSpans(archive, now)).toEqual([
    { dataset: "Hindcast-3Y", from: at("2023-09-15T12:20"), to: at("2024-02-29T18:00") },
    { dataset: "Hindcast-3Y", from: at("2024-04-01"), to: at("2026-06-17T12:20") - 1 },
    { dataset: "Hindcast-3M", from: at("2026-06-17T12:20"), to: at("2026-09-10T12:20") - 1 },
    { dataset: "Forecast", from: at("2026-09-10T12:20"), to: at("2026-09-25T12:20") },
  ]);
  expect(answeringSpans(archive.slice(0, 1), now, true)[0]!.from).toBe(at("2026-03-15T12:20"));
});

const spans = [
  { from: at("2024-01-01T00:30"), to: at("2024-02-29T18:30") },
  { from: at("2024-04-01"), to: now - 1 },
  { from: now, to: at("2026-09-22") },
];
// Whole hours between two consecutive datasets stay unchanged.
const seam = [
  { from: at("2026-09-01"), to: at("2026-09-10T11:40") },
  { from: at("2026-09-10T12:20"), to: at("2026-09-22") },
];
it.each([
  ["2026-09-16T18:00", spans, "2026-09-16T18:00", undefined],
  ["2026-09-24T18:00", spans, "2026-09-22", "ahead"],
  ["2026-10-24T18:00", undefined, "2026-09-25T12:00", "ahead"],
  ["2023-12-24T18:00", spans, "2024-01-01T01:00", "past"],
  ["2020-01-01", undefined, "2023-09-15T14:00", "past"],
  ["2024-03-02", spans, "2024-02-29T18:00", "gap"],
  ["2024-03-30", spans, "2024-04-01", "gap"],
  ["2026-09-10T12:00", seam, "2026-09-10T12:00", undefined],
  ["2024-03-30", [], "2024-03-30", undefined],
])("shows for %s the nearest time that is answered, and says why", (wanted, known, time, why) => {
  expect(shownFor(at(wanted), known, now)).toEqual({ time: at(time), why });
});

it.each([
  [3, 1, [6, 4, 6, 6]],
  [6, -1, [3, 5, 3, 0]],
  // Steps lead from between two instants to the next whole hours, across the gap from 18 to 60, and to the
  // last instant but no farther.
  [4.5, 1, [6, 5, 6, 6]],
  [4.5, -1, [3, 4, 3, 0]],
  [18, 1, [60, 60, 60, 60]],
  [60, -1, [18, 18, 18, 18]],
  [63, 1, [64, 64, 64, 64]],
  [64, 1, []],
  [0, -1, []],
] as const)(
  "steps from %d by %d to whole hours between the steps of the model, over gaps, and to the ends",
  (from, by, to) => {
    const instants = ofHours(0, 1, 2, 3, 6, 9, 12, 18, 60, 63, 64);
    const found = ([undefined, 1, 3, 6] as const).map((hours) =>
      stepBeside(instants, from * HOUR_S, by, hours),
    );
    expect(found.filter((time) => time !== undefined)).toEqual(ofHours(...to));
  },
);

it.each([
  [undefined, 3, false, [47, 45, 48, 44, 43]],
  [3, 2, false, [48, 45, 42]],
  [undefined, 3, true, [47, 48]],
] as const)(
  "prefetches what comes next: both sides in turn, or ahead while it plays",
  (hours, reach, isPlaying, next) => {
    const instants = ofHours(...Array(49).keys());
    expect(timesAround(instants, 46 * HOUR_S, hours, reach, isPlaying)).toEqual(ofHours(...next));
  },
);

it("snaps a place on the bar to a whole step that can be shown", () => {
  const instants = ofHours(1, 2, 3, 6, 9, 60, 63);
  const places = [
    [4.2, undefined],
    [4.2, 1],
    [4.2, 6],
    [20, 6],
    [-5, 6],
    [99, 6],
  ] as const;
  const found = places.map(([hour, step]) => snapped(instants, hour * HOUR_S, step));
  expect(found).toEqual(ofHours(3, 4, 6, 9, 1, 63));
  expect(snapped([], 0, 6)).toBeUndefined();
});
