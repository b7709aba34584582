import { beforeAll, expect, it } from "vitest";
import { type FieldName, fieldNames } from "#lib/catalog/fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { parseInstant } from "#lib/time.ts";
import type { World } from "#server/demo/static/world.ts";
import { box, demoWorld } from "#test/demo-world.ts";
import { seeded } from "#test/seeded.ts";
import { chunkBytes, compute, demoArray } from "./compute.ts";
import { fieldGroups } from "./field-groups.ts";
import { demoManifest } from "./runs.ts";

const time = parseInstant("2026-09-15T12:00:00Z");
const { runs } = demoManifest(time);
const forecast = runs.find(({ times }) => times.length === 265)!;
const runOf = (field: FieldName) => (field in forecast.fields ? forecast : runs[0]!);
const stopped = new Int32Array(new SharedArrayBuffer(4));

let world: World;
beforeAll(() => {
  world = demoWorld();
});

it("computes every stored field of the catalog, each in exactly one group", () => {
  const computed = fieldGroups.flatMap((group) => group.fields).sort();
  expect(computed).toEqual([...fieldNames].sort());
  const served = runs.flatMap((run) => Object.keys(run.fields));
  expect([...new Set(served)].sort()).toEqual(computed);
  for (const group of fieldGroups) {
    const values = group.compute(world, { grid: box(10, 170, 5, 3, 5), time });
    expect(Object.keys(values).sort()).toEqual([...group.fields].sort());
    for (const field of group.fields) expect(values[field]).toHaveLength(15);
  }
});

it("gives every field the same values in every patch, across ±180 and in every longitude convention, and one value at a pole", () => {
  for (const { fields, compute: values } of fieldGroups) {
    const globe = values(world, { grid: box(-90, -180, 2.5, 73, 144), time });
    for (const [row, column, rows, columns, turn] of [
      [8, 132, 55, 30, 0],
      [25, 140, 9, 20, -360],
      [70, 0, 1, 1, 360],
      [12, 112, 30, 50, 0],
    ] as const) {
      const grid = box(-90 + 2.5 * row, -180 + 2.5 * column + turn, 2.5, rows, columns);
      const part = values(world, { grid, time });
      for (const field of fields)
        for (let node = 0; node < rows * columns; node++) {
          const [r, c] = [row + Math.floor(node / columns), (column + (node % columns)) % 144];
          if (!Object.is(part[field]![node], globe[field]![r * 144 + c]))
            expect(part[field]![node], `${field} at ${r}, ${c}`).toBe(globe[field]![r * 144 + c]);
        }
    }
    const pressure = globe.air_pressure_at_mean_sea_level;
    for (const pole of pressure ? [pressure.subarray(0, 144), pressure.subarray(-144)] : [])
      expect(Math.max(...pole) - Math.min(...pole)).toBeLessThan(0.01);
  }
});

/** Stored values of the four nodes of a cell, each from its own chunk. */
function fromChunks(field: StoredName, [step, row, column]: readonly number[]): number[] {
  const folder = `${runOf(field as FieldName).path}/points/${field}`;
  const array = demoArray(folder)!;
  const [steps, height, width] = array.chunk;
  const [down, across] = [Math.ceil(array.shape[1] / height), Math.ceil(array.shape[2] / width)];
  return [0, 1, 2, 3].map((corner) => {
    const [r, c] = [row! + (corner >> 1), (column! + (corner & 1)) % array.shape[2]];
    const number =
      (Math.floor(step! / steps) * down + Math.floor(r / height)) * across + Math.floor(c / width);
    const bytes = chunkOf(folder, number);
    const at = ((step! % steps) * height + (r % height)) * width + (c % width);
    return new DataView(bytes.buffer, bytes.byteOffset).getInt16(2 * at, true);
  });
}

function chunkOf(folder: string, number: number): Uint8Array {
  const array = demoArray(folder)!;
  const { bytes } = compute(world, { folder, items: { chunks: [number] }, stopped })!;
  const place = array.together.indexOf(array.field);
  return bytes.slice(place * chunkBytes(array), (place + 1) * chunkBytes(array));
}

it("gives a cell the values of its chunks: at the dateline, the poles, coasts, chunk edges and anywhere", () => {
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
      // A cell in the English Channel contains land and sea; the next one is at the edge of a chunk.
      [anyStep(), 559, 715],
      [anyStep(), 479, 1007],
      ...Array.from({ length: 5 }, () => [
        anyStep(),
        Math.floor(720 * random()),
        Math.floor(1440 * random()),
      ]),
    ];
    const folder = `${run.path}/points/${field}`;
    const items = { cells: Int32Array.from(cells.flat()) };
    const computed = compute(world, { folder, items, stopped })!;
    const values = new Int16Array(computed.bytes.buffer);
    for (const [place, name] of computed.fields.entries())
      for (const [i, cell] of cells.entries()) {
        const at = 4 * (place * cells.length + i);
        expect([...values.subarray(at, at + 4)], `${name} ${cell}`).toEqual(fromChunks(name, cell));
      }
  }
});

it("gives a node the same value in the points layout and in every level of the maps", () => {
  const field = "sea_surface_wave_significant_height";
  const [step, row, column] = [12, 364, 360];
  const [point] = fromChunks(field, [step, row, column]);
  for (const stride of forecast.levels) {
    const folder = `${forecast.path}/maps/${stride}/${field}`;
    const { shape, chunk } = demoArray(folder)!;
    const [r, c] = [row / stride, column / stride];
    const [down, across] = [Math.ceil(shape[1] / chunk[1]), Math.ceil(shape[2] / chunk[2])];
    const number =
      (Math.floor(step / chunk[0]) * down + Math.floor(r / chunk[1])) * across + Math.floor(c / chunk[2]);
    const at = ((step % chunk[0]) * chunk[1] + (r % chunk[1])) * chunk[2] + (c % chunk[2]);
    expect(new Int16Array(chunkOf(folder, number).slice(2 * at, 2 * at + 2).buffer)[0]).toBe(point);
  }
});

it("stops between two items when the answer is no longer needed, and refuses arrays that do not exist", () => {
  const folder = `${forecast.path}/points/air_temperature`;
  const stop = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  expect(compute(world, { folder, items: { chunks: [0] }, stopped: stop })).toBeUndefined();
  expect(() => compute(world, { folder: "runs/x", items: { chunks: [0] }, stopped })).toThrow(RangeError);
});

it.each([
  "runs/x/points/air_temperature",
  `${forecast.path}/points/__proto__`,
  `${forecast.path}/points/sea_floor_depth_below_sea_surface`,
  `${forecast.path}/maps/3/air_temperature`,
  `../${forecast.path}/points/air_temperature`,
])("has no array %s", (folder) => {
  expect(demoArray(folder)).toBeUndefined();
});
