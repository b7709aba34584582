import { join } from "node:path";
import { expect, it } from "vitest";
import * as zarr from "zarrita";
import { fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { coordinates, type Grid } from "#lib/field/grid.ts";
import { columnsOf, newRun, publish, randomSteps, temporaryFolder } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { directoryStore } from "./directory-store.ts";
import { openReader } from "./reader.ts";

const grid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};
const NAME = "air_temperature";
const never = new AbortController().signal;

it("is standard Zarr: zarrita finds the same numbers, coordinates and CF attributes in the points", async () => {
  const root = temporaryFolder();
  const random = seeded(11);
  const steps = randomSteps(grid, 2, random);
  const run = await publish(root, newRun(grid, 2), { [NAME]: steps });
  expect(run.levels).toEqual([1, 2, 4]);
  const reader = openReader(directoryStore(root), { cacheBytes: 1 << 24 });

  const location = zarr.root(readOnly(join(root, run.path, "points")));
  const attributes = (await zarr.open.v3(location, { kind: "group" })).attrs;
  expect(attributes).toMatchObject({
    Conventions: "CF-1.11",
    source: "test",
    model: "Test 1°",
    forecast_reference_time: "2026-01-01T00:00:00Z",
  });
  const coordinate = async (name: string) => {
    const array = await zarr.open.v3(location.resolve(name), { kind: "array" });
    return [...((await zarr.get(array)).data as Iterable<number | bigint>)].map(Number);
  };
  expect(await coordinate("time")).toEqual(run.times);
  expect(await coordinate("latitude")).toEqual([...coordinates(grid.latitude)]);
  expect(await coordinate("longitude")).toEqual([...coordinates(grid.longitude)]);

  const array = await zarr.open.v3(location.resolve(NAME), { kind: "array" });
  expect(array.attrs).toEqual({
    standard_name: "air_temperature",
    long_name: "air temperature at 2 m",
    units: "degC",
    scale_factor: 0.005,
    add_offset: 0,
    _FillValue: FILL,
  });
  for (const time of [0, 1]) {
    const theirs = (await zarr.get(array, [time, null, null])).data as Int16Array;
    const ours = await reader.mapStep(run, NAME, time, 1, never);
    expect(Buffer.compare(bytesOf(theirs), bytesOf(ours.values))).toBe(0);
  }
});

it("returns at the nodes what zarrita reads there", async () => {
  const root = temporaryFolder();
  const small: Grid = {
    latitude: { start: -3, step: 0.5, count: 13 },
    longitude: { start: 175, step: 0.5, count: 21 },
  };
  const run = await publish(root, newRun(small, 3), { [NAME]: randomSteps(small, 3, seeded(5)) });
  const array = await zarr.open.v3(zarr.root(readOnly(join(root, run.path, "points"))).resolve(NAME), {
    kind: "array",
  });
  const theirs = (await zarr.get(array)).data as Int16Array;
  const nodes = Array.from({ length: 3 * 13 * 21 }, (_, node) => node);
  const points = columnsOf(
    nodes.map((node) => [
      -3 + 0.5 * (Math.floor(node / 21) % 13),
      175 + 0.5 * (node % 21),
      run.times[Math.floor(node / 273)]!,
    ]),
  );
  const out = new Float64Array(points.count);
  await openReader(directoryStore(root), { cacheBytes: 1 << 24 }).valuesAt(
    run,
    NAME,
    points,
    undefined,
    out,
    never,
  );
  for (const node of nodes)
    expect(out[node]).toEqual(theirs[node] === FILL ? Number.NaN : theirs[node]! * fields[NAME].scale);
});

const bytesOf = (values: Int16Array) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** The archive folder in the form of a zarrita store, whose keys begin with a slash. */
function readOnly(folder: string) {
  const store = directoryStore(folder);
  return {
    get: async (key: string) => store.get(key.slice(1)),
    getRange: async (key: string, range: { offset: number; length: number } | { suffixLength: number }) =>
      "suffixLength" in range
        ? store.getRange(key.slice(1), -range.suffixLength, range.suffixLength)
        : store.getRange(key.slice(1), range.offset, range.length),
  };
}
