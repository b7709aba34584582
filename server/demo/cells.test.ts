import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { parseInstant } from "#lib/time.ts";
import { openReader } from "#server/archive/reader.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { columnsOf } from "#test/archive.ts";
import { inlinePool } from "#test/demo-pool.ts";
import { demoWorld } from "#test/demo-world.ts";
import { seeded } from "#test/seeded.ts";
import { computeChunk, demoArray } from "./chunk.ts";
import { computeCells } from "./compute-cells.ts";
import { fieldGroups } from "./fields/field-groups.ts";
import { demoManifest } from "./runs.ts";
import { demoStore } from "./store.ts";

vi.mock("#server/platform/next-turn.ts", async (original) => {
  const actual = await original<typeof import("#server/platform/next-turn.ts")>();
  return { ...actual, nextTurn: vi.fn(actual.nextTurn) };
});

const now = parseInstant("2026-09-15T12:00:00Z");
const { runs } = demoManifest(now);
const forecast = runs.find(({ times }) => times.length === 265)!;
const runOf = (field: FieldName) => (field in forecast.fields ? forecast : runs[0]!);
const { signal } = new AbortController();
const stopped = new Int32Array(new SharedArrayBuffer(4));

let world: World;
beforeAll(() => {
  world = demoWorld();
});
let pool: ReturnType<typeof inlinePool>;
beforeEach(() => {
  pool = inlinePool();
});

/** Stored numbers of the four nodes of a cell, each from its own chunk. */
function fromChunks(field: FieldName, [step, row, column]: readonly number[]): number[] {
  const array = demoArray(`${runOf(field).path}/points/${field}`)!;
  const [steps, height, width] = array.chunk;
  const [down, across] = [Math.ceil(array.shape[1] / height), Math.ceil(array.shape[2] / width)];
  return [0, 1, 2, 3].map((corner) => {
    const [r, c] = [row! + (corner >> 1), (column! + (corner & 1)) % array.shape[2]];
    const number =
      (Math.floor(step! / steps) * down + Math.floor(r / height)) * across + Math.floor(c / width);
    const bytes = computeChunk(world, array, number).get(field)!;
    const at = ((step! % steps) * height + (r % height)) * width + (c % width);
    return new DataView(bytes.buffer).getInt16(2 * at, true);
  });
}

it("a cell has the numbers of its chunks: at the dateline, the poles, coasts, storms, chunk edges and anywhere", () => {
  const random = seeded(11);
  for (const { fields } of fieldGroups) {
    const field = fields[0]!;
    const run = runOf(field);
    const hours = run.fields[field]!.steps ?? [...run.times.keys()];
    const anyStep = () => hours[Math.floor(random() * hours.length)]!;
    const cells = [
      [0, 0, 0],
      [0, 719, 1439],
      [hours.at(-1)!, 0, 1439],
      [anyStep(), 360, 1439],
      [anyStep(), 559, 719],
      // The English Channel and the Strait of Gibraltar: land and sea in one cell.
      [anyStep(), 559, 715],
      [anyStep(), 504, 697],
      // Chunk edges.
      [anyStep(), 15, 15],
      [anyStep(), 479, 1007],
      ...Array.from({ length: 12 }, () => [
        anyStep(),
        Math.floor(720 * random()),
        Math.floor(1440 * random()),
      ]),
    ].map(([step, ...node]) => [Math.min(step!, run.times.length - 1), ...node]);
    const folder = `${run.path}/points/${field}`;
    const computed = computeCells(world, { folder, cells: Int32Array.from(cells.flat()), stopped })!;
    const values = new Int16Array(computed.buffer);
    for (const [place, name] of computed.fields.entries())
      for (const [i, cell] of cells.entries()) {
        const at = 4 * (place * cells.length + i);
        expect([...values.subarray(at, at + 4)], `${name} ${cell}`).toEqual(fromChunks(name, cell));
      }
  }
});

it("other events of the thread come between the cells of one field that were computed with those of another", async () => {
  const reader = openReader(demoStore(pool), { cacheBytes: 16 * 2 ** 20 });
  const rows = scattered(1600);
  const eastward = await read("eastward_wind_10m", rows, rows.length, reader);
  vi.mocked(nextTurn).mockClear();
  const northward = await read("northward_wind_10m", rows, rows.length, reader);
  // Counted, looked at and sampled, each in parts of 512 points.
  expect(nextTurn).toHaveBeenCalledTimes(9);
  expect(northward.length).toBe(eastward.length);
  expect(northward).not.toEqual(eastward);
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

/** Values of a field at points, read in requests of `size` points each. */
async function read(
  field: FieldName,
  rows: readonly (readonly [number, number, number])[],
  size: number,
  by = openReader(demoStore(pool), { cacheBytes: 16 * 2 ** 20 }),
): Promise<number[]> {
  const values: number[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const points = columnsOf(rows.slice(from, from + size));
    const out = new Float64Array(points.count).fill(-1);
    await by.valuesAt(runOf(field), field, points, undefined, out, signal);
    values.push(...out);
  }
  return values;
}

it.each([
  "eastward_wind_10m",
  "sea_surface_wave_significant_height",
  "sea_surface_temperature",
  "surface_northward_sea_water_velocity",
  "sea_floor_depth_below_sea_surface",
] satisfies FieldName[])(
  "%s at scattered places is what whole chunks give, and no chunk is computed",
  async (field) => {
    const rows = scattered(160);
    const together = await read(field, rows, rows.length);
    expect(pool.calls.map(({ chunks }) => chunks.length)).toEqual([]);
    expect(pool.cells).toHaveLength(1);
    const apart = await read(field, rows, 8);
    expect(pool.calls.length).toBeGreaterThan(0);
    expect(together).toEqual(apart);
  },
);

it("computes each cell once for all fields of its group", async () => {
  const by = openReader(demoStore(pool), { cacheBytes: 16 * 2 ** 20 });
  const rows = scattered(100);
  const fields = fieldGroups.find(
    ({ fields: [first] }) => first === "air_pressure_at_mean_sea_level",
  )!.fields;
  for (const field of fields) await read(field, rows, rows.length, by);
  expect(pool.cells).toHaveLength(1);
  const { cells } = pool.cells[0]!;
  const names = new Set(
    Array.from({ length: cells.length / 3 }, (_, i) => cells.slice(3 * i, 3 * i + 3).join()),
  );
  expect(names.size).toBe(cells.length / 3);
});

it("computes a chunk whole when many of its cells are wanted, at once or one after another, and then has it", async () => {
  const by = openReader(demoStore(pool), { cacheBytes: 16 * 2 ** 20 });
  const near = (offset: number) =>
    Array.from({ length: 18 }, (_, i) => [40.1 + 0.25 * (i % 6), -30.1 + offset, now] as const);
  // Six cells of one chunk, three requests.
  await read("air_temperature", near(0), 18, by);
  expect([pool.cells.length, pool.calls.length]).toEqual([1, 0]);
  await read("air_temperature", near(0.25), 18, by);
  expect([pool.cells.length, pool.calls.length]).toEqual([1, 1]);
  const again = await read("air_temperature", near(0), 18, by);
  expect([pool.cells.length, pool.calls.length]).toEqual([1, 1]);
  expect(again).toEqual(await read("air_temperature", near(0), 1));
});

it("computes the chunks around a few places, because their neighbours are asked for next", async () => {
  await read("air_temperature", scattered(16), 16);
  expect(pool.cells).toHaveLength(0);
  expect(pool.calls).toHaveLength(1);
});

it("stops between two cells when nobody wants the answer", () => {
  const folder = `${forecast.path}/points/air_temperature`;
  const stop = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  expect(computeCells(world, { folder, cells: new Int32Array(3), stopped: stop })).toBeUndefined();
});
