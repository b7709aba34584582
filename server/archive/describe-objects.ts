import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FieldName } from "#lib/catalog/fields.ts";
import { ifMissing } from "#server/platform/files.ts";
import { DamagedChunkError } from "./errors.ts";
import { framesFile } from "./frame-file.ts";
import { chunkCounts } from "./layout.ts";
import { packIndex } from "./packed-index.ts";
import type { Run } from "./run.ts";
import type { RunObjects } from "./run-objects.ts";
import { shardIndexBytes } from "./shard-index.ts";
import { parseFieldMetadata, pointsGroup, SHARD_KEY } from "./zarr-metadata.ts";

/**
 * What a store's manifest says of the objects of a run, and the content of `INDICES`.
 *
 * Throws DamagedChunkError.
 *
 * @param root Folder with the files of the run.
 */
export async function describeObjects(
  root: string,
  run: Pick<Run, "id" | "fields" | "storedFrames" | "levels">,
): Promise<{ objects: RunObjects; indices: Uint8Array }> {
  const points: RunObjects["points"] = {};
  const indices: Uint8Array[] = [];
  let end = 0;
  for (const field of Object.keys(run.fields) as FieldName[]) {
    const folder = join(root, pointsGroup, field);
    const { shape, chunk, codec, scale, offset } = parseFieldMetadata(
      await readFile(join(folder, "zarr.json")),
    );
    const [times, rows, columns] = chunkCounts(shape, chunk);
    const count = times * rows * columns;
    const packed = packIndex(await tailOf(join(folder, SHARD_KEY), shardIndexBytes(count)), count);
    if (!packed) throw new DamagedChunkError(run.id, field, `${folder}: its index is damaged`);
    const index = { offset: end, length: packed.length };
    points[field] = { shape: [...shape], chunk: [...chunk], codec, scale, offset, index };
    indices.push(packed);
    end += packed.length;
  }
  const frames: RunObjects["frames"] = {};
  for (const name of run.storedFrames ?? [])
    for (const stride of run.levels) {
      const file = framesFile(name, stride);
      const found = await stat(join(root, file)).catch(ifMissing(undefined));
      if (found) frames[file] = found.size;
    }
  return { objects: { points, frames }, indices: Buffer.concat(indices) };
}

/** The last bytes of a file; all of them where it is shorter. */
async function tailOf(path: string, length: number): Promise<Uint8Array> {
  await using file = await open(path);
  const { size } = await file.stat();
  const from = Math.max(0, size - length);
  const bytes = Buffer.alloc(size - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}
