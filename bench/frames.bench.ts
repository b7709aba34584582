import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { colourScales, drawnVariables } from "#lib/catalog/colours.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { chunkNames, chunkPart } from "#lib/field/frame-chunks.ts";
import { frameChunking, levelGrid } from "#server/archive/layout.ts";
import { makeFrame, packFrame } from "#server/archive/map-frames.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { stepsWith } from "#server/archive/run.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { demoPool, demoStore } from "#server/demo/store.ts";

const NOW = 1_789_473_600;
const signal = new AbortController().signal;

/** Limits of a wind frame of the globe by stride, bytes: 1° and 0.25°. */
const limits: Record<number, number> = { 4: 150_000, 1: 2_000_000 };

/**
 * Measures bytes and milliseconds of the frames of every variable of the demo: the globe at 1° and at 0.25°, with the
 * chunks of a level together. Afterwards the same of wind for each of the demo's models.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-frames-"));
  const pool = demoPool({ seed: 1, folder });
  try {
    await pool.warm();
    const reader = openReader(demoStore(pool), { cacheBytes: 1e8 });
    const { runs } = demoManifest(NOW);
    console.log("variable  level  chunks     br kB   gzip kB   limit   make ms   pack ms   decode ms");
    for (const variable of drawnVariables) {
      const { bands } = colourScales[variable];
      const run = runs.find((candidate) => stepsWith(candidate, bands)?.length);
      if (!run) throw new Error(`The demo world has no ${variable}`);
      for (const stride of [4, 1]) console.log(await measure(reader, run, variable, stride));
    }
    console.log("wind of each model");
    const newest = Math.max(...runs.map(({ referenceTime }) => referenceTime));
    for (const run of runs.filter(({ referenceTime }) => referenceTime === newest))
      for (const stride of [4, 1])
        console.log(run.source.padEnd(10), await measure(reader, run, "wind", stride));
  } finally {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  reader: ReturnType<typeof openReader>,
  run: Run,
  variable: (typeof drawnVariables)[number],
  stride: number,
): Promise<string> {
  const { bands } = colourScales[variable];
  const steps = stepsWith(run, bands) ?? [];
  const step = steps[steps.length >> 1] ?? 0;
  const grid = levelGrid(run, stride);
  const chunking = frameChunking(grid);
  const names = chunkNames(grid, chunking);
  const bytes = { br: 0, gzip: 0 };
  const ms = { make: 0, pack: 0, decode: 0 };
  const timed = async <T>(what: keyof typeof ms, work: () => T | Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work();
    ms[what] += performance.now() - started;
    return result;
  };
  for (const name of names) {
    const part = chunkPart(grid, chunking, name)!;
    const frame = await timed("make", () =>
      makeFrame({ run, bands, step, stride, part }, (field) =>
        reader.mapStep(run, field, step, stride, signal, part),
      ),
    );
    bytes.br += (await timed("pack", () => packFrame(frame, "br"))).length;
    bytes.gzip += (await packFrame(frame, "gzip")).length;
    await timed("decode", () => decodeFrame(frame));
  }
  const limit =
    variable === "wind" ? `${bytes.br <= limits[stride]! ? "≤" : "OVER"} ${limits[stride]! / 1000}` : "";
  const cell = (value: number, width: number) => value.toFixed(0).padStart(width);
  return [
    variable.padEnd(9),
    `${(grid.latitude.step).toFixed(2)}°`.padEnd(6),
    cell(names.length, 6),
    cell(bytes.br / 1000, 9),
    cell(bytes.gzip / 1000, 9),
    limit.padStart(8),
    cell(ms.make, 9),
    cell(ms.pack, 9),
    cell(ms.decode, 10),
  ].join(" ");
}
