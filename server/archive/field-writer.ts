import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { FILL } from "#lib/catalog/fill.ts";
import { type StoredName, storedField } from "#lib/catalog/stored-names.ts";
import { writeSynced } from "#server/platform/files.ts";
import { encodePlanes } from "./blosc.ts";
import { chunkCounts, memberChunk, pointChunk, type Shape } from "./layout.ts";
import { crc32c, ShardWriter, type WrittenFile } from "./shard.ts";
import { type ArrayLayout, fieldMetadata, type MemberAxis, pointsGroup, shardKey } from "./zarr-metadata.ts";

/** Where a field of a staged run is written, and how. */
export interface FieldTarget {
  /** Folder of the staged run. */
  folder: string;
  layout: ArrayLayout;
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
  name: StoredName,
  attributes: { steps?: readonly number[] | undefined; comment?: string | undefined },
  readStep: (timeIndex: number) => Promise<Float32Array | undefined>,
  signal?: AbortSignal,
): Promise<WrittenField> {
  const { steps = [...Array(target.layout.shape[0]).keys()], comment } = attributes;
  const field = await openField(target, name, comment);
  try {
    for (const time of steps) {
      signal?.throwIfAborted();
      const values = await readStep(time);
      if (values) await field.add(time, values);
    }
    signal?.throwIfAborted();
    return await field.end();
  } catch (error) {
    await field.abandon();
    throw error;
  }
}

export type FieldBeingWritten = Awaited<ReturnType<typeof openField>>;

/** Begins a field, whose steps are added in order. Whoever opens it either ends or abandons it. */
export async function openField(target: FieldTarget, name: StoredName, comment: string | undefined) {
  const { layout } = target;
  const { shape, members = ONE } = layout;
  const folder = join(target.folder, pointsGroup, name);
  await mkdir(folder);
  const [times, rows, columns] = chunkCounts(shape, layout.chunk);
  const shard = await ShardWriter.create(join(folder, shardKey(layout)), times * rows * columns);
  const encoder = chunkEncoder(shard, layout);
  const counts: PackingCounts = { values: 0, missing: 0, outOfRange: 0 };
  const steps: number[] = [];
  const nodes = members.count * shape[1] * shape[2];
  let next = 0;

  /** Adds missing values up to a step. */
  async function skipTo(time: number): Promise<void> {
    for (; next < time; next++) await encoder.add((step) => step.fill(FILL));
  }

  return {
    async add(time: number, values: Float32Array): Promise<void> {
      if (values.length !== nodes)
        throw new RangeError(`${name}: a step of ${values.length} values in place of ${nodes}`);
      await skipTo(time);
      steps.push(time);
      await encoder.add((step) => pack(values, storedField(name), step, counts));
      next++;
    },
    async end(): Promise<WrittenField> {
      await skipTo(shape[0]);
      await encoder.end();
      const file = await shard.finish();
      const metadata = fieldMetadata(storedField(name), layout, comment);
      await writeSynced(join(folder, "zarr.json"), JSON.stringify(metadata));
      return { counts, steps, metadata, file };
    },
    /** Removes what was written of the field. */
    async abandon(): Promise<void> {
      await shard.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * How the archive stores a field.
 *
 * @param members Members of the ensemble, of a field that has the values of each.
 * @param together How many fields are written together, step by step.
 */
export function layoutOf(grid: Grid, timeCount: number, members?: number, together = 1): ArrayLayout {
  const shape: Shape = [timeCount, grid.latitude.count, grid.longitude.count];
  const codec = "planes";
  if (members === undefined) return { shape, chunk: pointChunk(shape, together), codec };
  const { chunk, places } = memberChunk(timeCount, members);
  return { shape, chunk, members: { count: members, places }, codec };
}

const CRC_BYTES = 4;

/**
 * Appends the steps of one field as chunks to a shard; the steps arrive in order. Chunks without any value are not
 * stored.
 */
function chunkEncoder(shard: ShardWriter, { shape, chunk, members = ONE }: ArrayLayout) {
  const [, rows, columns] = shape;
  const [, chunkRows, chunkColumns] = chunkCounts(shape, chunk);
  const layers = layersOf(chunk[0], members);
  const nodes = members.count * rows * columns;
  const block = new Int16Array(chunk[0] * nodes);
  let buffered = 0;
  let blocks = 0;

  async function writeBlock(): Promise<void> {
    for (let row = 0; row < chunkRows; row++) {
      const first = (blocks * chunkRows + row) * chunkColumns;
      for (let column = 0; column < chunkColumns; column++)
        if (gather(block, layers, shape, chunk, row, column, values))
          await shard.append(first + column, sealed(encodePlanes(plain, CRC_BYTES)));
    }
    blocks++;
    buffered = 0;
  }
  const values = new Int16Array(layers.length * chunk[1] * chunk[2]);
  const plain = new Uint8Array(values.buffer);

  return {
    /** @param write Receives the memory of one step, (members, rows, columns), and packs all of it. */
    async add(write: (step: Int16Array) => void): Promise<void> {
      write(block.subarray(buffered * nodes, (buffered + 1) * nodes));
      buffered++;
      if (buffered === chunk[0]) await writeBlock();
    },
    /** Writes the last block of steps, filled up with missing values. */
    async end(): Promise<void> {
      if (buffered === 0) return;
      block.fill(FILL, buffered * nodes);
      await writeBlock();
    },
  };
}

/** The axis of members of a field that has none. */
const ONE: MemberAxis = { count: 1, places: 1 };

/** The layers of a chunk, each of one member at one step, by their numbers in a block of steps; −1 is an empty place. */
function layersOf(steps: number, { count, places }: MemberAxis): Int32Array {
  return Int32Array.from({ length: steps * places }, (_, layer) => {
    const member = layer % places;
    return member < count ? Math.floor(layer / places) * count + member : -1;
  });
}

/**
 * Copies one chunk from a block of steps into `values`. Cells beyond the grid become missing.
 *
 * @returns Whether any cell of the chunk has a value.
 */
function gather(
  block: Int16Array,
  layers: Int32Array,
  [, rows, columns]: Shape,
  [, height, width]: Shape,
  row: number,
  column: number,
  values: Int16Array,
): boolean {
  const south = row * height;
  const west = column * width;
  let any = false;
  let at = 0;
  for (const layer of layers)
    for (let y = south; y < south + height; y++) {
      const isThere = layer >= 0 && y < rows;
      const from = (layer * rows + y) * columns;
      for (let x = west; x < west + width; x++) {
        const value = isThere && x < columns ? block[from + x]! : FILL;
        if (value !== FILL) any = true;
        values[at++] = value;
      }
    }
  return any;
}

/** Writes the checksum of all bytes before the last four into those four. */
function sealed(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - CRC_BYTES), bytes.length - CRC_BYTES);
  return bytes;
}

/** How numbers are packed: value = scale · stored + offset. */
interface Packing {
  scale: number;
  offset: number;
}

/** Largest magnitude of a stored number; the one below its negative is `FILL`. */
const LARGEST = 32_767;

/** Counts of the packed values of a field. */
export interface PackingCounts {
  /** Nodes written, all steps together. */
  values: number;
  /** Nodes without a value. */
  missing: number;
  /** Nodes whose value is outside int16: stored as missing, never wrapped or clamped. */
  outOfRange: number;
}

/**
 * Packs one step as int16: stored = round((value − offset) / scale).
 *
 * @param values Any order; NaN = missing.
 * @param out As long as `values`, written.
 * @param counts Incremented.
 */
export function pack(values: Float32Array, packing: Packing, out: Int16Array, counts: PackingCounts): void {
  const { scale, offset } = packing;
  let missing = 0;
  let outOfRange = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      missing++;
      out[i] = FILL;
      continue;
    }
    const stored = Math.round((value - offset) / scale);
    if (stored > LARGEST || stored < -LARGEST) {
      outOfRange++;
      out[i] = FILL;
    } else out[i] = stored;
  }
  counts.values += values.length;
  counts.missing += missing;
  counts.outOfRange += outOfRange;
}
