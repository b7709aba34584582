import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { FILL } from "#lib/catalog/fields.ts";
import { encodeBytes, encodePlanes, splitBytes } from "./blosc.ts";
import { crc32c } from "./crc32c.ts";
import { chunkCounts, type Shape } from "./layout.ts";
import type { ShardWriter } from "./shard-writer.ts";
import type { ArrayLayout } from "./zarr-metadata.ts";

const compress = promisify(zstdCompress);
const CRC_BYTES = 4;
/** Higher levels take several times as long and gain a few per cent on int16 of weather. */
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export type ChunkEncoder = ReturnType<typeof chunkEncoder>;

/** Appends the steps of one field, given in order, as chunks to a shard. Chunks without any value are not stored. */
export function chunkEncoder(shard: ShardWriter, { shape, chunk, codec }: ArrayLayout) {
  const [, rows, columns] = shape;
  const [, chunkRows, chunkColumns] = chunkCounts(shape, chunk);
  const nodes = rows * columns;
  const block = new Int16Array(chunk[0] * nodes);
  let buffered = 0;
  let blocks = 0;

  async function writeBlock(): Promise<void> {
    for (let row = 0; row < chunkRows; row++) {
      const compressing: Promise<Buffer>[] = [];
      const first = (blocks * chunkRows + row) * chunkColumns;
      const numbers: number[] = [];
      for (let column = 0; column < chunkColumns; column++) {
        if (!gather(block, shape, chunk, row, column, values)) continue;
        if (codec === "plain" || codec === "planes") await shard.append(first + column, encoded(codec));
        else {
          numbers.push(first + column);
          compressing.push(
            codec === "zstd" ? compressed(Buffer.from(plain)) : compressedBytes(splitBytes(plain)),
          );
        }
      }
      for (const [i, bytes] of (await Promise.all(compressing)).entries())
        await shard.append(numbers[i]!, bytes);
    }
    blocks++;
    buffered = 0;
  }
  const sealable = Buffer.allocUnsafeSlow(chunk[0] * chunk[1] * chunk[2] * 2 + CRC_BYTES);
  const plain = sealable.subarray(0, -CRC_BYTES);
  const values = new Int16Array(sealable.buffer, 0, plain.length / 2);

  /** The chunk in `plain`; the shard copies it immediately. */
  function encoded(kind: "plain" | "planes"): Buffer {
    return sealed(kind === "plain" ? sealable : encodePlanes(plain, CRC_BYTES));
  }

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

async function compressedBytes(split: Uint8Array): Promise<Buffer> {
  return sealed(encodeBytes(split, await compress(split, zstdOptions), CRC_BYTES));
}

async function compressed(bytes: Uint8Array): Promise<Buffer> {
  return sealed(Buffer.concat([await compress(bytes, zstdOptions), new Uint8Array(CRC_BYTES)]));
}

/** Writes the checksum of all bytes before the last four into those four. */
function sealed(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - CRC_BYTES), bytes.length - CRC_BYTES);
  return bytes;
}
