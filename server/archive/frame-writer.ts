import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { type StoredSteps, storedSteps } from "#lib/catalog/map-fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { chunkNames, chunkPart, partGrid, wholePart } from "#lib/field/frame-chunks.ts";
import { directoryStore } from "./directory-store.ts";
import { everyNth, frameChunking, framesFile, levelGrid } from "./layout.ts";
import { makeFrame, packFrame } from "./map-frames.ts";
import { openSteps, place, sealFrame } from "./map-step.ts";
import { type Run, stepsWith } from "./run.ts";
import { ShardWriter } from "./shard.ts";
import type { ChunkStore } from "./store.ts";

/** Memory for whole steps of the native grid. */
const STEPS_BYTES = 64 * 1024 * 1024;

/**
 * Writes the whole steps of a run, whose fields must have been written: the compressed frames of every layer of the map
 * where the run has all bands.
 *
 * @param root Folder above the run's.
 * @param run The run to be published, with `path` below `root`.
 * @param signal Is checked between two steps.
 * @returns The names of what was written; see `storedSteps`.
 */
export async function writeFrames(
  root: string,
  run: Run,
  signal = new AbortController().signal,
): Promise<string[]> {
  const store = directoryStore(root);
  try {
    const written: string[] = [];
    for (const kind of storedSteps) {
      // The map draws statistics of members, not members.
      if (kind.bands.some((band) => run.fields[band]?.members)) continue;
      const steps = stepsWith(run, kind.bands);
      if (!steps || steps.length === 0) continue;
      await writeSteps(root, store, run, kind, steps, signal);
      written.push(kind.name);
    }
    return written;
  } finally {
    store.release();
  }
}

async function writeSteps(
  root: string,
  store: ChunkStore,
  run: Run,
  { name, bands }: StoredSteps,
  steps: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const levels: Level[] = [];
  try {
    for (const stride of run.levels) levels.push(await createLevel(root, run, name, stride));
    for await (const { step, values } of wholeSteps(store, run, bands, steps, signal))
      for (const level of levels) await writeStep(run, bands, step, values, level, signal);
    for (const { shard } of levels) await shard.finish();
  } catch (error) {
    for (const { shard } of levels) await shard.close();
    throw error;
  }
}

interface Level {
  stride: number;
  grid: Grid;
  shard: ShardWriter;
}

async function createLevel(root: string, run: Run, name: string, stride: number): Promise<Level> {
  const grid = levelGrid(run, stride);
  const file = join(root, run.path, framesFile(name, stride));
  await mkdir(dirname(file), { recursive: true });
  const frames = run.times.length * chunkNames(grid, frameChunking(grid)).length;
  return { stride, grid, shard: await ShardWriter.create(file, frames) };
}

/**
 * The bands of each step. Chunks of the points layout hold several steps, which are read together as far as memory
 * allows.
 */
async function* wholeSteps(
  store: ChunkStore,
  run: Run,
  bands: readonly StoredName[],
  steps: readonly number[],
  signal: AbortSignal,
): AsyncGenerator<{ step: number; values: Int16Array[] }> {
  const opened = await Promise.all(bands.map((band) => openSteps(store, run, band, signal)));
  const stepBytes = 2 * run.grid.latitude.count * run.grid.longitude.count * bands.length;
  const most = Math.max(1, Math.floor(STEPS_BYTES / stepBytes));
  const [{ together }] = opened as [(typeof opened)[number]];
  for (let from = 0; from < steps.length; ) {
    const block = Math.floor(steps[from]! / together);
    let to = from + 1;
    while (to < steps.length && to - from < most && Math.floor(steps[to]! / together) === block) to++;
    const some = steps.slice(from, to);
    const read: Int16Array[][] = [];
    for (const band of opened) read.push(await band.read(some, signal));
    for (const [i, step] of some.entries()) yield { step, values: read.map((band) => band[i]!) };
    from = to;
  }
}

async function writeStep(
  run: Run,
  bands: readonly StoredName[],
  step: number,
  native: readonly Int16Array[],
  { stride, grid, shard }: Level,
  signal: AbortSignal,
): Promise<void> {
  const { latitude, longitude } = grid;
  const values = new Map(
    bands.map((band, i) => [
      band,
      stride === 1
        ? native[i]!
        : everyNth(native[i]!, run.grid.longitude.count, stride, latitude.count, longitude.count),
    ]),
  );
  const chunking = frameChunking(grid);
  const names = chunkNames(grid, chunking);
  const frames = await Promise.all(
    names.map(async (name) => {
      const part = chunkPart(grid, chunking, name)!;
      const frame = await makeFrame({ run, bands, step, stride, part }, async (band) => {
        const window = new Int16Array(part.rows * part.columns);
        place(values.get(band)!, wholePart(grid), window, part);
        return { grid: partGrid(grid, part), values: window };
      });
      return packFrame(frame, "br");
    }),
  );
  signal.throwIfAborted();
  for (const [chunk, packed] of frames.entries())
    await shard.append(step * names.length + chunk, sealFrame(packed));
}
