import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { coordinates, type Grid } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import {
  asyncStore,
  columnsOf,
  newRun,
  publish,
  quantised,
  randomSteps,
  readValues,
  type Steps,
  smallArchive,
  temporaryFolder,
} from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { directoryStore } from "./directory-store.ts";
import { readMapStep } from "./map-step.ts";
import { openReader } from "./reader.ts";
import type { Run } from "./run.ts";
import type { ChunkStore } from "./store.ts";

const FIELD = "eastward_wind_10m";
const CACHE_BYTES = 16 * 1024 * 1024;
const never = new AbortController().signal;

const grids: Record<string, Grid> = {
  "a globe with rows at the poles": {
    latitude: { start: -90, step: 5, count: 37 },
    longitude: { start: -180, step: 5, count: 72 },
  },
  "a globe with rows half a step from the poles": {
    latitude: { start: -87.5, step: 5, count: 36 },
    longitude: { start: -177.5, step: 5, count: 72 },
  },
  "a region across the antimeridian": {
    latitude: { start: -12.3, step: 0.7, count: 53 },
    longitude: { start: 151.1, step: 0.9, count: 61 },
  },
  "a small region": {
    latitude: { start: 40, step: 0.25, count: 5 },
    longitude: { start: -10, step: 0.25, count: 3 },
  },
};

/** Follows the contract literally: finds the neighbours one by one, then takes the weighted mean of the valid ones. */
function naive(run: Run, steps: Steps, latitude: number, longitude: number, time: number): number {
  const present = run.times.flatMap((stepTime, i) =>
    steps[i] ? [{ time: stepTime, values: steps[i] }] : [],
  );
  const rows = neighbours(coordinates(run.grid.latitude), latitude, run.grid.latitude.step / 2);
  const meridians = [...coordinates(run.grid.longitude)];
  if (meridians.length * run.grid.longitude.step === 360) meridians.push(meridians[0]! + 360);
  const turns = [-720, -360, 0, 360, 720].map((turn) => neighbours(meridians, longitude + turn, 0));
  const columns = turns.find((found) => found);
  const moments = neighbours(
    present.map((step) => step.time),
    time,
    0,
  );
  if (!rows || !columns || !moments) return Number.NaN;
  const count = run.grid.longitude.count;
  return mean(
    moments.map(({ index, weight }) => {
      const corners = rows.flatMap((row) =>
        columns.map((column) => ({
          weight: row.weight * column.weight,
          value: quantised(FIELD, present[index]!.values[row.index * count + (column.index % count)]!),
        })),
      );
      return { weight, value: mean(corners) };
    }),
  );
}

function neighbours(axis: ArrayLike<number>, at: number, poleReach: number) {
  const last = axis.length - 1;
  if (poleReach > 0 && at > axis[last]! && axis[last]! + poleReach >= 90) return [{ index: last, weight: 1 }];
  if (poleReach > 0 && at < axis[0]! && axis[0]! - poleReach <= -90) return [{ index: 0, weight: 1 }];
  for (let i = 0; i <= last; i++) {
    // Adding 360 to a longitude loses its last digits.
    if (Math.abs(at - axis[i]!) < 1e-9) return [{ index: i, weight: 1 }];
    if (i < last && axis[i]! < at && at < axis[i + 1]!) {
      const share = (at - axis[i]!) / (axis[i + 1]! - axis[i]!);
      return [
        { index: i, weight: 1 - share },
        { index: i + 1, weight: share },
      ];
    }
  }
  return undefined;
}

function mean(parts: readonly { weight: number; value: number }[]): number {
  const valid = parts.filter(({ value }) => !Number.isNaN(value));
  const weight = valid.reduce((sum, part) => sum + part.weight, 0);
  return weight < 0.5 - 1e-9
    ? Number.NaN
    : valid.reduce((sum, part) => sum + part.weight * part.value, 0) / weight;
}

function randomPoints(run: Run, count: number, random: () => number) {
  const { grid, times } = run;
  const near = (axis: Grid["latitude"]) => axis.start + axis.step * (random() * (axis.count + 2) - 1.5);
  const nodes = (axis: Grid["latitude"]) => axis.start + axis.step * Math.floor(random() * axis.count);
  return columnsOf(
    Array.from({ length: count }, (_, i) => [
      Math.max(-90, Math.min(90, i % 5 === 0 ? nodes(grid.latitude) : near(grid.latitude))),
      (i % 7 === 0 ? nodes(grid.longitude) : near(grid.longitude)) + 360 * (Math.floor(3 * random()) - 1),
      i % 3 === 0
        ? times[Math.floor(random() * times.length)]!
        : times[0]! - 3600 + random() * (times.at(-1)! - times[0]! + 7200),
    ]),
  );
}

describe.each(Object.entries(grids))("on %s", (_, grid) => {
  it.each([1, 5, 21])("equals a plain search of the neighbours, with %i steps", async (stepCount) => {
    const random = seeded(stepCount);
    const root = temporaryFolder();
    const steps: Steps = randomSteps(grid, stepCount, random).map((values, i) =>
      i % 4 === 2 ? undefined : values,
    );
    const run = await publish(root, newRun(grid, stepCount), { [FIELD]: steps });
    const points = randomPoints(run, 2000, random);
    const expected = Float64Array.from(points.time, (time, i) =>
      naive(run, steps, points.latitude[i]!, points.longitude[i]!, time),
    );
    const files = directoryStore(root);
    for (const store of [files, asyncStore(files)]) {
      const reader = openReader(store, { cacheBytes: CACHE_BYTES });
      for (const state of ["empty", "full"]) {
        const out = new Float64Array(points.count);
        await reader.valuesAt(run, FIELD, points, undefined, out, never);
        for (let i = 0; i < points.count; i++) {
          const where = `${state} cache, ${points.latitude[i]}, ${points.longitude[i]} at ${points.time[i]}`;
          if (Number.isNaN(expected[i]!)) expect(out[i], where).toBeNaN();
          else expect(out[i], where).toBeCloseTo(expected[i]!, 6);
        }
      }
    }
  });
});

it("writes only the selected points, and missing values of a field that the run lacks", async () => {
  const { run, reader, points } = await smallArchive();
  const out = new Float64Array(points.count).fill(77);
  await reader.valuesAt(run, FIELD, points, Int32Array.of(3, 1), out, never);
  expect([...out].map((value) => value === 77)).toEqual([true, false, true, false, true]);
  await reader.valuesAt(run, "wind_speed_of_gust", points, undefined, out, never);
  expect([...out].every(Number.isNaN)).toBe(true);
});

it("the last step stays valid for as long as the run says, and a static field at all times", async () => {
  const root = temporaryFolder();
  const grid = grids["a small region"]!;
  const ones = new Float32Array(15).fill(1);
  const reader = openReader(directoryStore(root), { cacheBytes: CACHE_BYTES });
  const run = await publish(root, { ...newRun(grid, 2), holds: 3600 }, { [FIELD]: [ones, ones] });
  const end = run.times[1]!;
  const after = [3600, 3601].map((seconds) => [40.5, -9.8, end + seconds] as const);
  expect(await readValues(reader, run, FIELD, after)).toEqual([1, Number.NaN]);
  const depth = "sea_floor_depth_below_sea_surface";
  const always = { ...newRun(grid, 1), dataset: "Static", referenceTime: 0, times: [0] } as const;
  const bottom = await publish(root, { ...always, times: [0] }, { [depth]: [ones] });
  expect(await readValues(reader, bottom, depth, after)).toEqual([1, 1]);
});

it("stays within its budget and returns correct numbers when requests need far more memory", async () => {
  const root = temporaryFolder();
  const grid: Grid = {
    latitude: { start: -90, step: 0.5, count: 361 },
    longitude: { start: -180, step: 0.5, count: 720 },
  };
  const values = Float32Array.from({ length: 361 * 720 }, (_, i) => (i % 6000) / 100);
  const later = values.map((value) => value + 1);
  const [east, north] = ["eastward_wind_10m", "northward_wind_10m"] as const;
  const run = await publish(root, newRun(grid, 2), { [east]: [values, later], [north]: [later, values] });
  const reader = openReader(directoryStore(root), { cacheBytes: 3 * 1024 * 1024 });
  const random = seeded(3);
  const nodes = Array.from({ length: 20_000 }, () => {
    const [row, column] = [Math.floor(random() * 361), Math.floor(random() * 720)];
    return { at: row * 720 + column, row, column, step: random() < 0.5 ? 0 : 1 };
  });
  const places = nodes.map(
    ({ row, column, step }) => [row / 2 - 90, column / 2 - 180, run.times[step]!] as const,
  );
  const found = await Promise.all([east, north].map((field) => readValues(reader, run, field, places)));
  for (const [i, { at, step }] of nodes.entries())
    for (const [component, numbers] of found.entries())
      expect(Math.abs(numbers[i]! - (component === step ? values : later)[at]!)).toBeLessThan(0.006);
  const { bytes, budget } = reader.memory();
  expect(bytes).toBeLessThanOrEqual(budget);
});

it("reads the index of an array once for all its steps, as points and as whole steps", async () => {
  const { root, run, points } = await smallArchive();
  const files = directoryStore(root);
  const keys: string[] = [];
  const store: ChunkStore = {
    ...files,
    getRange: (key, offset, length) => {
      if (offset < 0) keys.push(key);
      return files.getRange(key, offset, length);
    },
  };
  const withoutFrames: Run = { ...run, storedFrames: [] };
  const reader = openReader(store, { cacheBytes: CACHE_BYTES });
  const steps = await Promise.all(
    run.times.map((_, step) => readMapStep(files, withoutFrames, FIELD, step, 1, never)),
  );
  for (const [step, { values }] of steps.entries())
    expect((await reader.mapStep(withoutFrames, FIELD, step, 1, never)).values).toEqual(values);
  await reader.valuesAt(run, FIELD, points, undefined, new Float64Array(points.count), never);
  expect(keys).toEqual([`${run.path}/points/${FIELD}/c.0.0.0`]);
});

it("fails on damaged bytes, wherever in a chunk or index they are, and never returns a number", async () => {
  const { root, run, points } = await smallArchive();
  const shard = join(root, run.path, "points", FIELD, "c.0.0.0");
  const good = readFileSync(shard);
  const damaged: Uint8Array[] = [good.subarray(0, good.length - 100)];
  for (let at = 0; at < good.length; at += 29) damaged.push(good.with(at, good[at]! ^ 0x10));
  const out = new Float64Array(points.count).fill(77);
  for (const bad of damaged) {
    writeFileSync(shard, bad);
    for (const store of [directoryStore(root), asyncStore(directoryStore(root))]) {
      const reading = openReader(store, { cacheBytes: CACHE_BYTES });
      await expect(reading.valuesAt(run, FIELD, points, undefined, out, never)).rejects.toThrow(
        `The stored ${FIELD} of ${run.id} is damaged`,
      );
    }
  }
  expect([...out].every((value) => value === 77)).toBe(true);
});

it("an aborted request ends before it reads anything, or when it yields to others", async () => {
  const { root, run, reader, points } = await smallArchive();
  const out = new Float64Array(200_000);
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(reader.valuesAt(run, FIELD, points, undefined, out, gone)).rejects.toThrow("gone");
  await expect(reader.mapStep(run, FIELD, 0, 1, gone)).rejects.toThrow("gone");
  const controller = new AbortController();
  let now = 0;
  const monotonic = () => {
    now += 10;
    if (now > 50) controller.abort(new Error("gone later"));
    return now;
  };
  const slow = openReader(directoryStore(root), { cacheBytes: CACHE_BYTES, monotonic });
  const many = columnsOf(Array.from(out, () => [40.1, -9.9, run.times[0]!]));
  await expect(slow.valuesAt(run, FIELD, many, undefined, out, controller.signal)).rejects.toThrow(
    "gone later",
  );
  expect(out.at(-1)).toBe(0);
});
