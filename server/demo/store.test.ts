import { beforeEach, expect, it } from "vitest";
import { FILL, type FieldName, fields } from "#lib/catalog/fields.ts";
import { parseInstant } from "#lib/time.ts";
import { openReader } from "#server/archive/reader.ts";
import { SHARD_KEY } from "#server/archive/zarr-metadata.ts";
import { columnsOf } from "#test/archive.ts";
import { inlinePool } from "#test/demo-pool.ts";
import { seeded } from "#test/seeded.ts";
import { chunkBytes, demoArray } from "./chunk.ts";
import type { Computed } from "./compute-chunks.ts";
import { demoManifest } from "./runs.ts";
import { demoStore } from "./store.ts";

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
  field: FieldName,
  rows: readonly (readonly [number, number, number])[],
  { from = run, by = reader() } = {},
): Promise<number[]> {
  const points = columnsOf(rows);
  const out = new Float64Array(points.count).fill(-1);
  await by.valuesAt(from, field, points, undefined, out, signal);
  return [...out];
}

it("has one meridian at ±180, and the same number next to it", async () => {
  const time = now + HOUR / 2;
  for (const field of Object.keys(run.fields) as FieldName[]) {
    const places = [-77, -40.1, 0, 12.4, 60].flatMap((latitude) => [
      [latitude, 180, time] as const,
      [latitude, -180, time] as const,
      [latitude, 179.9999999, time] as const,
      [latitude, -179.9999999, time] as const,
    ]);
    const values = await valuesAt(field, places);
    for (let at = 0; at < values.length; at += 4) {
      expect(values[at + 1], field).toBe(values[at]);
      for (const near of [at + 2, at + 3]) {
        if (Number.isNaN(values[at]!)) expect(values[near]).toBeNaN();
        else expect(Math.abs(values[near]! - values[at]!), field).toBeLessThan(fields[field].scale);
      }
    }
  }
});

it("answers at the poles: air everywhere, sea at the north one, land at the south one", async () => {
  const poles = [
    [90, 0, now],
    [90, 180, now],
    [-90, 0, now],
    [-90, -180, now],
  ] as const;
  for (const value of await valuesAt("air_temperature", poles)) expect(value).toBeLessThan(15);
  const sst = await valuesAt("sea_surface_temperature", poles);
  expect(sst.map(Number.isNaN)).toEqual([false, false, true, true]);
});

it("has the same map as points, to the last node of a level", async () => {
  const stride = 4;
  for (const field of ["air_pressure_at_mean_sea_level", "sea_surface_wave_significant_height"] as const) {
    const { grid, values } = await reader().mapStep(run, field, 12, stride, signal);
    const random = seeded(5);
    const nodes = Array.from({ length: 12 }, () => Math.floor(random() * values.length));
    nodes.push(0, values.length - 1);
    const places = nodes.map((node) => {
      const row = Math.floor(node / grid.longitude.count);
      const column = node % grid.longitude.count;
      return [
        grid.latitude.start + row * grid.latitude.step,
        grid.longitude.start + column * grid.longitude.step,
        run.times[12]!,
      ] as const;
    });
    const points = await valuesAt(field, places);
    for (const [i, node] of nodes.entries()) {
      const stored = values[node]!;
      const value = stored === FILL ? Number.NaN : stored * fields[field].scale + fields[field].offset;
      if (Number.isNaN(value)) expect(points[i]).toBeNaN();
      else expect(points[i]).toBeCloseTo(value, 9);
    }
  }
});

it("computes fields of one group once", async () => {
  const by = reader();
  const place = [[30.1, -40.1, now + 60]] as const;
  const u = await valuesAt("eastward_wind_10m", place, { by });
  const before = pool.calls.length;
  const v = await valuesAt("northward_wind_10m", place, { by });
  await valuesAt("air_pressure_at_mean_sea_level", place, { by });
  expect(pool.calls).toHaveLength(before);
  expect(Math.hypot(u[0]!, v[0]!)).toBeGreaterThan(0);
  await valuesAt("eastward_wind_80m", place, { by });
  await valuesAt("northward_wind_80m", place, { by });
  expect(pool.calls).toHaveLength(before + 1);
});

it("computes fields of one group once that are asked for at the same time, whole chunks and single cells", async () => {
  const by = reader();
  const names = ["eastward_wind_10m", "northward_wind_10m", "air_pressure_at_mean_sea_level"] as const;
  const near = [[30.1, -40.1, now + 60]] as const;
  const far = Array.from({ length: 20 }, (_, i) => [8 * i - 80, 9 * i, now + 3 * HOUR * i] as const);
  for (const places of [near, far]) {
    const [calls, cells] = [pool.calls.length, pool.cells.length];
    const together = await Promise.all(names.map((field) => valuesAt(field, places, { by })));
    expect(pool.calls.length + pool.cells.length - calls - cells).toBe(1);
    for (const [index, field] of names.entries())
      expect(together[index]).toEqual(await valuesAt(field, places, { by: reader() }));
  }
});

it("a field whose sibling could not be computed is computed by itself", async () => {
  let fails = 1;
  const store = demoStore({
    ...pool,
    compute: (...question) => (fails-- > 0 ? Promise.reject(new Error("no")) : pool.compute(...question)),
  });
  const ask = async (field: string) =>
    store.getRanges(`${folder}/${field}/${SHARD_KEY}`, [{ offset: 0, length }]);
  const [eastward, northward] = await Promise.allSettled([
    ask("eastward_wind_10m"),
    ask("northward_wind_10m"),
  ]);
  expect([eastward.status, northward.status]).toEqual(["rejected", "fulfilled"]);
});

it("hands the caller's signal to the pool", async () => {
  const controller = new AbortController();
  const store = demoStore(pool);
  await store.getRanges(`${folder}/air_temperature/${SHARD_KEY}`, [{ offset: 0, length }], controller.signal);
  expect(pool.calls[0]?.signal).toBe(controller.signal);
});

it("fails only the read that the pool failed", async () => {
  let broken = true;
  const store = demoStore({
    ...pool,
    compute: (...question) => (broken ? Promise.reject(new Error("no")) : pool.compute(...question)),
  });
  const ask = async () => store.getRanges(`${folder}/air_temperature/${SHARD_KEY}`, [{ offset: 0, length }]);
  await expect(ask()).rejects.toThrow("no");
  broken = false;
  expect((await ask())?.[0]).toHaveLength(length);
});

it.each([
  "manifest.json",
  "",
  "zarr.json",
  "/c/0/0/0",
  "runs/zarr.json",
  `${folder}/salinity/zarr.json`,
  `${run.path}/maps/3/air_temperature/zarr.json`,
  "runs/Forecast.demo-world.x.y/points/air_temperature/zarr.json",
  `${run.path}/../${run.path}/points/air_temperature/zarr.json`,
])("has no object %j", (key) => {
  const store = demoStore(pool);
  expect(store.get(key)).toBeUndefined();
  expect(store.getRange(key, 0, length)).toBeUndefined();
});

it.each([
  ["before the first chunk", { offset: -length, length }],
  ["between two chunks", { offset: 1, length }],
  ["of another length", { offset: 0, length: length - 1 }],
  ["past the last chunk", { offset: length * 133 * 46 * 90, length }],
])("has nothing %s", (_, range) => {
  expect(demoStore(pool).getRanges(`${folder}/air_temperature/${SHARD_KEY}`, [range])).toBeUndefined();
});

/** A pool whose chunks are empty, with as many siblings as a wave has. */
function hollowPool() {
  let chunks = 0;
  const names = Object.keys(run.fields).filter((name) => /^sea_surface_\w*wave_/.test(name)) as FieldName[];
  return {
    computed: () => chunks,
    computeCells: () => Promise.reject(new Error("not asked for")),
    async compute(_: string, numbers: number[]): Promise<Computed[]> {
      chunks += numbers.length;
      return [{ fields: names, buffer: new ArrayBuffer(names.length * numbers.length * length) }];
    },
  };
}

it("caches fields computed with another only within its budget, the newest first", async () => {
  const hollow = hollowPool();
  const store = demoStore(hollow);
  const range = (number: number) => ({ offset: number * length, length });
  const key = (field: string) => `${folder}/${field}/${SHARD_KEY}`;
  // 11 siblings × 8,000 chunks × 1 kB: 90 MB, of which 64 MiB may stay.
  const count = 8000;
  for (let from = 0; from < count; from += 500) {
    const ranges = Array.from({ length: 500 }, (_, i) => range(from + i));
    await store.getRanges(key("sea_surface_wave_significant_height"), ranges);
  }
  expect(hollow.computed()).toBe(count);
  await store.getRanges(key("sea_surface_wave_mean_period"), [range(count - 1)]);
  expect(hollow.computed()).toBe(count);
  await store.getRanges(key("sea_surface_wave_mean_period"), [range(0)]);
  expect(hollow.computed()).toBe(count + 1);
});

it("needs no more memory the more runs are read", async () => {
  const by = reader(16 * 2 ** 20);
  for (const from of runs.filter(({ dataset }) => dataset === "Hindcast-3Y")) {
    const [value] = await valuesAt("air_pressure_at_mean_sea_level", [[30, -40, from.times[1]!]], {
      from,
      by,
    });
    expect(value).toBeNaN();
    const [wind] = await valuesAt("eastward_wind_10m", [[30, -40, from.times[1]!]], { from, by });
    expect(Math.abs(wind!)).toBeLessThan(60);
    const { bytes, budget } = by.memory();
    expect(bytes).toBeLessThanOrEqual(budget);
  }
});

it("holds no more memory for cells of sibling fields than for its budget", async () => {
  const names = Object.keys(run.fields).filter((name) => /^sea_surface_\w*wave_/.test(name)) as FieldName[];
  let asked = 0;
  const store = demoStore(
    {
      compute: () => Promise.reject(new Error("not asked for")),
      async computeCells(_, cells) {
        asked++;
        return [{ fields: names, buffer: new ArrayBuffer(names.length * (cells.length / 3) * 8) }];
      },
    },
    // For cells a quarter of it: of one request 11 siblings × 1,000 cells × 20 bytes.
    4 * 250_000,
  );
  const cells = (first: number) => Int32Array.from({ length: 3000 }, (_, i) => first + i);
  const key = (field: string) => `${folder}/${field}/${SHARD_KEY}`;
  const [height, period] = ["sea_surface_wave_significant_height", "sea_surface_wave_mean_period"];
  await store.getCells(key(height!), cells(0));
  await store.getCells(key(height!), cells(1));
  expect(asked).toBe(2);
  await store.getCells(key(period!), cells(1));
  expect(asked).toBe(2);
  await store.getCells(key(period!), cells(0));
  expect(asked).toBe(3);
});

it("keeps the fields of a whole answer open in a small cache: none is opened again with each request", async () => {
  const store = demoStore(pool);
  const opened: string[] = [];
  const by = openReader(
    {
      ...store,
      get(key, signal) {
        opened.push(key);
        return store.get(key, signal);
      },
    },
    { cacheBytes: 16 * 2 ** 20 },
  );
  const names = Object.keys(run.fields) as FieldName[];
  const places = [[40.1, -30.2, now + HOUR / 2] as const];
  for (let request = 0; request < 3; request++)
    for (const field of names) await valuesAt(field, places, { by });
  expect(opened).toHaveLength(names.length);
  expect(by.memory().bytes).toBeLessThan(by.memory().budget);
});
