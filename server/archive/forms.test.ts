import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { fields } from "#lib/catalog/fields.ts";
import { mapFields } from "#lib/catalog/map-fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { asyncStore, newRun, publish, randomSteps, temporaryFolder } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { directoryStore } from "./directory-store.ts";
import type { ArrayForms } from "./field-writer.ts";
import { everyNth, levelGrid } from "./layout.ts";
import { readMapStep } from "./map-step.ts";
import { pack } from "./packing.ts";
import { openReader } from "./reader.ts";

const grid: Grid = {
  latitude: { start: 30, step: 0.5, count: 61 },
  longitude: { start: -80, step: 0.5, count: 83 },
};
const { signal } = new AbortController();
const DRAWN = "eastward_wind_10m";
const NOT_DRAWN = "eastward_wind_100m";

function packed(name: FieldName, values: Float32Array): Int16Array {
  const out = new Int16Array(values.length);
  pack(values, fields[name], out, { values: 0, missing: 0, outOfRange: 0 });
  return out;
}

it("stores whole steps of the fields of maps and 2D answers only", () => {
  expect(mapFields.has(DRAWN)).toBe(true);
  expect(mapFields.has("sea_surface_wave_mean_period")).toBe(true);
  expect(mapFields.has(NOT_DRAWN)).toBe(false);
});

it("reads the steps of other fields from their points, on every level and in every window", async () => {
  const root = temporaryFolder();
  const random = seeded(2);
  const steps = randomSteps(grid, 9, random);
  const run = await publish(root, newRun(grid, 9), { [DRAWN]: steps, [NOT_DRAWN]: steps });
  expect(run.fields).toEqual({ [DRAWN]: {}, [NOT_DRAWN]: { maps: false } });
  expect(existsSync(join(root, run.path, "maps/1", NOT_DRAWN))).toBe(false);
  for (const store of [directoryStore(root), asyncStore(directoryStore(root))])
    for (const stride of run.levels)
      for (const step of [0, 7, 8]) {
        const [drawn, other] = await Promise.all(
          [DRAWN, NOT_DRAWN].map((name) => readMapStep(store, run, name as FieldName, step, stride, signal)),
        );
        expect(other!.grid).toEqual(drawn!.grid);
        expect(Buffer.compare(Buffer.from(other!.values.buffer), Buffer.from(drawn!.values.buffer))).toBe(0);
      }
  const store = directoryStore(root);
  for (let i = 0; i < 10; i++) {
    const level = levelGrid(run, 2);
    const row = Math.floor(random() * level.latitude.count);
    const column = Math.floor(random() * level.longitude.count);
    const rows = 1 + Math.floor(random() * (level.latitude.count - row));
    const columns = 1 + Math.floor(random() * (level.longitude.count - column));
    const part = { row, rows, column, columns };
    const { values } = await readMapStep(store, run, DRAWN, 3, 2, signal, part);
    expect((await readMapStep(store, run, NOT_DRAWN, 3, 2, signal, part)).values).toEqual(values);
  }
});

const formsOfVersions: Record<string, ArrayForms> = {
  "0.2": { points: "plain", maps: "zstd", mapsOfAll: true },
  now: {},
};

it.each(Object.keys(formsOfVersions))("reads archives as version %s writes them", async (version) => {
  const root = temporaryFolder();
  const steps = randomSteps(grid, 3, seeded(4));
  const forms = formsOfVersions[version];
  const run = await publish(root, newRun(grid, 3), { [DRAWN]: steps, [NOT_DRAWN]: steps }, { forms });
  const reader = openReader(directoryStore(root), { cacheBytes: 1 << 24 });
  for (const name of [DRAWN, NOT_DRAWN] as const)
    for (const [index, step] of steps.entries()) {
      const expected = packed(name, step);
      expect((await reader.mapStep(run, name, index, 1, signal)).values).toEqual(expected);
      expect((await reader.mapStep(run, name, index, 2, signal)).values).toEqual(
        everyNth(expected, 83, 2, 31, 42),
      );
      const nodes = Array.from({ length: 500 }, (_, i) => (101 * i) % (61 * 83));
      const points = {
        count: nodes.length,
        latitude: Float64Array.from(nodes, (node) => 30 + 0.5 * Math.floor(node / 83)),
        longitude: Float64Array.from(nodes, (node) => -80 + 0.5 * (node % 83)),
        time: new Float64Array(nodes.length).fill(run.times[index]!),
      };
      const out = new Float64Array(nodes.length);
      await reader.valuesAt(run, name, points, undefined, out, signal);
      for (const [i, node] of nodes.entries())
        expect(out[i]).toBe(expected[node] === -32768 ? Number.NaN : expected[node]! * fields[name].scale);
    }
});
