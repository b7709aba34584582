import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { colourScales, type DrawnVariable, drawnVariables } from "#lib/catalog/colours.ts";
import { chunkNames, chunkPart } from "#lib/field/frame-chunks.ts";
import { directoryStore } from "./directory-store.ts";
import { frameChunking, levelGrid } from "./layout.ts";
import { framesFile, makeFrame, packFrame, sealFrame } from "./map-frames.ts";
import { readMapStep } from "./map-step.ts";
import type { Run } from "./run.ts";
import { stepsWith } from "./run.ts";
import { ShardWriter } from "./shard-writer.ts";
import type { ChunkStore } from "./store.ts";

/**
 * Writes the compressed map frames of a run, whose fields must have been written: of every variable that the map draws and
 * of which the run has all bands.
 *
 * @param root Folder above the run's.
 * @param run As it will be published, with `path` below `root`.
 * @param signal Checked between two frames.
 * @returns The variables written.
 */
export async function writeFrames(root: string, run: Run, signal?: AbortSignal): Promise<DrawnVariable[]> {
  const store = directoryStore(root);
  try {
    const written: DrawnVariable[] = [];
    for (const variable of drawnVariables) {
      const steps = stepsWith(run, colourScales[variable].bands);
      if (!steps || steps.length === 0) continue;
      for (const stride of run.levels) await writeLevel(root, store, run, variable, steps, stride, signal);
      written.push(variable);
    }
    return written;
  } finally {
    store.release();
  }
}

async function writeLevel(
  root: string,
  store: ChunkStore,
  run: Run,
  variable: DrawnVariable,
  steps: readonly number[],
  stride: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const grid = levelGrid(run, stride);
  const chunking = frameChunking(grid);
  const names = chunkNames(grid, chunking);
  const { bands } = colourScales[variable];
  const file = join(root, run.path, framesFile(variable, stride));
  await mkdir(dirname(file), { recursive: true });
  const shard = await ShardWriter.create(file, run.times.length * names.length);
  try {
    for (const step of steps) {
      const frames = await Promise.all(
        names.map(async (name) => {
          const part = chunkPart(grid, chunking, name)!;
          const frame = await makeFrame({ run, bands, step, stride, part }, (field) =>
            readMapStep(store, run, field, step, stride, signal, part),
          );
          return packFrame(frame, "br");
        }),
      );
      signal.throwIfAborted();
      for (const [chunk, packed] of frames.entries())
        await shard.append(step * names.length + chunk, sealFrame(packed));
    }
    await shard.finish();
  } catch (error) {
    await shard.close();
    throw error;
  }
}
