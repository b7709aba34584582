import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { fields } from "#lib/catalog/fields.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { pack } from "#server/archive/field-writer.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { type ArchiveReader, openReader, type PointColumns } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { beginRun } from "#server/archive/writer.ts";
import { seeded } from "#test/seeded.ts";
import { median } from "./median.ts";
import { randomPoints } from "./random-points.ts";

const FIELD = "eastward_wind_10m";
const STEPS = 80;
const STEP_S = 3 * 3600;
const FIRST = Date.UTC(2026, 0, 1) / 1000;
const POINTS = 10_000;
const REPEATS = 7;
const CACHE_BYTES = 48 * 1024 * 1024;
const grid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};
const signal = new AbortController().signal;

/** Compares 10,000 points at random places and times, one variable, with numpy + zarr on the same values. */
export async function bench(folder = ".cache/bench/points"): Promise<void> {
  const run = await builtArchive(folder);
  const columns = randomPoints(POINTS, FIRST, FIRST + (STEPS - 1) * STEP_S);
  const out = new Float64Array(POINTS);
  const store = directoryStore(join(folder, "archive"));
  const warm = openReader(store, { cacheBytes: CACHE_BYTES });
  const read = () => warm.valuesAt(run, FIELD, columns, undefined, out, signal);
  const empty = await timeOf(async () => {
    // Tables and chunks are dropped but the memory stays allocated, as in a server that has run for a while.
    warm.retainOnly([]);
    const began = performance.now();
    await read();
    return performance.now() - began;
  });
  const full = await timeOf(async () => {
    const began = performance.now();
    await read();
    return performance.now() - began;
  });
  console.log(`${POINTS} points, 0.25°, ${STEPS} steps: ${empty.toFixed(1)} ms with an empty chunk cache,`);
  console.log(`  ${full.toFixed(2)} ms with a full one (medians of ${REPEATS})`);
  console.log(`  one point from the cache: ${onePoint(warm, run, columns).toFixed(2)} µs`);
  compareWithZarr(folder, columns, out, empty, full);
}

function onePoint(reader: ArchiveReader, run: Run, columns: PointColumns): number {
  const out = new Float64Array(POINTS);
  const index = new Int32Array(1);
  const began = performance.now();
  for (let i = 0; i < 10 * POINTS; i++) {
    index[0] = i % POINTS;
    reader.valuesAt(run, FIELD, columns, index, out, signal);
  }
  return ((performance.now() - began) / (10 * POINTS)) * 1000;
}

function compareWithZarr(
  folder: string,
  columns: PointColumns,
  ours: Float64Array,
  empty: number,
  full: number,
) {
  const python = "/usr/bin/python3";
  try {
    execFileSync(python, ["-c", "import zarr, numpy; assert zarr.__version__ < '3'"], { stdio: "ignore" });
  } catch {
    console.log("  (no python3-zarr 2 here: nothing to compare with)");
    return;
  }
  const steps = Float64Array.from(columns.time, (time) => (time - FIRST) / STEP_S);
  const rows = [columns.latitude, columns.longitude, steps].map((row) => Buffer.from(row.buffer));
  writeFileSync(join(folder, "points.f64"), Buffer.concat(rows));
  const printed = execFileSync(python, ["bench/peers/zarr_points.py", folder], { encoding: "utf8" });
  const theirs = new Float64Array(new Uint8Array(readFileSync(join(folder, "answers.f64"))).buffer);
  const apart = theirs.reduce((most, value, i) => Math.max(most, Math.abs(value - ours[i]!)), 0);
  console.log(`  numpy + zarr 2 vindex on the same numbers (largest difference ${apart.toExponential(1)}):`);
  for (const [chunking, ms] of Object.entries(JSON.parse(printed) as Record<string, number>))
    console.log(
      `    ${chunking.padEnd(16)} ${ms.toFixed(0).padStart(5)} ms: ${(ms / empty).toFixed(1)}× empty, ${(ms / full).toFixed(0)}× full`,
    );
}

async function timeOf(measure: () => Promise<number>): Promise<number> {
  const taken: number[] = [];
  for (let i = 0; i < REPEATS; i++) await measure();
  for (let i = 0; i < REPEATS; i++) taken.push(await measure());
  return median(taken);
}

/** Builds the archive, and a raw copy of its int16 values, unless they exist. */
async function builtArchive(folder: string): Promise<Run> {
  const root = join(folder, "archive");
  mkdirSync(folder, { recursive: true });
  const known = existsSync(join(folder, "shape.json")) ? (await readManifest(root)).runs[0] : undefined;
  if (known) return known;
  const times = Array.from({ length: STEPS }, (_, i) => FIRST + i * STEP_S);
  const origin = {
    dataset: "Forecast",
    source: "bench",
    model: "Synthetic 0.25°",
    referenceTime: FIRST,
  } as const;
  const began = performance.now();
  const writer = await beginRun(root, { ...origin, grid, times });
  const raw = await open(join(folder, "raw.i16"), "w");
  const random = seeded(1);
  const packed = new Int16Array(grid.latitude.count * grid.longitude.count);
  await writer.writeField(FIELD, {}, async (step) => {
    const values = weather(step, random);
    pack(values, fields[FIELD], packed, { values: 0, missing: 0, outOfRange: 0 });
    await raw.write(packed);
    return values;
  });
  await raw.close();
  const run = await writer.publish();
  const shape = [STEPS, grid.latitude.count, grid.longitude.count];
  writeFileSync(
    join(folder, "shape.json"),
    JSON.stringify({ shape, south: -90, west: -180, spacing: 0.25, scale: fields[FIELD].scale }),
  );
  console.log(`(built the archive in ${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return run;
}

/** A smooth wind with the noise of a real one in its last two digits, m s-1. */
function weather(step: number, random: () => number): Float32Array {
  const { latitude, longitude } = grid;
  const values = new Float32Array(latitude.count * longitude.count);
  let at = 0;
  for (let row = 0; row < latitude.count; row++) {
    const y = ((row * latitude.step - 90) * Math.PI) / 180;
    for (let column = 0; column < longitude.count; column++) {
      const x = (column * longitude.step * Math.PI) / 180;
      values[at++] =
        9 * Math.cos(3 * y) * Math.sin(5 * x - step * 0.15) +
        4 * Math.sin(13 * x + 17 * y + step * 0.3) +
        0.08 * (random() + random() - 1);
    }
  }
  return values;
}
