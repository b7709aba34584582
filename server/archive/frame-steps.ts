import { promisify } from "node:util";
import { brotliDecompress, crc32 } from "node:zlib";
import { FILL, fields } from "#lib/catalog/fields.ts";
import { storedStepsOf } from "#lib/catalog/map-fields.ts";
import { decodeBandOf, FrameError, frameBytes } from "#lib/field/frame.ts";
import { chunkNames, chunkPart, type GridPart } from "#lib/field/frame-chunks.ts";
import { DamagedChunkError } from "./errors.ts";
import { frameChunking, levelGrid } from "./layout.ts";
import { place, type StepWindow } from "./map-step.ts";
import { chunkLength, chunkOffset, readShardIndex } from "./shard.ts";
import { type ByteRange, type ChunkStore, ObjectMissingError, rangesOf } from "./store.ts";

const decompress = promisify(brotliDecompress);

/**
 * A window of one step of a level, from the stored frames.
 *
 * @param onDamage Told what cannot be read, damaged or gone.
 * @returns undefined where they are damaged or gone, or were not stored: not of this field, not on this level, or not of a
 *   step at which another band of the frame has no data.
 */
export async function stepOfFrames(
  store: ChunkStore,
  { run, field, timeIndex, stride, window }: StepWindow,
  signal: AbortSignal,
  onDamage: (error: unknown) => void = () => {},
): Promise<Int16Array | undefined> {
  const steps = storedStepsOf(field);
  if (!steps || !run.storedFrames?.includes(steps.name) || !(steps.drawn || stride === 1)) return undefined;
  const grid = levelGrid(run, stride);
  const chunking = frameChunking(grid);
  const names = chunkNames(grid, chunking);
  const touched = names.flatMap((name, number) => {
    const part = chunkPart(grid, chunking, name)!;
    return overlap(part, window) ? [{ number, part }] : [];
  });
  const file = framesFile(steps.name, stride);
  const key = `${run.path}/${file}`;
  try {
    const count = run.times.length * names.length;
    const index = await readShardIndex(store, key, count, run.id, field, signal, run.objects?.frames[file]);
    const ranges: ByteRange[] = [];
    for (const { number } of touched) {
      const chunk = timeIndex * names.length + number;
      if (chunkOffset(index, chunk) < 0) return undefined;
      ranges.push({ offset: chunkOffset(index, chunk), length: chunkLength(index, chunk) });
    }
    const stored = await rangesOf(store, key, ranges, signal, isWholeFrame);
    const values = new Int16Array(window.rows * window.columns).fill(FILL);
    await Promise.all(
      touched.map(async ({ part }, i) => {
        const frame = await unpacked(store, `${key} ${ranges[i]!.offset}`, stored[i]!, part, steps.bands);
        const band = frame && decodeBandOf(frame, field);
        const { scale, offset } = fields[field];
        const isReadable =
          band?.values.length === part.rows * part.columns && band.scale === scale && band.offset === offset;
        if (!isReadable) throw new DamagedChunkError(run.id, field, `${key}: a frame cannot be read`);
        place(band.values, part, values, window);
      }),
    );
    signal.throwIfAborted();
    return values;
  } catch (error) {
    if (!isUnreadableFrame(error)) throw error;
    onDamage(error);
    return undefined;
  }
}

const overlap = (one: GridPart, other: GridPart) =>
  one.row < other.row + other.rows &&
  other.row < one.row + one.rows &&
  one.column < other.column + other.columns &&
  other.column < one.column + one.columns;

/** Frames that are being decompressed: several bands of one are asked for at the same time. */
const pending = new WeakMap<ChunkStore, Map<string, Promise<Uint8Array | undefined>>>();

/** @returns undefined if the frame is damaged. */
function unpacked(
  store: ChunkStore,
  key: string,
  sealed: Uint8Array,
  { rows, columns }: GridPart,
  bands: readonly string[],
): Promise<Uint8Array | undefined> {
  const frames = pending.get(store) ?? new Map<string, Promise<Uint8Array | undefined>>();
  pending.set(store, frames);
  const known = frames.get(key);
  if (known) return known;
  const frame = unsealFrame(sealed);
  const size = frameBytes(rows * columns, bands);
  // One byte to spare: zlib allocates another buffer after a full one, and then copies both into a third.
  const options = { chunkSize: Math.max(64, size + 1), maxOutputLength: size };
  const opened = frame
    ? decompress(frame, options).catch(() => undefined)
    : Promise.resolve<Uint8Array | undefined>(undefined);
  frames.set(key, opened);
  opened.then(() => frames.delete(key));
  return opened;
}

/**
 * In a run's folder, the frames of one level, as brotli: one file with the index of a shard.
 *
 * @param name Of a drawn variable, or of a field that is stored like one: see `storedSteps`.
 */
export function framesFile(name: string, stride: number): string {
  return `frames/${stride}/${name}.br`;
}

const CRC_BYTES = 4;

/** A frame as it is stored: followed by its CRC-32, little-endian. (Node's own: crc32c takes us half a millisecond a frame.) */
export function sealFrame(frame: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(frame.length + CRC_BYTES);
  sealed.set(frame);
  new DataView(sealed.buffer).setUint32(frame.length, crc32(frame), true);
  return sealed;
}

/** A frame that was sealed; undefined if the checksum is wrong. */
export function unsealFrame(sealed: Uint8Array): Uint8Array | undefined {
  const end = sealed.length - CRC_BYTES;
  if (end < 0) return undefined;
  const frame = sealed.subarray(0, end);
  const sum = new DataView(sealed.buffer, sealed.byteOffset, sealed.length).getUint32(end, true);
  return crc32(frame) === sum ? frame : undefined;
}

export const isWholeFrame = (sealed: Uint8Array) => unsealFrame(sealed) !== undefined;

/**
 * Whether an error of reading stored frames says that they are damaged or gone. The points have the same numbers: they are
 * read instead. If the whole run is gone, reading those fails too.
 */
export function isUnreadableFrame(error: unknown): boolean {
  return (
    error instanceof DamagedChunkError || error instanceof ObjectMissingError || error instanceof FrameError
  );
}
