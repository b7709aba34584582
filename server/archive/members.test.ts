import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import * as zarr from "zarrita";
import { ensembleQuantities, statistics } from "#lib/catalog/ensemble.ts";
import { FILL } from "#lib/catalog/fill.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import {
  asyncStore,
  columnsOf,
  newRun,
  quantised,
  randomSteps,
  readOnlyZarr,
  readValues,
  temporaryFolder,
} from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { withSources } from "./catalog.ts";
import { directoryStore } from "./directory-store.ts";
import { manifestOfMember } from "./ensembles.ts";
import { readManifest } from "./manifest.ts";
import { pushArchive } from "./push.ts";
import { openReader } from "./reader.ts";
import { isEnsemble, type Run } from "./run.ts";
import { describeObjects } from "./run-objects.ts";
import { beginRun } from "./writer.ts";

const globe: Grid = {
  latitude: { start: -90, step: 5, count: 37 },
  longitude: { start: -180, step: 5, count: 72 },
};
const region: Grid = {
  latitude: { start: 40, step: 0.5, count: 9 },
  longitude: { start: -10, step: 0.5, count: 7 },
};
const NAME = "air_temperature";
const STEPS = 3;
const wind = ensembleQuantities[0]!;
const never = new AbortController().signal;
const options = { cacheBytes: 1 << 22 };

/** Publishes members of random numbers. @returns The numbers by step, then member. */
async function publishMembers(root: string, grid: Grid, numbers: number[], withFrames = false) {
  const random = seeded(5 + numbers.length);
  const steps = Array.from({ length: STEPS }, () => randomSteps(grid, numbers.length, random));
  // The last member lacks a step, and the last step lacks all members.
  steps[1]!.at(-1)!.fill(Number.NaN);
  const ensemble = { members: numbers, size: 60 };
  const writer = await beginRun(root, { ...newRun(grid, STEPS), ensemble });
  const counts = await writer.writeMembers(NAME, { steps: [0, 1] }, async (time) =>
    Float32Array.from(steps[time]!.flatMap((values) => [...values])),
  );
  await writer.writeField("air_pressure_at_mean_sea_level_mean", {}, async (time) =>
    steps[time]![0]!.map((value) => 1000 + value),
  );
  if (withFrames) await writer.writeFrames();
  return { run: await writer.publish(), steps, counts };
}

const memberAt = (run: Run, member: number): Run => ({ ...run, member });

it.each([
  ["a globe of 31 members", globe, Array.from({ length: 31 }, (_, i) => i)],
  ["a region of 51 members", region, Array.from({ length: 51 }, (_, i) => i)],
  ["three members of which others are missing", region, [0, 4, 9]],
  ["one member", region, [0]],
])("each member reads as a run of its own would: %s", async (_what, grid, numbers) => {
  const root = temporaryFolder();
  const { run, steps, counts } = await publishMembers(root, grid, numbers);
  expect(run.fields[NAME]).toEqual({ steps: [0, 1], members: true });
  expect(counts.values).toBe(2 * numbers.length * grid.latitude.count * grid.longitude.count);
  const places: [row: number, column: number, step: number][] = [];
  for (let row = 0; row < grid.latitude.count; row += 3)
    for (let column = 0; column < grid.longitude.count; column += 2)
      places.push([row, column, (row + column) % 2]);
  const { latitude, longitude } = grid;
  const rows = places.map(
    ([row, column, step]) =>
      [
        latitude.start + row * latitude.step,
        longitude.start + column * longitude.step,
        run.times[step]!,
      ] as const,
  );
  for (const store of [directoryStore(root), asyncStore(directoryStore(root))]) {
    const reader = openReader(store, options);
    for (const member of numbers.keys()) {
      const values = await readValues(reader, memberAt(run, member), NAME, rows);
      const expected = places.map(([row, column, step]) =>
        quantised(NAME, steps[step]![member]![row * longitude.count + column]!),
      );
      expect(values).toEqual(expected);
    }
  }
});

it("reads all members of a point from the chunks of one, also between nodes and steps", async () => {
  const root = temporaryFolder();
  const numbers = Array.from({ length: 31 }, (_, i) => i);
  const { run, steps } = await publishMembers(root, globe, numbers);
  const files = directoryStore(root);
  let reads = 0;
  const reader = openReader(
    {
      ...files,
      readInto(key, offset, into) {
        reads++;
        return files.readInto!(key, offset, into);
      },
    },
    options,
  );
  const rows = [[1.5, -178.5, (run.times[0]! + run.times[1]!) / 2]] as const;
  for (const member of numbers) {
    const [value] = await readValues(reader, memberAt(run, member), NAME, rows);
    const node = (step: number, row: number, column: number) =>
      quantised(NAME, steps[step]![member]![row * globe.longitude.count + column]!);
    const cell = (step: number) =>
      0.7 * (0.7 * node(step, 18, 0) + 0.3 * node(step, 18, 1)) +
      0.3 * (0.7 * node(step, 19, 0) + 0.3 * node(step, 19, 1));
    const expected = (cell(0) + cell(1)) / 2;
    if (!Number.isNaN(expected)) expect(value).toBeCloseTo(expected, 6);
  }
  // Both steps and all members are in one chunk.
  expect(reads).toBe(1);
});

it("reads whole steps of one member and of all, on every level and in windows", async () => {
  const root = temporaryFolder();
  const { run, steps } = await publishMembers(root, globe, [0, 1, 2, 5, 6], true);
  expect(run.storedFrames).toEqual(["air_pressure_at_mean_sea_level_mean"]);
  const reader = openReader(directoryStore(root), options);
  const part = { row: 3, rows: 11, column: 60, columns: 12 };
  const { grid, members } = await reader.memberSteps(run, NAME, 1, never, part);
  expect(grid.longitude).toEqual({ start: 120, step: 5, count: 12 });
  const whole = await reader.memberSteps(run, NAME, 1, never);
  for (const [member, values] of members.entries()) {
    const one = await reader.mapStep(memberAt(run, member), NAME, 1, 1, never, part);
    expect(values).toEqual(one.values);
    expect([...values]).toEqual(
      Array.from(
        { length: 11 * 12 },
        (_, i) => whole.members[member]![(3 + Math.floor(i / 12)) * 72 + 60 + (i % 12)],
      ),
    );
    const first = quantised(NAME, steps[1]![member]![3 * 72 + 60]!);
    if (Number.isNaN(first)) expect(values[0]).toBe(FILL);
    else expect(values[0]! * 0.005).toBeCloseTo(first, 9);
  }
  await expect(reader.mapStep(run, NAME, 1, 1, never)).rejects.toThrow("many members");
  await expect(reader.memberSteps(run, NAME, STEPS, never)).rejects.toThrow("no step 3");
  await expect(reader.memberSteps(run, "air_pressure_at_mean_sea_level_mean", 1, never)).rejects.toThrow(
    "has no members of air_pressure_at_mean_sea_level_mean",
  );
});

it("is standard Zarr with realization: zarrita finds the same numbers, coordinates and CF attributes", async () => {
  const root = temporaryFolder();
  const numbers = [0, 1, 2, 7, 30];
  const { run } = await publishMembers(root, region, numbers);
  const location = zarr.root(readOnlyZarr(join(root, run.path, "points")));
  const realization = await zarr.open.v3(location.resolve("realization"), { kind: "array" });
  // CF has letters for axes of place and time only.
  expect(realization.attrs).toEqual({ standard_name: "realization", units: "1" });
  expect([...((await zarr.get(realization)).data as BigInt64Array)].map(Number)).toEqual(numbers);
  const array = await zarr.open.v3(location.resolve(NAME), { kind: "array" });
  expect(array.shape).toEqual([STEPS, 5, 9, 7]);
  expect(array.dimensionNames).toEqual(["time", "realization", "latitude", "longitude"]);
  const reader = openReader(directoryStore(root), options);
  for (const time of [0, 1]) {
    const theirs = (await zarr.get(array, [time, null, null, null])).data as Int16Array;
    const { members } = await reader.memberSteps(run, NAME, time, never);
    expect([...theirs]).toEqual(members.flatMap((values) => [...values]));
  }
  const statistic = await zarr.open.v3(location.resolve("air_pressure_at_mean_sea_level_mean"), {
    kind: "array",
  });
  expect(statistic.shape).toEqual([STEPS, 9, 7]);
  expect(statistic.attrs).toMatchObject({
    standard_name: "air_pressure_at_mean_sea_level",
    units: "hPa",
    cell_methods: "realization: mean",
  });
  const missing = (await zarr.get(array, [2, null, null, null])).data as Int16Array;
  expect(new Set(missing)).toEqual(new Set([FILL]));
});

it("describes arrays of members for a store behind a network, which reads them as the folder does", async () => {
  const root = temporaryFolder();
  const { run } = await publishMembers(root, region, [0, 1, 2]);
  const { objects, indices } = await describeObjects(join(root, run.path), run);
  expect(objects.points[NAME]).toMatchObject({ shape: [STEPS, 9, 7], members: { count: 3, places: 4 } });
  const files = directoryStore(root);
  const offered = {
    ...asyncStore(files),
    getRange: async (key: string, offset: number, length: number) =>
      key.endsWith("points.indices")
        ? indices.slice(offset, offset + length)
        : files.getRange(key, offset, length),
  };
  const rows = [[41.2, -8.7, run.times[0]!]] as const;
  for (const member of [0, 1, 2]) {
    const there = await readValues(
      openReader(offered, options),
      { ...memberAt(run, member), objects },
      NAME,
      rows,
    );
    expect(there).toEqual(await readValues(openReader(files, options), memberAt(run, member), NAME, rows));
  }
});

it("is pushed to a store and read there like other arrays", async () => {
  const [root, target] = [temporaryFolder(), temporaryFolder()];
  const { run } = await publishMembers(root, region, [0, 1, 2], true);
  await pushArchive(root, folderBlobStore(target), { copied() {}, removed() {} }, never);
  const [pushed] = (await readManifest(target)).runs;
  expect(pushed!.ensemble).toEqual(run.ensemble);
  expect(Object.keys(pushed!.objects!.frames)).toEqual(
    run.levels.map((level) => `frames/${level}/air_pressure_at_mean_sea_level_mean.br`),
  );
  const there = openReader(asyncStore(directoryStore(target)), options);
  const rows = [[41.2, -8.7, run.times[0]!]] as const;
  for (const member of [0, 1, 2])
    expect(await readValues(there, memberAt(pushed!, member), NAME, rows)).toEqual(
      await readValues(openReader(directoryStore(root), options), memberAt(run, member), NAME, rows),
    );
});

it("replaces a run of fewer members of the same cycle, and leaves the deterministic run of the source alone", async () => {
  const root = temporaryFolder();
  const writer = await beginRun(root, newRun(region, STEPS));
  await writer.writeField(NAME, {}, async () => new Float32Array(63).fill(1));
  const single = await writer.publish();
  const { run: early } = await publishMembers(root, region, [0, 2]);
  const { run: full } = await publishMembers(root, region, [0, 1, 2]);
  const manifest = await readManifest(root);
  expect(manifest.runs.map(({ id }) => id)).toEqual([single.id, full.id]);
  expect(manifest.replaced?.map(({ path }) => path)).toEqual([early.path]);
});

it("answers as a member through its manifest, by the number that it has", async () => {
  const root = temporaryFolder();
  const { run, steps } = await publishMembers(root, region, [0, 4, 9]);
  const catalog = withSources(
    { manifest: () => readManifest(root), refresh: () => readManifest(root) },
    { order: {} as never, about: new Map() },
  );
  const manifest = await catalog.manifest();
  expect(manifest.runs).toEqual([]);
  expect(manifest.ensembles?.every(isEnsemble)).toBe(true);
  const reader = openReader(directoryStore(root), options);
  const rows = [[41, -9, run.times[0]!]] as const;
  for (const [position, number] of [0, 4, 9].entries()) {
    const [own] = manifestOfMember(manifest, "test", number).runs;
    expect(Object.keys(own!.fields)).toEqual([NAME]);
    const [value] = await readValues(reader, own!, NAME, rows);
    expect(value).toEqual(quantised(NAME, steps[0]![position]![2 * 7 + 2]!));
  }
  expect(manifestOfMember(manifest, "test", 1).runs).toEqual([]);
});

it("writes statistics of members, which are what each node's members say, with frames of their own", async () => {
  const root = temporaryFolder();
  const random = seeded(8);
  const [members, nodes] = [7, 63];
  const winds = Array.from({ length: 9 }, () =>
    Float32Array.from({ length: members * nodes }, (_, i) => (i % nodes === 3 ? Number.NaN : 40 * random())),
  );
  const ensemble = { members: [0, 1, 2, 3, 4, 5, 6], size: 7 };
  const writer = await beginRun(root, { ...newRun(region, 9), ensemble });
  const written = await writer.writeStatistics(wind, { comment: "made here" }, async (time) => winds[time]);
  // Nine steps of three hours are 24 h, and no more.
  expect(written).toEqual(
    statistics
      .filter((statistic) => statistic.quantity === wind && !/48h|72h/.test(statistic.name))
      .map(({ name }) => name),
  );
  await writer.writeFrames();
  const run = await writer.publish();
  expect(run.storedFrames).toEqual(written);
  expect(run.fields.wind_speed_over_34kn_within_24h).toEqual({ steps: [0], comment: "made here" });
  const reader = openReader(directoryStore(root), options);
  const read = async (name: StoredName, step: number) =>
    (await reader.mapStep(run, name, step, 1, never)).values;
  const [mean, gales, within] = [
    await read("wind_speed_mean", 5),
    await read("wind_speed_over_34kn", 5),
    await read("wind_speed_over_34kn_within_24h", 0),
  ];
  const limit = (34 * 1852) / 3600;
  for (let node = 0; node < nodes; node++) {
    const at = (time: number) =>
      Array.from({ length: members }, (_, member) => winds[time]![member * nodes + node]!);
    if (node === 3) {
      expect([mean[node], gales[node], within[node]]).toEqual([FILL, FILL, FILL]);
      continue;
    }
    expect(
      Math.abs(mean[node]! * 0.01 - at(5).reduce((sum, value) => sum + value, 0) / members),
    ).toBeLessThan(0.006);
    expect(gales[node]).toBe(Math.round((1000 * at(5).filter((value) => value > limit).length) / members));
    const over = at(0).filter((_, member) => winds.some((step) => step[member * nodes + node]! > limit));
    expect(within[node]).toBe(Math.round((1000 * over.length) / members));
  }
});

it("leaves nothing of the statistics whose members cannot be read, and the run goes on without them", async () => {
  const root = temporaryFolder();
  const writer = await beginRun(root, { ...newRun(region, 2), ensemble: { members: [0], size: 1 } });
  const broken = writer.writeStatistics(wind, {}, () => Promise.reject(new Error("message 7")));
  await expect(broken).rejects.toThrow("message 7");
  await writer.writeField(NAME, {}, async () => new Float32Array(63).fill(1));
  const run = await writer.publish();
  expect(Object.keys(run.fields)).toEqual([NAME]);
  expect((await readdir(join(root, run.path, "points"))).sort()).toEqual(
    [NAME, "latitude", "longitude", "time", "zarr.json"].sort(),
  );
});

it("refuses an array whose members are not those of the run", async () => {
  const root = temporaryFolder();
  const { run } = await publishMembers(root, region, [0, 1, 2]);
  const other = { ...run, id: "other", ensemble: { members: [0, 1], size: 3 } };
  const points = columnsOf([[41, -9, run.times[0]!]]);
  const read = openReader(directoryStore(root), options).valuesAt(
    memberAt(other, 1),
    NAME,
    points,
    undefined,
    new Float64Array(1),
    never,
  );
  await expect(read).rejects.toMatchObject({ detail: expect.stringContaining("has 3 members, not 2") });
});
