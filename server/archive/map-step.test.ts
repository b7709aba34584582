import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Grid } from "#lib/field/grid.ts";
import { newRun, temporaryFolder } from "#test/archive.ts";
import { directoryStore } from "./directory-store.ts";
import { readMapStep } from "./map-step.ts";
import type { Run } from "./run.ts";
import { beginRun } from "./writer.ts";

const zlib = vi.hoisted(() => ({ decompressed: 0 }));
vi.mock("node:zlib", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:zlib")>();
  const brotliDecompress = (...args: Parameters<typeof original.brotliDecompress>) => {
    zlib.decompressed++;
    original.brotliDecompress(...args);
  };
  return { ...original, brotliDecompress };
});

/** Two frames on its finest level. */
const grid: Grid = {
  latitude: { start: -45, step: 0.25, count: 362 },
  longitude: { start: 0, step: 0.25, count: 380 },
};
const FIELDS = ["eastward_wind_10m", "northward_wind_10m", "sea_surface_wave_mean_period"] as const;
const { signal } = new AbortController();

async function withFrames(root: string): Promise<Run> {
  const writer = await beginRun(root, newRun(grid, 1));
  const nodes = grid.latitude.count * grid.longitude.count;
  for (const [i, field] of FIELDS.entries()) {
    const step = Float32Array.from({ length: nodes }, (_, node) => 10 + Math.cos(i + node / 400));
    await writer.writeField(field, {}, async () => step);
  }
  await writer.writeFrames();
  return writer.publish();
}

it("reads whole steps and windows of every level from the frames, without the points", async () => {
  const root = temporaryFolder();
  const run = await withFrames(root);
  const south = { row: 10, rows: 5, column: 20, columns: 7 };
  const requests = [
    ...[1, 2, 4].map((stride) => [FIELDS[0], stride, undefined] as const),
    [FIELDS[2], 1, undefined] as const,
    [FIELDS[1], 1, south] as const,
  ];
  const read = (of: Run) =>
    Promise.all(
      requests.map(async ([field, stride, part]) => {
        const { values } = await readMapStep(directoryStore(root), of, field, 0, stride, signal, part);
        return Buffer.from(values.buffer);
      }),
    );
  const { storedFrames: _, ...withoutFrames } = run;
  const expected = await read(withoutFrames);
  rmSync(join(root, run.path, "points"), { recursive: true });
  for (const [i, found] of (await read(run)).entries()) expect(found.equals(expected[i]!)).toBe(true);
});

it("decompresses the frames that a window touches, and each once for all bands that are asked for together", async () => {
  const root = temporaryFolder();
  const run = await withFrames(root);
  const decompressedFor = async (columns: number) => {
    const store = directoryStore(root);
    const part = { row: 0, rows: 1, column: 0, columns };
    zlib.decompressed = 0;
    const winds = FIELDS.slice(0, 2);
    await Promise.all(winds.map((field) => readMapStep(store, run, field, 0, 1, signal, part)));
    return zlib.decompressed;
  };
  expect([await decompressedFor(1), await decompressedFor(380)]).toEqual([1, 2]);
});
