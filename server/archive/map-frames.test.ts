import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { decodeFrame } from "#lib/field/frame.ts";
import { chunkNames, chunkPart } from "#lib/field/frame-chunks.ts";
import { newRun, randomSteps, temporaryFolder } from "#test/archive.ts";
import { seeded } from "#test/seeded.ts";
import { directoryStore } from "./directory-store.ts";
import { frameChunking, levelGrid } from "./layout.ts";
import { readManifest } from "./manifest.ts";
import { openStoredFrames, type StoredFrame } from "./map-frames.ts";
import { type MapStep, readMapStep } from "./map-step.ts";
import type { Run } from "./run.ts";
import { beginRun } from "./writer.ts";

/** The finest level is split into chunks, the coarser one is a single frame. */
const grid: Grid = {
  latitude: { start: -90, step: 0.5, count: 361 },
  longitude: { start: -180, step: 0.5, count: 720 },
};
const { signal } = new AbortController();
const bands = ["eastward_wind_10m", "northward_wind_10m"] as const;

const unexpected = (error: Error) => {
  throw error;
};

/** Publishes a run with two steps, of which the second has no wind. */
async function archive(): Promise<{ root: string; run: Run }> {
  const root = temporaryFolder();
  const random = seeded(7);
  const writer = await beginRun(root, newRun(grid, 2));
  for (const band of bands) {
    const [step] = randomSteps(grid, 1, random);
    await writer.writeField(band, { steps: [0] }, async () => step);
  }
  await writer.writeFrames();
  return { root, run: await writer.publish() };
}

const frame = (run: Run, stride: number, chunk: string, step = 0): StoredFrame => ({
  run,
  variable: "wind",
  step,
  stride,
  chunk,
});

it("contains every number of whole steps exactly once, in every chunk of every level", async () => {
  const { root, run } = await archive();
  expect(run.storedFrames).toEqual(["wind"]);
  expect((await readManifest(root)).runs[0]?.storedFrames).toEqual(["wind"]);
  const store = directoryStore(root);
  const read = openStoredFrames(store, { onDamage: unexpected });
  const chunks = run.levels.map((stride) => {
    const level = levelGrid(run, stride);
    return chunkNames(level, frameChunking(level)).length;
  });
  expect(chunks).toEqual([2, 1]);
  for (const stride of run.levels) {
    const level = levelGrid(run, stride);
    const whole: MapStep[] = [];
    for (const band of bands) whole.push(await readMapStep(store, run, band, 0, stride, signal));
    for (const chunk of chunkNames(level, frameChunking(level))) {
      const part = chunkPart(level, frameChunking(level), chunk)!;
      const packed = (await read(frame(run, stride, chunk), signal))!;
      const decoded = decodeFrame(brotliDecompressSync(packed));
      expect(decoded.time).toBe(run.times[0]);
      for (const [band, { values }] of whole.entries()) {
        const found = decoded.values.filter((_, i) => i % 2 === band);
        const expected = found.map((_, i) => {
          const row = part.row + Math.floor(i / part.columns);
          return values[row * level.longitude.count + part.column + (i % part.columns)]!;
        });
        expect(found).toEqual(expected);
      }
    }
  }
});

it("names a damaged frame once, and does not return it, whichever byte is wrong or missing", async () => {
  const { root, run } = await archive();
  const file = join(root, run.path, "frames", "2", "wind.br");
  const intact = readFileSync(file);
  const random = seeded(2);
  const places = [0, intact.length - 1, ...Array.from({ length: 30 }, () => random() * intact.length)];
  const flipped = places.map(Math.floor).map((at) => intact.with(at, intact[at]! ^ (1 << (8 * random()))));
  for (const bytes of [...flipped, intact.subarray(0, intact.length - 1)]) {
    writeFileSync(file, bytes);
    const named: string[] = [];
    const read = openStoredFrames(directoryStore(root), { onDamage: ({ detail }) => named.push(detail) });
    const twice = [await read(frame(run, 2, "all"), signal), await read(frame(run, 2, "all"), signal)];
    expect(twice).toEqual([undefined, undefined]);
    expect(named).toEqual([expect.stringContaining("frames/2/wind.br: ")]);
  }
});
