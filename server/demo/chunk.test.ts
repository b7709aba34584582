import { beforeAll, describe, expect, it } from "vitest";
import { FILL, type FieldName, fieldNames, fields } from "#lib/catalog/fields.ts";
import { strided } from "#lib/field/grid.ts";
import { parseInstant } from "#lib/time.ts";
import { groupOf } from "#server/demo/fields/field-groups.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { demoWorld } from "#test/demo-world.ts";
import { seeded } from "#test/seeded.ts";
import { chunkBytes, chunkCount, computeChunk, demoArray } from "./chunk.ts";
import { demoManifest } from "./runs.ts";

let world: World;
beforeAll(() => {
  world = demoWorld();
});

const { runs } = demoManifest(parseInstant("2026-09-15T12:00:00Z"));
const forecast = runs.find(({ times }) => times.length === 265)!;
const runOf = (field: FieldName) => (field in forecast.fields ? forecast : runs[0]!);

const chunks = new Map<string, Map<FieldName, Uint8Array>>();

/** Stored numbers of a node, for a field and its siblings, as the store returns them. */
function storedAt(field: FieldName, layout: string, step: number, row: number, column: number): number {
  const array = demoArray(`${runOf(field).path}/${layout}/${field}`)!;
  const [steps, height, width] = array.chunk;
  const [rows, columns] = [Math.ceil(array.shape[1] / height), Math.ceil(array.shape[2] / width)];
  const number =
    (Math.floor(step / steps) * rows + Math.floor(row / height)) * columns + Math.floor(column / width);
  const key = `${layout} ${field} ${number}`;
  const chunk = chunks.get(key) ?? computeChunk(world, array, number);
  chunks.set(key, chunk);
  const bytes = chunk.get(field)!;
  const at = ((step % steps) * height + (row % height)) * width + (column % width);
  return new DataView(bytes.buffer).getInt16(2 * at, true);
}

/** Stored number of a node, computed alone. */
function direct(field: FieldName, step: number, row: number, column: number): number {
  const run = runOf(field);
  const { latitude, longitude } = run.grid;
  const grid = {
    latitude: { start: latitude.start + row * latitude.step, step: latitude.step, count: 1 },
    longitude: { start: longitude.start + column * longitude.step, step: longitude.step, count: 1 },
  };
  const value = groupOf(field).compute(world, { grid, time: run.times[step]! })[field]![0]!;
  return Number.isNaN(value) ? FILL : Math.round((value - fields[field].offset) / fields[field].scale);
}

it("numbers are equal whatever the chunk: points, every level of the maps, and the node alone", () => {
  const random = seeded(3);
  for (const field of fieldNames) {
    const step = runOf(field) === forecast ? (forecast.fields[field]!.steps?.[3] ?? 13) : 0;
    for (let round = 0; round < 6; round++) {
      // Including chunk boundaries, poles and the ends of the axes.
      const row = [0, 180, 720, 364, 4 * Math.floor(181 * random()), 4 * Math.floor(181 * random())][round]!;
      const column = [0, 1436, 720, 360, 16 * Math.floor(90 * random()), 4 * Math.floor(360 * random())][
        round
      ]!;
      const alone = direct(field, step, row, column);
      const found = [
        storedAt(field, "points", step, row, column),
        storedAt(field, "maps/4", step, row / 4, column / 4),
        ...(round === 5 ? [storedAt(field, "maps/2", step, row / 2, column / 2)] : []),
      ];
      for (const one of found) expect(one, `${field} ${row} ${column}`).toBe(alone);
    }
  }
});

it("a field has the same chunk whichever field of its group was requested", () => {
  const folder = `${forecast.path}/points`;
  const requested = "sea_surface_wave_mean_period" satisfies FieldName;
  const together = computeChunk(world, demoArray(`${folder}/${requested}`)!, 70_000);
  expect(together.size).toBe(12);
  for (const [field, bytes] of together) {
    expect(computeChunk(world, demoArray(`${folder}/${field}`)!, 70_000).get(field)).toEqual(bytes);
  }
});

it("the two runs that meet at an instant have the same numbers there", () => {
  const weeks = runs.filter(({ dataset }) => dataset === "Hindcast-3M");
  for (const [older, newer] of [
    [weeks[2]!, weeks[3]!],
    [runs.filter(({ dataset }) => dataset === "Forecast").at(-1)!, forecast],
  ] as const) {
    expect(older.times.at(-1)).toBe(newer.times[0]);
    for (const field of Object.keys(older.fields) as FieldName[]) {
      const [before, after] = [older, newer].map(({ path }) => demoArray(`${path}/points/${field}`)!);
      const number = 20 * 90 + 11;
      const last = Math.floor((before!.shape[0] - 1) / 2) * 46 * 90 + number;
      const ending = computeChunk(world, before!, last).get(field)!;
      const values = 2 * 16 * 16;
      const from = ((before!.shape[0] - 1) % 2) * values;
      const beginning = computeChunk(world, after!, number).get(field)!;
      expect(ending.subarray(from, from + values), field).toEqual(beginning.subarray(0, values));
    }
  }
});

it("steps that a field lacks, and cells beyond the grid, are missing", () => {
  const array = demoArray(`${forecast.path}/points/sea_surface_temperature`)!;
  const bytes = computeChunk(world, array, 46 * 90 * 4 - 1).get("sea_surface_temperature")!;
  const values = new Int16Array(bytes.buffer, 0, 512);
  expect(values.every((value) => value === FILL)).toBe(true);
});

describe("folders", () => {
  it("name an array with the run's shape at every level", () => {
    const shapes = ["points", "maps/1", "maps/2", "maps/4"].map(
      (layout) => demoArray(`${forecast.path}/${layout}/air_temperature`)!.shape,
    );
    const rows = [1, 1, 2, 4].map((stride) => strided(forecast.grid.latitude, stride).count);
    expect(shapes).toEqual(rows.map((count, i) => [265, count, [1440, 1440, 720, 360][i]]));
  });

  it.each([
    "runs/x/points/air_temperature",
    `${forecast.path}/points/salinity`,
    `${forecast.path}/points/__proto__`,
    `${forecast.path}/points/sea_floor_depth_below_sea_surface`,
    `${forecast.path}/maps/3/air_temperature`,
    `${forecast.path}/maps/0/air_temperature`,
    `${forecast.path}/maps/04/air_temperature`,
    `${forecast.path}/points/../points/air_temperature`,
    `../${forecast.path}/points/air_temperature`,
  ])("%s names none", (folder) => {
    expect(demoArray(folder)).toBeUndefined();
  });

  it("determine the number of chunks and their length", () => {
    const array = demoArray(`${forecast.path}/points/air_temperature`)!;
    expect(chunkCount(array)).toBe(133 * 46 * 90);
    expect(chunkBytes(array)).toBe(2 * 512 + 4);
  });
});
