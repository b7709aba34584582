import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { FILL } from "#lib/catalog/fields.ts";
import { crc32c } from "./crc32c.ts";
import { chunkCounts, type Shape } from "./layout.ts";
import type { ShardWriter } from "./shard-writer.ts";
import type { ArrayLayout } from "./zarr-metadata.ts";

const compress = promisify(zstdCompress);
const CRC_BYTES = 4;

export type ChunkEncoder = ReturnType<typeof chunkEncoder>;

/** Appends the steps of one field, given in order, as chunks to a shard. Chunks without any value are not stored. */
export function chunkEncoder(shard: ShardWriter, { shape, chunk, zstdLevel }: ArrayLayout) {
  const [, rows, columns] = shape;
  const [, chunkRows, chunkColumns] = chunkCounts(shape, chunk);
  const nodes = rows * columns;
  const block = new Int16Array(chunk[0] * nodes);
  let buffered = 0;
  let blocks = 0;

  async function writeBlock(): Promise<void> {
    for (let row = 0; row < chunkRows; row++) {
      const encoded: Promise<Buffer>[] = [];
      const first = (blocks * chunkRows + row) * chunkColumns;
      const numbers: number[] = [];
      for (let column = 0; column < chunkColumns; column++) {
        // The shard copies plain chunks immediately; chunks being compressed need buffers of their own.
        const plain = zstdLevel === undefined ? scratch : Buffer.allocUnsafeSlow(scratch.length);
        if (!gather(block, shape, chunk, row, column, plain)) continue;
        if (zstdLevel === undefined) await shard.append(first + column, sealed(plain));
        else {
          numbers.push(first + column);
          encoded.push(compressed(plain.subarray(0, -CRC_BYTES), zstdLevel));
        }
      }
      for (const [i, bytes] of (await Promise.all(encoded)).entries()) await shard.append(numbers[i]!, bytes);
    }
    blocks++;
    buffered = 0;
  }
  const scratch = Buffer.allocUnsafeSlow(chunk[0] * chunk[1] * chunk[2] * 2 + CRC_BYTES);

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
  out: Buffer,
): boolean {
  const values = new Int16Array(out.buffer, out.byteOffset, steps * height * width);
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

async function compressed(plain: Buffer, level: number): Promise<Buffer> {
  const packed = await compress(plain, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  return sealed(Buffer.concat([packed, new Uint8Array(CRC_BYTES)]));
}

/** Writes the checksum of all bytes before the last four into those four. */
function sealed(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - CRC_BYTES), bytes.length - CRC_BYTES);
  return bytes;
}
