import { join } from "node:path";
import { coordinates, type Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import * as zarr from "zarrita";
import { FILL } from "#lib/catalog/fill.ts";
import { newRun, publish, randomSteps, readOnlyZarr, temporaryFolder } from "#test/archive.ts";
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

  const location = zarr.root(readOnlyZarr(join(root, run.path, "points")));
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

const bytesOf = (values: Int16Array) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
