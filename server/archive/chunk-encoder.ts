import { FILL } from "#lib/catalog/fields.ts";
import { encodePlanes } from "./blosc.ts";
import { crc32c } from "./crc32c.ts";
import { chunkCounts, type Shape } from "./layout.ts";
import type { ShardWriter } from "./shard-writer.ts";

const CRC_BYTES = 4;

export type ChunkEncoder = ReturnType<typeof chunkEncoder>;

/** Appends the steps of one field, given in order, as chunks to a shard. Chunks without any value are not stored. */
export function chunkEncoder(shard: ShardWriter, shape: Shape, chunk: Shape) {
  const [, rows, columns] = shape;
  const [, chunkRows, chunkColumns] = chunkCounts(shape, chunk);
  const nodes = rows * columns;
  const block = new Int16Array(chunk[0] * nodes);
  let buffered = 0;
  let blocks = 0;

  async function writeBlock(): Promise<void> {
    for (let row = 0; row < chunkRows; row++) {
      const first = (blocks * chunkRows + row) * chunkColumns;
      for (let column = 0; column < chunkColumns; column++)
        if (gather(block, shape, chunk, row, column, values))
          await shard.append(first + column, sealed(encodePlanes(plain, CRC_BYTES)));
    }
    blocks++;
    buffered = 0;
  }
  const values = new Int16Array(chunk[0] * chunk[1] * chunk[2]);
  const plain = new Uint8Array(values.buffer);

  return {
    /** @param step One step, (rows, columns), packed; only read. */
    async add(step: Int16Array): Promise<void> {
      block.set(step, buffered * nodes);
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

/** Copies one chunk out of a block of steps; cells beyond the grid are missing. Returns whether it has any value. */
function gather(
  block: Int16Array,
  [, rows, columns]: Shape,
  [steps, height, width]: Shape,
  row: number,
  column: number,
  values: Int16Array,
): boolean {
  const south = row * height;
  const west = column * width;
  let any = false;
  let at = 0;
  for (let step = 0; step < steps; step++)
    for (let y = south; y < south + height; y++) {
      const from = (step * rows + y) * columns;
      for (let x = west; x < west + width; x++) {
        const value = y < rows && x < columns ? block[from + x]! : FILL;
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
