import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ifMissing } from "#server/platform/files.ts";
import { DamagedChunkError } from "./errors.ts";
import { chunkCounts, framesFile } from "./layout.ts";
import type { Run, RunObjects } from "./run.ts";
import {
  chunkLength,
  crc32c,
  decodeShardIndex,
  indexOfLengths,
  type ShardIndex,
  shardIndexBytes,
} from "./shard.ts";
import { parseFieldMetadata, pointsGroup, shardKey } from "./zarr-metadata.ts";

/** File below the folder of a run with the packed indices of its points, one after the other. */
export const INDICES = "points.indices";

/**
 * Returns the description of a run's objects for a store's manifest, and the content of `INDICES`.
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
  for (const field of Object.keys(run.fields)) {
    const folder = join(root, pointsGroup, field);
    const stored = parseFieldMetadata(await readFile(join(folder, "zarr.json")));
    const { shape, chunk } = stored;
    const [times, rows, columns] = chunkCounts(shape, chunk);
    const count = times * rows * columns;
    const packed = packIndex(await tailOf(join(folder, shardKey(stored)), shardIndexBytes(count)), count);
    if (!packed) throw new DamagedChunkError(run.id, field, `${folder}: its index is damaged`);
    const index = { offset: end, length: packed.length };
    points[field] = { ...stored, shape: [...shape], chunk: [...chunk], index };
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

const CRC_BYTES = 4;
const LENGTH_BYTES = 4;
/** Value of the first byte, which names the form of the rest. There is one form so far. */
const LENGTHS = 1;

/**
 * Packs the index of a shard for a network, to a fifteenth of its size: the lengths of its chunks, 0 = not stored, each
 * of their four bytes apart, in zstd, behind a byte that names this form, and a crc32c of both.
 *
 * @param stored The index as it is in the shard: see `encodeShardIndex`.
 * @returns undefined where the index is damaged.
 */
export function packIndex(stored: Uint8Array, count: number): Uint8Array | undefined {
  const index = decodeShardIndex(stored, count);
  if (typeof index === "string") return undefined;
  const planes = new Uint8Array(LENGTH_BYTES * count);
  for (let chunk = 0; chunk < count; chunk++) {
    const length = chunkLength(index, chunk);
    for (let i = 0; i < LENGTH_BYTES; i++) planes[i * count + chunk] = length >>> (8 * i);
  }
  const packed = zstdCompressSync(planes);
  const end = 1 + packed.length;
  const sealed = new Uint8Array(end + CRC_BYTES);
  sealed[0] = LENGTHS;
  sealed.set(packed, 1);
  new DataView(sealed.buffer).setUint32(end, crc32c(sealed, 0, end), true);
  return sealed;
}

/** Whether a packed index is as it was written. */
export function isWholeIndex(sealed: Uint8Array): boolean {
  const end = sealed.length - CRC_BYTES;
  if (end < 1) return false;
  const view = new DataView(sealed.buffer, sealed.byteOffset, sealed.length);
  return view.getUint32(end, true) === crc32c(sealed, 0, end);
}

/** @returns The index, or a description of what is wrong with a damaged one. */
export function unpackIndex(sealed: Uint8Array, count: number): ShardIndex | string {
  if (!isWholeIndex(sealed)) return "its packed index fails its checksum";
  if (sealed[0] !== LENGTHS) return `its packed index is of the unknown form ${sealed[0]}`;
  const size = count * LENGTH_BYTES;
  let planes: Uint8Array;
  try {
    planes = zstdDecompressSync(sealed.subarray(1, -CRC_BYTES), { maxOutputLength: size });
  } catch {
    return "its packed index is not zstd of its chunks";
  }
  if (planes.length !== size) return `its packed index has ${planes.length} bytes`;
  const lengths = new Float64Array(count);
  for (let chunk = 0; chunk < count; chunk++)
    for (let i = 0; i < LENGTH_BYTES; i++) lengths[chunk]! += planes[i * count + chunk]! * 2 ** (8 * i);
  return indexOfLengths(lengths);
}
