import { strided } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import type { AreaWish } from "#components/api-client/saved-areas.ts";
import { stepsAt, timelineOf } from "#components/view-state/timeline.ts";
import type { DrawableRun, FieldManifest } from "#lib/contract/field-manifest.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { drawableRun, globeGrid } from "#test/map.ts";
import { planArea, savedInstants } from "./area-plan.ts";

const now = parseInstant("2026-12-31T12:00:00Z");
const at = (hours: number) => formatInstant(now + hours * HOUR_S);
const hours = (from: number, to: number, step = 1) =>
  Array.from({ length: (to - from) / step + 1 }, (_, index) => at(from + index * step));

const globe = globeGrid(5);
const coarse = { latitude: strided(globe.latitude, 4), longitude: strided(globe.longitude, 4) };
const middle = { latitude: strided(globe.latitude, 2), longitude: strided(globe.longitude, 2) };
const levels = [
  { level: "1", grid: globe, chunk: { rows: 18, columns: 36 } },
  { level: "2", grid: middle, chunk: { rows: 19, columns: 36 } },
  { level: "4", grid: coarse, chunk: { rows: 10, columns: 18 } },
];
const planes = ["u", "v"].map((name) => ({ name, unit: "m s-1", scale: 0.01, offset: 0 }));

/** A run from hours `from` to `to` after now that has steps `beyond` them. */
const run = (name: string, from: number, to: number, times: string[]): DrawableRun =>
  drawableRun({
    run: name,
    from: at(from),
    to: at(to),
    times,
    levels,
    planes,
    frames: `/2DMetOcean/signed-frames/grant/Forecast/${name}/wind`,
  });
const manifest = (...runs: DrawableRun[]): FieldManifest => ({ variable: "wind", now: at(0), runs });
const wish: AreaWish = {
  box: { south: 40, north: 45, west: -40, east: -20 },
  variables: ["wind"],
  model: null,
  days: 1,
  hours: 3,
  from: now,
};

it("plans the coarsest level and the finest one of the box, at the exact size of their frames", () => {
  const { frames, bytes, until, manifests } = planArea(wish, [manifest(run("a", -5, 120, hours(-6, 121)))]);
  expect(until).toBe(now + 24 * HOUR_S);
  const paths = [...frames.keys()].map((path) => decodeURIComponent(path.split("/wind/")[1] ?? ""));
  expect(new Set(paths.map((path) => path.slice(0, 20)))).toEqual(new Set(hours(0, 24, 3)));
  expect(new Set(paths.map((path) => path.slice(20)))).toEqual(new Set(["/4/all", "/1/1.0"]));
  const grid = { latitude: { start: 0, step: 5, count: 18 }, longitude: { start: -180, step: 5, count: 36 } };
  const band = new Int16Array(18 * 36);
  const fine = encodeFrame(grid, 0, planes, [band, band]).length;
  const whole = encodeFrame(coarse, 0, planes, [new Int16Array(180), new Int16Array(180)]).length;
  expect(bytes).toBe(9 * (fine + whole));
  const [{ runs = [] } = {}] = manifests.map((one) => one.manifest);
  expect(manifests[0]?.name).toBe("/2DMetOcean/manifest?variable=wind");
  expect(runs.map(({ times, from, to }) => [times, from, to])).toEqual([[hours(0, 24, 3), at(0), at(24)]]);
  expect(runs[0]?.levels.map(({ level }) => level)).toEqual(["1", "4"]);
});

it.each([
  ["at the antimeridian", { south: -20, north: -10, west: 175, east: 190 }, ["/1/0.0", "/1/0.1"]],
  ["around the globe", { south: -80, north: 80, west: -180, east: 180 }, undefined],
])("a box %s has the chunks on both sides", (_, box, expected) => {
  const { frames } = planArea({ ...wish, box }, [manifest(run("a", 0, 120, hours(0, 120)))]);
  const chunks = new Set([...frames.keys()].map((path) => path.slice(-6)).filter((path) => path[1] === "1"));
  if (expected) expect([...chunks].sort()).toEqual(expected);
  else expect(chunks.size).toBe(4);
});

it("every saved time is interpolated from saved steps by the run that answers, also where runs follow each other", () => {
  // The second run has steps of three hours, and the first ends between two saved times.
  const whole = manifest(run("new", 0, 7, hours(0, 8)), run("old", -12, 120, hours(-12, 120, 3)));
  const { manifests } = planArea(wish, [whole]);
  const saved = manifests[0]!.manifest;
  const times = timelineOf(saved);
  // The end of the first run is a step of it, which is needed up to the next saved time.
  expect(times.map((time) => (time - now) / HOUR_S)).toEqual([0, 3, 6, 7, 9, 12, 15, 18, 21, 24]);
  for (let time = now; time <= now + 24 * HOUR_S; time += HOUR_S / 2) {
    const pair = stepsAt(saved, time);
    expect(pair?.run.run, formatInstant(time)).toBe(stepsAt(whole, time)?.run.run);
    expect(pair!.run.times).toContain(pair!.after);
    expect(pair!.run.times).toContain(pair!.before);
  }
  // Times that cannot be shown are not offered.
  expect(stepsAt(saved, now - HOUR_S)).toBeUndefined();
  expect(stepsAt(saved, now + 25 * HOUR_S)).toBeUndefined();
});

it("a daily layer has the days around the span, a static one its only step and no end", () => {
  const daily = manifest(run("day", -120, 120, hours(-132, 132, 24)));
  expect(planArea(wish, [daily]).manifests[0]?.manifest.runs[0]?.times).toEqual(hours(-12, 36, 24));
  const depth = { ...manifest(run("depth", -9999, 9999, ["1970-01-01T00:00:00Z"])), fixed: true as const };
  const plan = planArea({ ...wish, variables: ["bathy"] }, [depth]);
  expect(plan.until).toBeUndefined();
  expect(plan.frames.size).toBe(2);
});

it("an archive without runs has nothing to save", () => {
  expect(planArea(wish, [manifest()])).toMatchObject({ bytes: 0, until: undefined });
});

it.each([
  [[0, 1, 2, 3, 4, 5, 6], 3, [0, 3, 6]],
  [[0, 1, 2, 3, 6, 9, 12], 1, [0, 1, 2, 3, 6]],
  [[0, 6, 12], 3, [0, 6]],
  [[-6, 0.5, 7], 6, [-6, 0.5, 7]],
])("of the hours %j every %i h are saved", (instants, step, expected) => {
  const found = savedInstants(
    instants.map((hour) => hour * HOUR_S),
    { from: 0, to: 6 * HOUR_S },
    step,
  );
  expect(found.map((time) => time / HOUR_S)).toEqual(expected);
});
