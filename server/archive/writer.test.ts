import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import { processSpace } from "#server/platform/process-identity.ts";
import { newRun, publish, temporaryFolder } from "#test/archive.ts";
import { directoryStore } from "./directory-store.ts";
import { ArchiveBusyError, DamagedManifestError } from "./errors.ts";
import { readManifest } from "./manifest.ts";
import { openReader } from "./reader.ts";
import type { Run } from "./run.ts";
import { beginRun } from "./writer.ts";

const FIELD = "eastward_wind_10m";
const grid: Grid = {
  latitude: { start: 0, step: 1, count: 2 },
  longitude: { start: 0, step: 1, count: 3 },
};
const constant = (value: number, steps = 1) =>
  Array.from({ length: steps }, () => new Float32Array(6).fill(value));

function emptyBesides(root: string, runs: string[]): void {
  expect(readdirSync(root).sort()).toEqual(["manifest.json", "runs", "staging"]);
  expect(readdirSync(join(root, "staging"))).toEqual([]);
  expect(readdirSync(join(root, "runs")).sort()).toEqual(runs.sort());
}

/** Returns the names of the folders that were not lost. */
const foldersIn = (root: string, runs: readonly Run[]) =>
  runs.filter(({ path }) => existsSync(join(root, path))).map(({ id }) => id);

it("a run is invisible before it is published, and complete afterwards", async () => {
  const root = temporaryFolder();
  const writer = await beginRun(root, newRun(grid, 1));
  await writer.writeField(FIELD, { comment: "from a test" }, async () => constant(1)[0]);
  expect(await readManifest(root)).toEqual({ version: 1, runs: [] });
  const run = await writer.publish();
  expect(await readManifest(root)).toEqual({ version: 1, runs: [run] });
  expect(run.id).toMatch(/^Forecast\.test\.20260101T00Z\.[0-9a-f]{16}$/);
  expect(run.fields).toEqual({ [FIELD]: { comment: "from a test" } });
  emptyBesides(root, [run.id]);
});

it.each([
  ["lost its folder", (run: string) => rmSync(run, { recursive: true })],
  ["lost a file", (run: string) => rmSync(join(run, "points", FIELD, "zarr.json"))],
  [
    "has a flipped bit",
    (run: string) => {
      const shard = join(run, "points", FIELD, "c.0.0.0");
      const bytes = readFileSync(shard);
      bytes[0]! ^= 1;
      writeFileSync(shard, bytes);
    },
  ],
])("publishes the same content once, and again if the published run %s", async (_what, damage) => {
  const root = temporaryFolder();
  const again = () => publish(root, newRun(grid, 1), { [FIELD]: constant(1) });
  const first = await again();
  expect(await again()).toEqual(first);
  damage(join(root, first.path));
  const second = await again();
  expect(second).toEqual({ ...first, id: `${first.id}-2`, path: `${first.path}-2` });
  expect(await again()).toEqual(second);
  emptyBesides(root, foldersIn(root, [first, second]));
  damage(join(root, second.path));
  expect((await again()).id).toBe(`${first.id}-3`);
});

it("reads each step once, in order, and records which had data; goes on without a field that cannot be read", async () => {
  const root = temporaryFolder();
  const writer = await beginRun(root, newRun(grid, 5));
  const read: number[] = [];
  const reading = async (time: number) => {
    read.push(time);
    return time === 3 ? undefined : constant(1)[0];
  };
  await writer.writeField(FIELD, {}, reading);
  const broken = writer.writeField("wind_speed_of_gust", {}, () => Promise.reject(new Error("message 7")));
  await expect(broken).rejects.toThrow("message 7");
  await expect(writer.writeField("air_temperature", {}, async () => new Float32Array(5))).rejects.toThrow(
    "air_temperature: a step of 5 values in place of 6",
  );
  await writer.writeField("northward_wind_10m", { steps: [0, 3, 4] }, reading);
  const run = await writer.publish();
  expect(read).toEqual([0, 1, 2, 3, 4, 0, 3, 4]);
  const fields = { [FIELD]: { steps: [0, 1, 2, 4] }, northward_wind_10m: { steps: [0, 4] } };
  expect(run.fields).toEqual(fields);
  expect(readdirSync(join(root, run.path, "points")).sort()).toEqual(
    [...Object.keys(fields), "latitude", "longitude", "time", "zarr.json"].sort(),
  );
});

it("stores values outside int16 as missing, never wrapped, and counts them", async () => {
  const root = temporaryFolder();
  const writer = await beginRun(root, newRun(grid, 1));
  const step = Float32Array.of(327.67, 327.68, -327.67, -327.68, Number.NaN, Number.NEGATIVE_INFINITY);
  expect(await writer.writeField(FIELD, {}, async () => step)).toEqual({
    values: 6,
    missing: 1,
    outOfRange: 3,
  });
  const run = await writer.publish();
  const reader = openReader(directoryStore(root), { cacheBytes: 1 << 24 });
  const { values } = await reader.mapStep(run, FIELD, 0, 1, new AbortController().signal);
  expect([...values]).toEqual([32767, FILL, -32767, FILL, FILL, FILL]);
});

it("leaves nothing behind when it is aborted or abandoned", async () => {
  const root = temporaryFolder();
  const before = await publish(root, newRun(grid, 1), { [FIELD]: constant(1) });
  const aborted = await beginRun(root, newRun(grid, 3));
  const controller = new AbortController();
  const writing = aborted.writeField(
    FIELD,
    {},
    async (time) => {
      if (time === 1) controller.abort(new Error("enough"));
      return constant(1)[0];
    },
    controller.signal,
  );
  await expect(writing).rejects.toThrow("enough");
  emptyBesides(root, [before.id]);
  const abandoned = await beginRun(root, newRun(grid, 1));
  await abandoned.writeField(FIELD, {}, async () => constant(2)[0]);
  await abandoned.abandon();
  await abandoned.abandon();
  emptyBesides(root, [before.id]);
});

it("removes the leftovers of writers that died, and changes nothing if the manifest is damaged", async () => {
  const root = temporaryFolder();
  for (const folder of ["staging/x/points", "runs/Forecast.gfs.20200101T00Z.0000/points"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "manifest.json.next"), "{");
  writeFileSync(join(root, "writer.lock.x"), JSON.stringify(lockHolder(deadProcess)));
  const run = await publish(root, newRun(grid, 1), { [FIELD]: constant(1) });
  emptyBesides(root, [run.id]);
  writeFileSync(join(root, "manifest.json"), "{");
  await expect(beginRun(root, newRun(grid, 1))).rejects.toThrow(DamagedManifestError);
  emptyBesides(root, [run.id]);
});

it("lets one process write at a time, and names it", async () => {
  const root = temporaryFolder();
  const first = await beginRun(root, newRun(grid, 1));
  await expect(beginRun(root, newRun(grid, 1))).rejects.toThrow(ArchiveBusyError);
  await expect(beginRun(root, newRun(grid, 1))).rejects.toThrow(`process ${process.pid} on ${hostname()}`);
  const waiting = beginRun(root, newRun(grid, 1), { wait: true });
  const impatient = beginRun(root, newRun(grid, 1), {
    wait: true,
    signal: AbortSignal.abort(new Error("no time")),
  });
  await expect(impatient).rejects.toThrow("no time");
  await first.abandon();
  await (await waiting).abandon();
  expect(readdirSync(root).filter((name) => name.startsWith("writer.lock"))).toEqual([]);
});

it("publishes nothing after another writer has taken over", async () => {
  const root = temporaryFolder();
  const writer = await beginRun(root, newRun(grid, 1));
  await writer.writeField(FIELD, {}, async () => constant(1)[0]);
  const other = JSON.stringify({ ...lockHolder(7), host: "elsewhere", space: "another" });
  writeFileSync(join(root, "writer.lock"), other);
  await expect(writer.publish()).rejects.toThrow("process 7 on elsewhere");
  expect((await readManifest(root)).runs).toEqual([]);
  expect(readFileSync(join(root, "writer.lock"), "utf8")).toBe(other);
});

/** Above the largest process id of Linux. */
const deadProcess = 4_194_305;

function lockHolder(pid: number) {
  return { token: "x", pid, host: hostname(), space: processSpace(), started: "1", command: "test" };
}
