import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { parseInstant } from "#lib/time.ts";
import { openReader } from "#server/archive/reader.ts";
import { columnsOf } from "#test/archive.ts";
import { inlinePool } from "#test/demo-pool.ts";
import { demoWorld, demoWorldFolder } from "#test/demo-world.ts";
import { seeded } from "#test/seeded.ts";
import { type Computed, chunkBytes, demoArray } from "./compute.ts";
import { demoManifest } from "./runs.ts";
import { type DemoPool, demoPool, demoStore } from "./store.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const HOUR = 3600;
const { runs } = demoManifest(now);
const run = runs.find(({ times }) => times.length === 265)!;
const { signal } = new AbortController();
const folder = `${run.path}/points`;
const length = chunkBytes(demoArray(`${folder}/air_temperature`)!);

let pool: ReturnType<typeof inlinePool>;
beforeEach(() => {
  pool = inlinePool();
});

const reader = (cacheBytes = 16 * 2 ** 20) => openReader(demoStore(pool), { cacheBytes });

async function valuesAt(
  field: StoredName,
  rows: readonly (readonly [number, number, number])[],
  { from = run, by = reader() } = {},
): Promise<number[]> {
  const points = columnsOf(rows);
  const out = new Float64Array(points.count).fill(-1);
  await by.valuesAt(from, field, points, undefined, out, signal);
  return [...out];
}

it("computes fields of one group once when they are requested at the same time, as whole chunks and as single cells", async () => {
  const by = reader();
  const names = ["eastward_wind_10m", "northward_wind_10m", "air_pressure_at_mean_sea_level"] as const;
  const near = [[30.1, -40.1, now + 60]] as const;
  const far = Array.from({ length: 20 }, (_, i) => [8 * i - 80, 9 * i, now + 3 * HOUR * i] as const);
  for (const places of [near, far]) {
    const calls = pool.calls.length;
    const together = await Promise.all(names.map((field) => valuesAt(field, places, { by })));
    expect(pool.calls.length - calls).toBe(1);
    for (const [index, field] of names.entries())
      expect(together[index]).toEqual(await valuesAt(field, places, { by: reader() }));
  }
});

it.each([
  "manifest.json",
  `${folder}/salinity/zarr.json`,
  `${run.path}/maps/3/air_temperature/zarr.json`,
  "runs/Forecast.demo-world-2.x.y/points/air_temperature/zarr.json",
  `${run.path}/../${run.path}/points/air_temperature/zarr.json`,
])("has no object %j", async (key) => {
  const store = demoStore(pool);
  expect(store.get(key)).toBeUndefined();
  expect(await store.getRange(key, 0, length)).toBeUndefined();
});

/** Places and times of a request: anywhere, between two hours or on one. */
function scattered(count: number): (readonly [number, number, number])[] {
  const random = seeded(5);
  return Array.from({ length: count }, (_, i) => [
    i % 50 === 0 ? 90 : -90 + 180 * random(),
    i % 20 === 0 ? 180 - 0.2 * random() : -180 + 360 * random(),
    now + (i % 10 === 0 ? 3600 * Math.floor(200 * random()) : Math.floor(200 * 3600 * random())),
  ]);
}

it("gives scattered places the values of whole chunks, and computes each cell once for all fields of its group", async () => {
  const field = "eastward_wind_10m";
  const by = reader();
  const rows = scattered(160);
  const together = await valuesAt(field, rows, { by });
  const siblings = demoArray(`${folder}/${field}`)!.together.filter((name) => name !== field);
  for (const sibling of siblings) await valuesAt(sibling, rows, { by });
  expect(pool.calls.map(({ items }) => Object.keys(items).join())).toEqual(["cells"]);
  const apart: number[] = [];
  for (let from = 0; from < rows.length; from += 8)
    apart.push(...(await valuesAt(field, rows.slice(from, from + 8))));
  expect(pool.calls.some(({ items }) => "chunks" in items)).toBe(true);
  expect(together).toEqual(apart);
});

it("computes a chunk as a whole when many of its cells are requested, at once or one after another, and then has it", async () => {
  const by = reader();
  const near = (offset: number) =>
    Array.from({ length: 18 }, (_, i) => [40.1 + 0.25 * (i % 6), -30.1 + offset, now] as const);
  const calls = () => pool.calls.map(({ items }) => ("chunks" in items ? "chunks" : "cells"));
  // Three requests read six cells of one chunk.
  await valuesAt("air_temperature", near(0), { by });
  expect(calls()).toEqual(["cells"]);
  await valuesAt("air_temperature", near(0.25), { by });
  expect(calls()).toEqual(["cells", "chunks"]);
  await valuesAt("air_temperature", near(0), { by });
  expect(pool.calls).toHaveLength(2);
});

describe("threads", () => {
  let threads: DemoPool;
  beforeAll(async () => {
    threads = demoPool({ seed: 1, folder: demoWorldFolder() });
    demoWorld();
    await threads.warm();
  });
  afterAll(() => threads.close());
  const wind = `${folder}/eastward_wind_10m`;

  it("compute what this thread computes, in the order of the request", async () => {
    const items = { chunks: [70_000, 70_001, 70_002, 90_000, 90_001] };
    const [there, here] = await Promise.all([threads, pool].map((one) => bytesOf(one.compute(wind, items))));
    expect(there!.length).toBeGreaterThan(5 * 3 * 1024);
    expect(Buffer.compare(there!, here!)).toBe(0);
  });

  /** Returns all parts of one field, and then those of the next. */
  async function bytesOf(computing: Promise<Computed[]>): Promise<Buffer> {
    const parts = await computing;
    const { length: count } = parts[0]!.fields;
    return Buffer.concat(
      [...Array(count).keys()].flatMap((field) =>
        parts.map(({ bytes }) =>
          bytes.subarray((field * bytes.length) / count, ((field + 1) * bytes.length) / count),
        ),
      ),
    );
  }

  it("stop when the answer is no longer needed, and stay alive for the next request", async () => {
    const controller = new AbortController();
    const chunks = Array.from({ length: 100_000 }, (_, number) => number);
    const asked = threads.compute(wind, { chunks }, controller.signal);
    const reason = new Error("gone");
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await expect(threads.compute(wind, { chunks: [1] }, controller.signal)).rejects.toBe(reason);
    expect(await threads.compute(wind, { chunks: [70_000] })).toHaveLength(1);
  });
});
