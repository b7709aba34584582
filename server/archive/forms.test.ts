import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { storedStepsOf } from "#lib/catalog/map-fields.ts";
import { map2dVariables, variable } from "#lib/catalog/variables.ts";
import { partGrid, wholePart } from "#lib/field/frame-chunks.ts";
import { asyncStore, newRun, publish, randomSteps, temporaryFolder } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { directoryStore } from "./directory-store.ts";
import { DamagedChunkError } from "./errors.ts";
import { pack } from "./field-writer.ts";
import { everyNth, levelGrid } from "./layout.ts";
import { readMapStep } from "./map-step.ts";
import type { Run } from "./run.ts";
import { ObjectMissingError } from "./store.ts";
import { beginRun } from "./writer.ts";

const grid: Grid = {
  latitude: { start: 30, step: 0.5, count: 61 },
  longitude: { start: -80, step: 0.5, count: 83 },
};
const { signal } = new AbortController();
const DRAWN = "eastward_wind_10m";
const OTHER = "northward_wind_10m";
const PERIOD = "sea_surface_wave_mean_period";
const NOT_DRAWN = "eastward_wind_100m";

function packed(name: FieldName, values: Float32Array): Int16Array {
  const out = new Int16Array(values.length);
  pack(values, fields[name], out, { values: 0, missing: 0, outOfRange: 0 });
  return out;
}

it("stores whole steps of the fields of maps and 2D answers, as frames", async () => {
  expect(storedStepsOf(NOT_DRAWN)).toBeUndefined();
  expect(storedStepsOf(PERIOD)).toMatchObject({ name: "wave_period", bands: [PERIOD] });
  const of2d = map2dVariables.flatMap((name) => variable(name).outputs.filter(({ map2d }) => map2d));
  for (const field of of2d.flatMap((output) => output.of))
    expect(storedStepsOf(field)?.bands).toContain(field);
  const root = temporaryFolder();
  const run = await withFrames(root, [0, 1]);
  expect(run.storedFrames).toEqual(["wind", "wave_period"]);
  const read = () => readMapStep(directoryStore(root), run, DRAWN, 1, 2, signal);
  const whole = await read();
  rmSync(join(root, run.path, "points"), { recursive: true });
  expect(await read()).toEqual(whole);
});

/** Cuts a part of a level out of values of the native grid. */
function windowOf(values: Int16Array, level: Grid, stride: number, part = wholePart(level)): Int16Array {
  const [rows, columns] = [level.latitude.count, level.longitude.count];
  const coarse = everyNth(values, grid.longitude.count, stride, rows, columns);
  return Int16Array.from({ length: part.rows * part.columns }, (_, i) => {
    const row = part.row + Math.floor(i / part.columns);
    return coarse[row * columns + part.column + (i % part.columns)]!;
  });
}

/** Wind of two heights and one field of 2D answers. @param steps Steps at which the second component has data. */
async function withFrames(root: string, steps: number[], times = 2): Promise<Run> {
  const writer = await beginRun(root, newRun(grid, times));
  const made = randomSteps(grid, times, seeded(2));
  for (const name of [DRAWN, NOT_DRAWN, PERIOD] as const)
    await writer.writeField(name, {}, async (time) => made[time]);
  await writer.writeField(OTHER, { steps }, async (time) => made[times - 1 - time]);
  await writer.writeFrames();
  return writer.publish();
}

it("reads the same steps from frames and from points, on every level and in every window", async () => {
  const TIMES = 9;
  const root = temporaryFolder();
  // At the last step the other component has no data, and the frames have none either.
  const run = await withFrames(root, [0, 1, 2, 3, 4, 5, 6, 7], TIMES);
  const made = randomSteps(grid, TIMES, seeded(2));
  const random = seeded(3);
  for (const open of [directoryStore, (folder: string) => asyncStore(directoryStore(folder))]) {
    const store = open(root);
    for (const stride of run.levels)
      for (const step of [0, 7, 8]) {
        const level = levelGrid(run, stride);
        const row = Math.floor(random() * level.latitude.count);
        const column = Math.floor(random() * level.longitude.count);
        const rows = 1 + Math.floor(random() * (level.latitude.count - row));
        const columns = 1 + Math.floor(random() * (level.longitude.count - column));
        for (const part of [undefined, { row, rows, column, columns }]) {
          const expected = windowOf(packed(DRAWN, made[step]!), level, stride, part);
          const names = [DRAWN, NOT_DRAWN, PERIOD] as const;
          const found = await Promise.all(
            names.map((name) => readMapStep(store, run, name, step, stride, signal, part)),
          );
          for (const { grid: of, values } of found.slice(0, 2)) {
            expect(of).toEqual(part ? partGrid(level, part) : level);
            expect(Buffer.compare(Buffer.from(values.buffer), Buffer.from(expected.buffer))).toBe(0);
          }
          expect(found[2]!.values.length).toBe(expected.length);
          const { values } = await readMapStep(store, run, OTHER, step, stride, signal, part);
          if (step === TIMES - 1) expect(values.every((value) => value === FILL)).toBe(true);
        }
      }
  }
});

it("reads a step from its points where its frame is damaged or gone", async () => {
  const root = temporaryFolder();
  const run = await withFrames(root, [0, 1]);
  const intact = await readMapStep(directoryStore(root), run, DRAWN, 1, 1, signal);
  const file = join(root, run.path, "frames/1/wind.br");
  const good = readFileSync(file);
  for (let at = 0; at < good.length; at += 997) {
    const bad = Buffer.from(good);
    bad[at]! ^= 0x10;
    writeFileSync(file, bad);
    expect((await readMapStep(directoryStore(root), run, DRAWN, 1, 1, signal)).values).toEqual(intact.values);
  }
  rmSync(file);
  expect((await readMapStep(directoryStore(root), run, DRAWN, 1, 1, signal)).values).toEqual(intact.values);
  // Reading a removed run reports that the run is gone.
  rmSync(join(root, run.path), { recursive: true });
  await expect(async () => readMapStep(directoryStore(root), run, DRAWN, 1, 1, signal)).rejects.toThrow(
    ObjectMissingError,
  );
});

it("refuses numbers that are packed in other steps than those of the catalog", async () => {
  const root = temporaryFolder();
  const run = await publish(root, newRun(grid, 1), { [DRAWN]: randomSteps(grid, 1, seeded(6)) });
  const file = join(root, run.path, "points", DRAWN, "zarr.json");
  const metadata = JSON.parse(readFileSync(file, "utf8"));
  metadata.attributes.scale_factor /= 2;
  writeFileSync(file, JSON.stringify(metadata));
  await expect(readMapStep(directoryStore(root), run, DRAWN, 0, 1, signal)).rejects.toThrow(
    DamagedChunkError,
  );
});
