import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { FILL, type FieldName, fields } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { writeSynced } from "#server/platform/files.ts";
import { type ChunkEncoder, chunkEncoder } from "./chunk-encoder.ts";
import { chunkCounts, pointChunk, type Shape } from "./layout.ts";
import { type PackingCounts, pack } from "./packing.ts";
import { ShardWriter, type WrittenFile } from "./shard-writer.ts";
import { fieldMetadata, pointsGroup, SHARD_KEY } from "./zarr-metadata.ts";

/** Where a field of a staged run is written. */
export interface FieldTarget {
  /** Folder of the staged run. */
  folder: string;
  grid: Grid;
  timeCount: number;
}

/** Result of writing a field. */
export interface WrittenField {
  counts: PackingCounts;
  /** Indices of the steps that had data. */
  steps: number[];
  /** The array's entry in the consolidated metadata. */
  metadata: object;
  file: WrittenFile;
}

/**
 * Writes a field into the points layout, step by step. On failure everything written of it is removed.
 *
 * @param readStep Called once for each step, in order; see `RunWriter.writeField`.
 */
export async function writeFieldTo(
  target: FieldTarget,
  name: FieldName,
  attributes: { steps?: readonly number[]; comment?: string },
  readStep: (timeIndex: number) => Promise<Float32Array | undefined>,
  signal?: AbortSignal,
): Promise<WrittenField> {
  const { grid, timeCount } = target;
  const shape: Shape = [timeCount, grid.latitude.count, grid.longitude.count];
  const chunk = pointChunk(shape);
  const folder = join(target.folder, pointsGroup, name);
  await mkdir(folder);
  let shard: ShardWriter | undefined;
  try {
    const [times, rows, columns] = chunkCounts(shape, chunk);
    shard = await ShardWriter.create(join(folder, SHARD_KEY), times * rows * columns);
    const encoder = chunkEncoder(shard, shape, chunk);
    const written = await writeSteps(target, name, attributes.steps, encoder, readStep, signal);
    const file = await shard.finish();
    const metadata = fieldMetadata(fields[name], { shape, chunk, codec: "planes" }, attributes.comment);
    await writeSynced(join(folder, "zarr.json"), JSON.stringify(metadata));
    return { ...written, metadata, file };
  } catch (error) {
    await shard?.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeSteps(
  { grid, timeCount }: FieldTarget,
  name: FieldName,
  wanted: readonly number[] | undefined,
  encoder: ChunkEncoder,
  readStep: (timeIndex: number) => Promise<Float32Array | undefined>,
  signal: AbortSignal | undefined,
): Promise<Pick<WrittenField, "counts" | "steps">> {
  const nodes = grid.latitude.count * grid.longitude.count;
  const counts: PackingCounts = { values: 0, missing: 0, outOfRange: 0 };
  const steps: number[] = [];
  const packed = new Int16Array(nodes);
  for (let time = 0; time < timeCount; time++) {
    signal?.throwIfAborted();
    const values = !wanted || wanted.includes(time) ? await readStep(time) : undefined;
    if (values && values.length !== nodes)
      throw new RangeError(`${name}: a step of ${values.length} values on a grid of ${nodes} nodes`);
    if (values) {
      steps.push(time);
      pack(values, fields[name], packed, counts);
    } else packed.fill(FILL);
    await encoder.add(packed);
  }
  signal?.throwIfAborted();
  await encoder.end();
  return { counts, steps };
}
